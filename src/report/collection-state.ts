import { SEVERITIES, type Severity } from '../finding/severity.js';
import { separated } from '../findings/further-reasons.js';
import { formatBytes, formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { compareTexts } from '../text/compare-texts.js';
import type { Report } from './report.js';
import type { ReportedCollection } from './reported-collection.js';
import { failuresOf } from './run-failure.js';
import type { Column, Fact, Limits, Section, Span } from './section.js';
import { namespacesOf } from './skipped.js';
import { listed } from './text-layout.js';

/** The worst severity found in a collection, known to the baseline or not; or, without findings that count, how far it was judged. */
export type CollectionState = Severity | 'suppressed' | 'not-judged' | 'empty' | 'fine-in-part' | 'fine';

/** States in the order in which they are shown, the worst first. */
export const COLLECTION_STATES: readonly CollectionState[] = [
  ...SEVERITIES,
  'suppressed',
  'not-judged',
  'empty',
  'fine-in-part',
  'fine',
];

export const STATE_NAMES: Readonly<Record<CollectionState, string>> = {
  error: 'with errors',
  warning: 'with warnings',
  info: 'with info',
  suppressed: 'with suppressed findings only',
  'not-judged': 'not sampled',
  empty: 'empty',
  'fine-in-part': 'fine as far as judged',
  fine: 'fine',
};

/** What the run says of each collection, the worst first, then by size. */
export function collectionStates(
  report: Report,
): { readonly collection: ReportedCollection; readonly state: CollectionState }[] {
  const found = new Map<string, (Severity | 'suppressed')[]>();
  const add = (namespace: string, state: Severity | 'suppressed') =>
    found.set(namespace, [...(found.get(namespace) ?? []), state]);
  for (const { namespace, severity, suppressed } of report.findings)
    add(namespace, suppressed === undefined ? severity : 'suppressed');
  for (const { namespace, severity } of report.stillThere ?? []) add(namespace, severity);
  const skipped = new Set<string | undefined>(report.skipped.flatMap(namespacesOf));
  return report.collections
    .map((collection) => ({ collection, state: stateOf(collection, found.get(collection.namespace) ?? [], skipped) }))
    .sort(
      (a, b) =>
        COLLECTION_STATES.indexOf(a.state) - COLLECTION_STATES.indexOf(b.state) ||
        (b.collection.size ?? 0) - (a.collection.size ?? 0) ||
        compareTexts(a.collection.namespace, b.collection.namespace),
    );
}

/** How many collections are in each state that occurs. */
export function stateCounts(report: Report): { readonly state: CollectionState; readonly count: number }[] {
  const inState = groupedBy(collectionStates(report), ({ state }) => state);
  return COLLECTION_STATES.flatMap((state) => {
    const count = inState.get(state)?.length ?? 0;
    return count === 0 ? [] : [{ state, count }];
  });
}

function stateOf(
  { namespace, sampled }: ReportedCollection,
  found: readonly CollectionState[],
  skipped: ReadonlySet<string | undefined>,
): CollectionState {
  const worst = COLLECTION_STATES.find((state) => found.includes(state));
  if (worst !== undefined) return worst;
  if (sampled === null) return 'not-judged';
  if (sampled.documents === 0) return sampled.complete ? 'empty' : 'not-judged';
  return skipped.has(namespace) ? 'fine-in-part' : 'fine';
}

const COLUMNS: readonly Column[] = [
  { head: 'Namespace', cut: 'middle' },
  { head: 'State', isMinor: true },
  ...['Documents', 'Average', 'Size', 'On disk', 'Indexes', 'Sampled'].map((head) => ({
    head,
    isNumber: true as const,
  })),
];

/** Every collection with its sizes, the worst first. */
export function collectionsSection(report: Report): Section {
  const states = collectionStates(report);
  const largest = Math.max(1, ...states.map(({ collection }) => collection.size ?? 0));
  const rows = states.map(({ collection, state }): Span[] => {
    const { namespace, documents, averageDocumentSize, size, storageSize, indexes, sampled } = collection;
    return [
      { code: namespace },
      { state, text: STATE_NAMES[state] },
      figure(documents, formatCount),
      figure(averageDocumentSize, formatBytes),
      size === null ? { figure: null } : { figure: formatBytes(size), share: size / largest },
      figure(storageSize, formatBytes),
      figure(indexes, formatCount),
      figure(sampled?.documents ?? null, formatCount),
    ];
  });
  return { id: 'collections', heading: 'Collections', count: rows.length, table: { columns: COLUMNS, rows } };
}

function figure(value: number | null, format: (value: number) => string): Span {
  return { figure: value === null ? null : format(value) };
}

/** The enabled checks that found nothing, by id. */
interface FineChecks {
  readonly inFull: readonly string[];
  readonly inPart: readonly string[];
}

/** The checks that judged something and found nothing; suppressed findings count as found, and known ones that a search found. */
export function fineChecks(report: Report): FineChecks {
  const { checks = [], findings, stillThere = [], skipped, leftOut } = report;
  const own = [...findings.flatMap(separated), ...stillThere].map(({ check }) => check);
  const found = new Set([...own, ...(leftOut?.checks ?? [])]);
  const cutShort = new Set(skipped.map(({ check }) => check));
  const fine = checks.filter(({ check, judged }) => judged > 0 && !found.has(check)).map(({ check }) => check);
  // Not every check has an entry for the collections that a run which ended early did not reach.
  const isCutShort = failuresOf(report).some(({ reason }) => reason !== 'fault');
  const isInPart = (check: string) => isCutShort || cutShort.has(check) || cutShort.has('*');
  return { inFull: fine.filter((check) => !isInPart(check)), inPart: fine.filter(isInPart) };
}

/** How collections and checks fare, what is fine among them. */
export function scorecardSection(report: Report, { names }: Limits): Section {
  const { inFull, inPart } = fineChecks(report);
  const checksText = (checks: readonly string[], what: string) =>
    checks.length === 0 ? [] : [`${plural(checks.length, 'check')} ${what}: ${listed(checks, names)}`];
  const states = stateCounts(report).map(({ state, count }) => `${formatCount(count)} ${STATE_NAMES[state]}`);
  const facts: readonly Fact[] = [
    { label: 'collections', texts: states, short: true },
    { label: 'fine', texts: checksText(inFull, 'found nothing'), short: false },
    { label: 'incomplete', texts: checksText(inPart, 'found nothing, but could not judge everything'), short: false },
  ];
  const known = facts.filter(({ texts }) => texts.length > 0);
  return { id: 'scorecard', heading: 'Scorecard', count: known.length, facts: known };
}
