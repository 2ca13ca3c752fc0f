import type { Finding } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import { groupedBy } from '../../src/grouped-by.js';
import type { Report } from '../../src/report/report.js';
import { compareTexts } from '../../src/text/compare-texts.js';

/** What a check found at one place. */
interface Row {
  readonly namespace: string;
  readonly check: string;
  readonly path: string | null;
  readonly severity: string;
  readonly confidence: string;
  /** The finding that it is a further reason of: its check and path. Null if it stands by itself. */
  readonly under: string | null;
  readonly fingerprint: string;
  readonly commands: readonly unknown[];
}

export type Difference = 'gone' | 'new' | 'severity' | 'confidence' | 'under' | 'commands';

/** A difference of one finding, as lines for people. */
export interface ChangedRow {
  readonly check: string;
  readonly difference: Difference;
  readonly lines: readonly string[];
}

const COMPARED = ['severity', 'confidence', 'under', 'commands'] as const;

/** The rows of a report as lines of JSON, sorted. */
export function rowsOf({ findings }: Pick<Report, 'findings'>): readonly string[] {
  const rows = findings.flatMap((whole) =>
    separated(whole).map((finding, index) => rowOf(finding, index === 0 ? null : whole)),
  );
  return rows.map((row) => JSON.stringify(Object.values(row))).toSorted(compareTexts);
}

function rowOf({ remedy, ...finding }: Finding, whole: Finding | null): Row {
  const { namespace, check, path, severity, confidence, fingerprint } = finding;
  const under = whole === null ? null : `${whole.check} ${whole.path ?? '-'}`;
  return { namespace, check, path, severity, confidence, under, fingerprint, commands: remedy.commands ?? [] };
}

/** What differs between two sets of rows. Of a finding that differs in several things, the first counts. */
export function differences(before: readonly string[], after: readonly string[]): ChangedRow[] {
  const [old, now] = [before, after].map((rows) => new Map(rows.map((row) => [parsed(row).fingerprint, row])));
  const changes = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].map((fingerprint) =>
    changeOf(old?.get(fingerprint), now?.get(fingerprint)),
  );
  return changes.filter((change) => change !== null);
}

function changeOf(old: string | undefined, now: string | undefined): ChangedRow | null {
  const lines = [...(old === undefined ? [] : [`- ${old}`]), ...(now === undefined ? [] : [`+ ${now}`])];
  const { check } = parsed(now ?? old ?? '');
  if (old === undefined) return { check, difference: 'new', lines };
  if (now === undefined) return { check, difference: 'gone', lines };
  const [one, other] = [parsed(old), parsed(now)];
  const difference = COMPARED.find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  return difference === undefined ? null : { check, difference, lines };
}

function parsed(row: string): Row {
  const [namespace, check, path, severity, confidence, under, fingerprint, commands] = JSON.parse(row);
  return { namespace, check, path, severity, confidence, under, fingerprint, commands };
}

/** The differences of a case, those of a kind together. */
export function shownByKind(changes: readonly ChangedRow[]): string {
  return [...groupedBy(changes, ({ difference }) => difference)]
    .flatMap(([kind, rows]) => [`${kind} (${rows.length})`, ...rows.flatMap(({ lines }) => lines)])
    .join('\n');
}

/** How often each check differs, and in what. */
export function countedByCheck(changes: readonly ChangedRow[]): string {
  const counted = [...groupedBy(changes, ({ check }) => check)].map(([check, ofCheck]) => {
    const kinds = [...groupedBy(ofCheck, ({ difference }) => difference)];
    return `${check}: ${kinds.map(([kind, { length }]) => `${length} ${kind}`).join(', ')}\n`;
  });
  return counted.toSorted(compareTexts).join('');
}
