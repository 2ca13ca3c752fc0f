import { formatCount } from '../../format.js';
import { terminalData } from '../../terminal-text.js';
import { placeOf } from '../finding-view.js';
import { type Paint, painter } from '../paint.js';
import { columnWidth, plainTable, TABLE_GAP } from '../plain-table.js';
import type { RenderOptions } from '../report-options.js';
import { clipped, indented, LEAST_WIDTH, wrapped } from '../text-layout.js';
import type { FleetCluster, FleetOverview } from './fleet-overview.js';
import { fleetSentences } from './fleet-pieces.js';

const INDENT = 2;
const ROWS = 20;
const COUNTS = ['Clusters', 'Findings'] as const;
/** Longest alias that is shown whole. Columns. */
const ALIAS_WIDTH = 30;
/** With less, a place tells nothing. Columns. */
const LEAST_PLACE = 12;

/** The overview of many targets for people, as wide as the terminal. */
export function renderFleetTable(fleet: FleetOverview, { width, color, quiet, verbose }: RenderOptions): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const paint = painter(color);
  const safe = terminalData(fleet);
  const rows = verbose ? Number.POSITIVE_INFINITY : ROWS;
  const concluding = fleetSentences(safe).flatMap((sentence, index) =>
    wrapped(paint(index === 0 ? 'heading' : 'caution', sentence), columns),
  );
  const sections = [
    titled('Not linted', unlintedLines(safe, columns - INDENT, paint, rows), paint),
    titled('Clusters, the worst first', clusterLines(safe, columns, paint, rows), paint),
    ...(quiet
      ? []
      : [
          titled('Common to several clusters', checkLines(safe, columns, paint), paint),
          titled('The same finding in several clusters', alikeLines(safe, columns, paint, rows), paint),
          titled('Owners', ownerLines(safe, paint), paint),
        ]),
    concluding,
  ];
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

function titled(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : [paint('heading', title), ...lines];
}

function unlintedLines({ clusters, missing }: FleetOverview, width: number, paint: Paint, most: number): string[] {
  const failed = clusters.flatMap(({ alias, failure }) =>
    failure === null ? [] : [failure.startsWith(`${alias}: `) ? failure : `${alias}: ${failure}`],
  );
  const texts = [...failed, ...missing];
  const lines = texts.slice(0, most).flatMap((text) => wrapped(paint('caution', text), width));
  return indented(lines.concat(moreLine(texts.length - most, paint)), INDENT);
}

function clusterLines({ clusters }: FleetOverview, width: number, paint: Paint, most: number): string[] {
  const linted = clusters.filter(({ server }) => server !== null);
  if (linted.length === 0) return [];
  const shown = linted.slice(0, most);
  const numbers = ['Errors', 'Warnings', 'Info', 'Exit'];
  const heads = ['Cluster', ...numbers, 'Worst finding'];
  const aliases = shown.map(({ alias }) => clipped(alias, ALIAS_WIDTH, 'middle'));
  const taken = numbers.join('').length;
  const room = width - taken - columnWidth(['Cluster', ...aliases]) - (heads.length - 1) * TABLE_GAP;
  const withWorst = room >= LEAST_PLACE;
  const rows = shown.map((cluster, index) => {
    const { findings, exitCode } = cluster;
    const cells = [
      paint('name', aliases[index] ?? ''),
      counted('error', findings.error, paint),
      counted('warning', findings.warning, paint),
      counted('info', findings.info, paint),
      String(exitCode),
    ];
    return withWorst ? [...cells, clipped(worstText(cluster), room)] : cells;
  });
  const table = plainTable(withWorst ? heads : heads.slice(0, -1), rows, paint, numbers);
  return table.concat(moreLine(linted.length - most, paint));
}

function counted(severity: 'error' | 'warning' | 'info', count: number, paint: Paint): string {
  return count === 0 ? paint('aside', '0') : paint(severity, formatCount(count));
}

export function worstText({ worst }: FleetCluster): string {
  return worst === null ? '' : `${worst.check} ${placeOf(worst)}`;
}

function checkLines({ checks, clusters }: FleetOverview, width: number, paint: Paint): string[] {
  const common = checks.filter(({ targets }) => targets > 1);
  if (common.length === 0) return [];
  const rows = common.map(({ check, targets, findings, severity }) => [
    paint(severity, severity),
    clipped(check, Math.floor(width / 2)),
    `${formatCount(targets)} of ${formatCount(clusters.length)}`,
    formatCount(findings),
  ]);
  return plainTable(['Worst', 'Check', ...COUNTS], rows, paint, COUNTS);
}

function alikeLines({ alike, alikeIsPartial }: FleetOverview, width: number, paint: Paint, most: number): string[] {
  if (alike.length === 0) return [];
  const shown = alike.slice(0, most);
  const checkWidth = columnWidth(['Check', ...shown.map(({ check }) => check)]);
  const forPlace = width - 'Severity'.length - checkWidth - 'Clusters'.length - 3 * TABLE_GAP;
  const rows = shown.map(({ check, severity, targets, ...place }) => [
    paint(severity, severity),
    check,
    paint('name', clipped(placeOf(place), Math.max(LEAST_PLACE, forPlace), 'middle')),
    formatCount(targets),
  ]);
  const partial = alikeIsPartial === true ? ['There were too many to compare all: some may be missing.'] : [];
  const table = plainTable(['Severity', 'Check', 'Place', 'Clusters'], rows, paint, COUNTS);
  return [...table, ...moreLine(alike.length - most, paint), ...partial];
}

function ownerLines({ owners = [] }: FleetOverview, paint: Paint): string[] {
  if (owners.length === 0) return [];
  const rows = owners.map(({ owner, targets, findings }) => [
    owner ?? 'no owner',
    formatCount(targets),
    formatCount(findings),
  ]);
  return plainTable(['Owner', ...COUNTS], rows, paint, COUNTS);
}

function moreLine(more: number, paint: Paint): string[] {
  return more > 0 ? [paint('aside', `and ${formatCount(more)} more, with --verbose`)] : [];
}
