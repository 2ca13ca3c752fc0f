import type { Finding, Impact } from '../finding.js';
import { SEVERITIES } from '../finding/severity.js';
import { groupedBy } from '../grouped-by.js';
import { quotient } from '../judgement/quotient.js';
import { databaseOf } from '../namespace.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import type { Operation } from '../workload/workload.js';
import { type CollectionBytes, costOf, knownWorkload, withoutUnknown } from './cost.js';
import { worstFirst } from './finding-order.js';
import { combined, separated, standsForPlaces, withReasons } from './further-reasons.js';
import { standingOut } from './largest-share.js';
import { indexFigures, withSharedIndexes } from './shared-indexes.js';
import { reportedRemedy, type StampedFinding } from './stamp.js';

/** Figures of findings that name the bytes of indexes, or those that are free, the most telling first. */
const STAKES = ['indexBytes', 'totalIndexBytes', 'reusableBytes'];

export interface RankedFindings {
  readonly findings: readonly Finding[];
  readonly ofOperations: FindingsOfOperations;
}

/** By operation, the fingerprints of the findings that are about it, the worst first. */
export type FindingsOfOperations = ReadonlyMap<Operation, readonly string[]>;

/**
 * The findings as they are reported: what one index or array explains is one, each with what it costs, the worst first.
 *
 * @param workload null if it was not collected
 * @param bytesOf what is known of a collection; null for namespaces that are none
 */
export function rankedFindings(
  stamped: readonly StampedFinding[],
  workload: TracedWorkload | null,
  bytesOf: (namespace: string) => CollectionBytes | null,
): RankedFindings {
  // Only those about operations: a check may have found thousands of one fingerprint.
  const about = groupedBy(
    stamped.filter(({ operations = [] }) => operations.length > 0),
    ({ fingerprint }) => fingerprint,
  );
  const reasonsOf = (finding: Finding) => separated(finding).flatMap(({ fingerprint }) => about.get(fingerprint) ?? []);
  const operationsOf = (finding: Finding) => reasonsOf(finding).flatMap(({ operations = [] }) => operations);
  /** What one of its reasons saves whole is saved whole. */
  const savesOf = (finding: Finding) => {
    const reasons = reasonsOf(finding);
    return (operation: Operation) =>
      Math.max(
        ...reasons.map(({ saves, operations = [] }) =>
          operations.includes(operation) ? (saves?.get(operation) ?? Infinity) : 0,
        ),
      );
  };
  const known = workload === null ? null : knownWorkload(workload, bytesOf);
  const plain = stamped.map(({ operations: _operations, saves: _saves, explainedBy: _by, ...finding }) => finding);
  const explainedBy = new Map(stamped.map((finding) => [finding.check, finding.explainedBy ?? []]));
  const [alone, ofMany] = byPlaces(plain);
  const shared = [
    ...withSharedIndexes(withSharedArrays(alone), (indexes) => indexFigures(indexes, workload)),
    ...onePerDatabase(ofMany),
  ];
  const findings = worstFirst(
    withoutConsequences(shared, explainedBy, operationsOf).map((finding) => {
      const bytes = bytesOf(finding.namespace) ?? { size: null, averageDocumentSize: null };
      const cost = known === null ? null : costOf(operationsOf(finding), known, bytes, savesOf(finding));
      const impact = { ...cost?.impact, ...stakeOf(finding, bytes) };
      return {
        ...standingOut(finding, cost?.largestShare ?? null, quotient(bytes.size, bytes.averageDocumentSize)),
        ...(Object.keys(impact).length > 0 && { impact }),
        ...(cost !== null && cost.ranBy.length > 0 && { ranBy: [...cost.ranBy] }),
      };
    }),
  );
  return { findings, ofOperations: findingsOfOperations(findings, operationsOf) };
}

/** What another finding causes is a further reason of it. */
function withoutConsequences(
  findings: readonly Finding[],
  explainedBy: ReadonlyMap<string, readonly string[]>,
  operationsOf: (finding: Finding) => readonly Operation[],
): Finding[] {
  const causes = new Map<Finding, Finding[]>();
  const ordered = worstFirst(findings);
  const kept = ordered.filter((finding) => {
    const checks = explainedBy.get(finding.check) ?? [];
    if (checks.length === 0 || finding.furtherReasons !== undefined) return true;
    const own = operationsOf(finding);
    const cause = ordered.find((other) => {
      const isAsSevere = SEVERITIES.indexOf(other.severity) <= SEVERITIES.indexOf(finding.severity);
      if (!checks.includes(other.check) || !isAsSevere || standsForPlaces(other)) return false;
      const theirs = new Set(operationsOf(other));
      const isSamePlace = other.namespace === finding.namespace && other.path === finding.path;
      return isSamePlace || (own.length > 0 && own.every((operation) => theirs.has(operation)));
    });
    if (cause !== undefined) causes.set(cause, [...(causes.get(cause) ?? []), finding]);
    return cause === undefined;
  });
  return kept.map((finding) => withReasons(finding, causes.get(finding) ?? []));
}

function findingsOfOperations(
  findings: readonly Finding[],
  operationsOf: (finding: Finding) => readonly Operation[],
): FindingsOfOperations {
  const all = new Map<Operation, string[]>();
  for (const finding of findings) {
    for (const operation of new Set(operationsOf(finding)))
      all.set(operation, [...(all.get(operation) ?? []), finding.fingerprint]);
  }
  return all;
}

/** Findings of a collection that one array causes are one, with the remedy of the worst and all of their reasons. */
export function withSharedArrays(findings: readonly StampedFinding[]): StampedFinding[] {
  const groups = groupedBy(findings, causeOf);
  return [...groups.values()].map((group) => oneFinding(group.map(({ causedBy: _causedBy, ...finding }) => finding)));
}

function oneFinding(group: readonly StampedFinding[]): StampedFinding {
  const [worst] = worstFirst(group);
  if (worst === undefined) throw new Error('There is nothing to combine.');
  return group.length === 1 ? worst : combined(group, worst.remedy);
}

function isOfMany({ adviceForAll }: StampedFinding): boolean {
  return adviceForAll !== undefined;
}

/** The finding itself if it names no cause. */
function causeOf(finding: StampedFinding): string | StampedFinding {
  return finding.causedBy === undefined ? finding : JSON.stringify([finding.namespace, finding.causedBy]);
}

/** Those that stand alone, and those of many places; of these, what has a cause that is reported joins it. */
function byPlaces(findings: readonly StampedFinding[]): [alone: StampedFinding[], ofMany: StampedFinding[]] {
  const reported = new Set(findings.filter((finding) => !isOfMany(finding)).map(causeOf));
  const stays = (finding: StampedFinding) => isOfMany(finding) && !reported.has(causeOf(finding));
  const alone = findings.filter((finding) => !stays(finding)).map(({ adviceForAll: _advice, ...finding }) => finding);
  return [alone, findings.filter(stays)];
}

/** What one check found at several places of a database, none of which is worth a finding of its own, is one. */
function onePerDatabase(findings: readonly StampedFinding[]): Finding[] {
  const groups = groupedBy(findings, ({ check, namespace }) => JSON.stringify([check, databaseOf(namespace)]));
  return [...groups.values()].map((group) => {
    const places = group.map(({ adviceForAll: _advice, causedBy: _cause, ...finding }) => finding);
    const [{ adviceForAll: steps = [] }] = group as [StampedFinding];
    const [only, ...others] = places as [Finding, ...Finding[]];
    if (others.length === 0) return only;
    const remedy = reportedRemedy({ steps });
    return combined(
      worstFirst(places).map((finding) => ({ ...finding, remedy })),
      remedy,
      { arePlaces: true },
    );
  });
}

/** What is at stake, as far as the figures of a finding and of its collection tell. */
function stakeOf(finding: Finding, { size }: CollectionBytes): Impact {
  const figures = separated(finding).map(({ evidence }) => evidence);
  const named = STAKES.flatMap((name) => figures.map((evidence) => evidence[name]));
  const days = figures.flatMap(({ forecastDays }) => numbersIn(forecastDays));
  return withoutUnknown({
    bytesAtStake: named.find((bytes) => typeof bytes === 'number') ?? size,
    daysLeft: days.length === 0 ? null : Math.max(0, Math.min(...days)),
  });
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
