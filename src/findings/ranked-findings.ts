import { createHash } from 'node:crypto';
import type { Finding, Impact, RanBy } from '../finding.js';
import { groupedBy } from '../grouped-by.js';
import { quotient, sumOf } from '../judgement/quotient.js';
import { databaseOf } from '../namespace.js';
import { areHere, mainSource, ofOneRecord, recordedWindow, sourcesOf } from '../workload/coverage/join-telling.js';
import { executionsPerDay, shareOfTime, SOURCE_NAMES, sourceCoverage } from '../workload/coverage/source-window.js';
import {
  documentsWasted,
  examinedBy,
  examinedInVain,
  totalsBySource,
  type TotalsBySource,
} from '../workload/operations/waste.js';
import { operationKey } from '../workload/shapes/operation-shape.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import { FIGURE_SOURCES, type FigureSource, type Operation, type OperationFigures } from '../workload/workload.js';
import { worstFirst } from './finding-order.js';
import { combined, separated } from './further-reasons.js';
import { ranByOf } from './ran-by.js';
import { indexFigures, withSharedIndexes } from './shared-indexes.js';
import { reportedRemedy, type StampedFinding } from './stamp.js';

/** 48 bits: among 10,000 kinds of operations, two collide with a chance of 1 in 6 million. */
const ID_DIGITS = 12;

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
  const about = groupedBy(stamped, ({ fingerprint }) => fingerprint);
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
  const known = workload === null ? null : knownWorkload(workload);
  const plain = stamped.map(({ operations: _operations, saves: _saves, ...finding }) => finding);
  const [alone, ofMany] = byPlaces(plain);
  const shared = [
    ...withSharedIndexes(withSharedArrays(alone), (indexes) => indexFigures(indexes, workload)),
    ...onePerDatabase(ofMany),
  ];
  const findings = worstFirst(
    shared.map((finding) => {
      const bytes = bytesOf(finding.namespace) ?? { size: null, averageDocumentSize: null };
      const cost = known === null ? null : costOf(operationsOf(finding), known, bytes, savesOf(finding));
      const impact = { ...cost?.impact, ...stakeOf(finding, bytes) };
      return {
        ...finding,
        ...(Object.keys(impact).length > 0 && { impact }),
        ...(cost !== null && cost.ranBy.length > 0 && { ranBy: [...cost.ranBy] }),
      };
    }),
  );
  return { findings, ofOperations: findingsOfOperations(findings, operationsOf) };
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

/** What is known of the collection of a finding; null if it is not. In bytes. */
interface CollectionBytes {
  readonly size: number | null;
  readonly averageDocumentSize: number | null;
}

/** What operations cost by the workload, and who runs them. */
interface Cost {
  readonly impact: Impact;
  readonly ranBy: readonly RanBy[];
}

/** What the cost of any operations is computed from, worked out once for all findings. */
interface KnownWorkload {
  readonly workload: TracedWorkload;
  readonly operations: ReadonlySet<Operation>;
  readonly joining: ReadonlySet<Operation>;
  readonly here: TotalsBySource;
  readonly inProduction: TotalsBySource;
  /** True if all that is recorded was recorded in one place. */
  readonly isOfOnePlace: boolean;
}

function knownWorkload(workload: TracedWorkload): KnownWorkload {
  const { operations, tracedOperations } = workload;
  const here = operations.filter(({ recordedHere }) => recordedHere === true);
  const inProduction = operations.filter(({ recordedHere }) => recordedHere !== true);
  return {
    workload,
    operations: new Set(operations),
    joining: new Set(tracedOperations.flatMap(({ operation, joins }) => (joins.length > 0 ? [operation] : []))),
    here: totalsBySource(here, examinedBy),
    inProduction: totalsBySource(inProduction, examinedBy),
    isOfOnePlace: here.length === 0 || inProduction.length === 0,
  };
}

/** Null if no source has figures of any of the operations. */
function costOf(
  given: readonly Operation[],
  known: KnownWorkload,
  { averageDocumentSize }: CollectionBytes,
  savedBy: (operation: Operation) => number,
): Cost | null {
  const { workload } = known;
  const asked = [...new Set(given)].filter((operation) => known.operations.has(operation));
  const operations = ofOneRecord(asked, (operation) => operation);
  if (operations.length === 0) return null;
  const examined = areHere(operations) ? known.here : known.inProduction;
  const source = sourceFor(operations, examined);
  const recorded = operations.flatMap((operation) => {
    const figures = operation.figures[source];
    return figures === undefined ? [] : [{ operation, figures }];
  });
  const total = examined[source];
  const ofRemedy = ({ operation, figures }: Recorded, wasted: number | null) =>
    wasted === null ? null : Math.min(wasted, savedBy(operation) * figures.executions);
  const saved = (each: Recorded) => ofRemedy(each, examinedInVain(each.figures));
  const documents = sumOf(recorded, (each) => ofRemedy(each, documentsWasted(each.figures)));
  // For joins, it is not known how many of the documents are of which collection.
  const joinsAny = operations.some((operation) => known.joining.has(operation));
  const bytes = documents === null || joinsAny ? null : product(documents, averageDocumentSize);
  const milliseconds = sumOf(recorded, ({ figures }) => figures.milliseconds);
  const isAllTime = !areHere(operations) || known.isOfOnePlace;
  const { window, executions, perDay } = recordOf(recorded, source, workload);
  const impact = withoutUnknown({
    source: SOURCE_NAMES[source],
    window,
    executions,
    documents,
    bytes,
    milliseconds,
    share: quotient(sumOf(recorded, saved), total),
    shareOfTime: isAllTime ? shareOfTime(milliseconds, workload.milliseconds[source]) : null,
    executionsPerDay: perDay,
    documentsPerDay: product(documents, perDay, executions),
    bytesPerDay: product(bytes, perDay, executions),
    msPerDay: product(milliseconds, perDay, executions),
    operations: recorded.map((each) =>
      withoutUnknown({ id: idOf(each.operation), share: quotient(saved(each), total) }),
    ),
  });
  return { impact, ranBy: ranByOf(operations, source) };
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

interface Recorded {
  readonly operation: Operation;
  readonly figures: OperationFigures;
}

/** The source that saw the most examined of all, so that findings compare; another one if it saw none of these. */
function sourceFor(operations: readonly Operation[], examined: TotalsBySource): FigureSource {
  const [most] = FIGURE_SOURCES.filter((source) => examined[source] !== null).toSorted(
    (one, other) => (examined[other] ?? 0) - (examined[one] ?? 0),
  );
  const hasSeen = most !== undefined && operations.some(({ figures }) => figures[most] !== undefined);
  return hasSeen ? most : mainSource(operations);
}

/** A day's figures only of operations on one database, since each has a profiler of its own. */
function recordOf(recorded: readonly Recorded[], source: FigureSource, workload: TracedWorkload) {
  const operations = recorded.map(({ operation }) => operation);
  const executions = sumOf(recorded, ({ figures }) => figures.executions) ?? 0;
  const databases = new Set(operations.map(({ shape }) => databaseOf(shape.namespace)));
  const [database = ''] = databases;
  const coverage = sourceCoverage(sourcesOf(workload, operations), source, database);
  const isOfOneWindow = databases.size === 1 && !areHere(operations);
  return {
    executions,
    ...recordedWindow(executions, coverage, operations),
    perDay: isOfOneWindow ? executionsPerDay(executions, coverage) : null,
  };
}

function idOf({ shape }: Operation): string {
  return createHash('sha256').update(operationKey(shape)).digest('hex').slice(0, ID_DIGITS);
}

/** `value × factor ÷ divisor`; null if any of them is unknown. */
function product(value: number | null, factor: number | null, divisor = 1): number | null {
  return value === null || factor === null || divisor === 0 ? null : Math.round((value * factor) / divisor);
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

type Known<Figures> = { [Name in keyof Figures]: Exclude<Figures[Name], null> };

/** Sums of a damaged record may be larger than any number: nobody knows these either. */
function withoutUnknown<Figures extends object>(figures: Figures): Known<Figures> {
  return Object.fromEntries(
    Object.entries(figures).filter(
      ([, value]) => value !== null && (typeof value !== 'number' || Number.isFinite(value)),
    ),
  ) as Known<Figures>;
}
