import { SEVERITIES, type Severity } from '../../finding/severity.js';
import { formatCount, plural } from '../../format.js';
import type { Cell, Column, Entry, Limits, Section, Span, Table } from '../section.js';
import type { FleetCluster, FleetOverview } from './fleet-overview.js';

/** What clusters can be, the worst first, and the colour of each. */
const STATES = [
  { id: 'not-linted', state: 'not-judged', text: 'not linted' },
  { id: 'error', state: 'error', text: 'with errors' },
  { id: 'warning', state: 'warning', text: 'with warnings' },
  { id: 'info', state: 'info', text: 'with info only' },
  { id: 'incomplete', state: 'fine-in-part', text: 'not linted to the end, nothing found so far' },
  { id: 'fine', state: 'fine', text: 'without findings' },
] as const;

/** How many clusters are in each state that occurs. */
export function fleetStates({ clusters }: FleetOverview): { state: string; count: number; text: string }[] {
  return STATES.flatMap(({ id, state, text }) => {
    const count = clusters.filter((cluster) => stateOf(cluster) === id).length;
    return count === 0 ? [] : [{ state, count, text: `${formatCount(count)} ${text}` }];
  });
}

function stateOf({ server, findings, failure }: FleetCluster): (typeof STATES)[number]['id'] {
  if (server === null) return 'not-linted';
  return SEVERITIES.find((severity) => findings[severity] > 0) ?? (failure === null ? 'fine' : 'incomplete');
}

/** How the fleet fares, then what is not known of it. */
export function fleetSentences(overview: FleetOverview): string[] {
  const states = fleetStates(overview).map(({ text }) => text);
  const cut = overview.clusters.filter(({ server, failure }) => server !== null && failure !== null).length;
  const { length } = overview.missing;
  return [
    `${plural(overview.clusters.length, 'cluster')}: ${states.join(', ') || 'none'}.`,
    ...(cut === 0 ? [] : [`${plural(cut, 'cluster was', 'clusters were')} not linted to the end.`]),
    ...(length === 0 ? [] : [`This is not the whole fleet: ${plural(length, 'report is', 'reports are')} missing.`]),
  ];
}

/** The address of the page of a cluster; null if it has none. */
type PageOf = (alias: string) => string | null;

export function fleetSections(overview: FleetOverview, { lines }: Limits, pageOf: PageOf = () => null): Section[] {
  return [
    unlintedSection(overview, lines, pageOf),
    section('findings', 'Clusters, the worst first', clusterTable(overview, lines, pageOf)),
    section('common', 'Common to several clusters', commonTable(overview)),
    section(
      'alike',
      `The same finding in several clusters${overview.alikeIsPartial === true ? ' (too many to compare all)' : ''}`,
      alikeTable(overview, lines),
    ),
    section('owners', 'Owners', ownerTable(overview)),
  ];
}

function section(id: string, heading: string, table: Table): Section {
  return { id, heading, count: table.rows.length, table };
}

function unlintedSection({ clusters, missing }: FleetOverview, most: number, pageOf: PageOf): Section {
  const failed = clusters.flatMap(({ alias, failure }): Entry[] => {
    if (failure === null) return [];
    const why = failure.startsWith(`${alias}: `) ? failure.slice(alias.length + 2) : failure;
    return [{ head: [{ code: alias, href: pageOf(alias) }, why], tone: 'caution' }];
  });
  const all = [...failed, ...missing.map((text): Entry => ({ head: [text], tone: 'caution' }))];
  const more: Entry[] =
    all.length <= most ? [] : [{ head: [`and ${formatCount(all.length - most)} more, with --verbose`], tone: 'aside' }];
  const heading = 'Not linted, or not to the end';
  return { id: 'not-linted', heading, count: all.length, entries: [...all.slice(0, most), ...more] };
}

const WORST: Column = { head: 'Worst' };
const COUNTS: readonly Column[] = ['Clusters', 'Findings'].map((head) => ({ head, isNumber: true }));

interface ClusterColumn extends Column {
  readonly of: (cluster: FleetCluster) => Cell;
}

function found(head: string, severity: Severity): ClusterColumn {
  return { head, isNumber: true, of: ({ findings }) => ({ figure: formatCount(findings[severity]), severity }) };
}

function clusterTable({ clusters }: FleetOverview, most: number, pageOf: PageOf): Table {
  const linted = clusters.filter(({ server }) => server !== null);
  /** Left out if it is 0 for all. */
  const counted = (head: string, of: (cluster: FleetCluster) => number, isMinor?: true): ClusterColumn[] =>
    linted.every((cluster) => of(cluster) === 0)
      ? []
      : [{ head, isNumber: true, ...(isMinor && { isMinor }), of: (cluster) => formatCount(of(cluster)) }];
  const columns: readonly ClusterColumn[] = [
    { head: 'Cluster', of: ({ alias }) => ({ code: alias, href: pageOf(alias) }) },
    found('Errors', 'error'),
    found('Warnings', 'warning'),
    found('Info', 'info'),
    ...counted('Suppressed', ({ suppressed }) => suppressed, true),
    ...counted('Not judged', ({ notJudged }) => notJudged, true),
    ...counted('Exit', ({ exitCode }) => exitCode),
    { head: 'Worst finding', cut: 'end', of: ({ worst }) => (worst === null ? '–' : [worst.check, { place: worst }]) },
    { head: 'Server', isMinor: true, of: ({ server }) => server ?? '' },
  ];
  return limited(
    columns,
    linted.map((cluster) => columns.map(({ of }) => of(cluster))),
    most,
  );
}

function commonTable({ checks, clusters }: FleetOverview): Table {
  const rows = checks
    .filter(({ targets }) => targets > 1)
    .map(({ check, title, targets, findings, severity }): Span[] => [
      check,
      title,
      { severity },
      `${formatCount(targets)} of ${formatCount(clusters.length)}`,
      formatCount(findings),
    ]);
  return { columns: [{ head: 'Check' }, { head: 'Anti-pattern', isMinor: true }, WORST, ...COUNTS], rows };
}

function alikeTable({ alike }: FleetOverview, most: number): Table {
  const columns: readonly Column[] = [
    WORST,
    { head: 'Check' },
    { head: 'Place', cut: 'middle' },
    ...COUNTS.slice(0, 1),
  ];
  const rows = alike.map(({ check, severity, targets, ...place }): Span[] => [
    { place },
    check,
    { severity },
    formatCount(targets),
  ]);
  return limited(columns, rows, most);
}

function ownerTable({ owners = [] }: FleetOverview): Table {
  const rows = owners.map(({ owner, targets, findings }) => [
    owner ?? 'no owner',
    formatCount(targets),
    formatCount(findings),
  ]);
  return { columns: [{ head: 'Owner' }, ...COUNTS], rows };
}

function limited(columns: readonly Column[], rows: Table['rows'], most: number): Table {
  return { columns, rows: rows.slice(0, most), more: Math.max(0, rows.length - most) };
}
