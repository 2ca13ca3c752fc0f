import type { Document } from 'mongodb';
import type { RemedyCommand } from '../finding.js';
import type { OperationKind } from '../workload/workload.js';

/** What one execution costs, by the server's own counters, of all collections that it reads. */
export interface Cost {
  /** The server does not count what a `$graphLookup` examines. */
  readonly documentsExamined: number;
  readonly keysExamined: number;
  readonly returned: number;
  readonly sortsInMemory: boolean;
  /** Names of the indexes that it uses, sorted; `_id_` for a search by `_id`. */
  readonly indexes: readonly string[];
  /** True if it reads a collection from its beginning to its end. */
  readonly scans: boolean;
}

/** Parts of an answer that repeat others, or hold what the query asks for. */
const PASSED_OVER = new Set(['command', 'executionStages', 'filter', 'parsedQuery', 'rejectedPlans', 'slotBasedPlan']);

/** Stages with plans in them. All other names that begin so are an operation's own text. */
const WITH_PLANS = new Set(['$cursor', '$facet', '$unionWith']);

/** A collection as it was built on the scratch server. */
export interface BuiltCollection {
  readonly namespace: string;
  /** Documents that were built. */
  readonly documents: number;
  /** Documents of the sample that they were made from. */
  readonly sampled: number;
  /** Documents at which the collection is judged: those that it has, or the expected ones. */
  readonly judged: number;
  /** Names of today's indexes beside that of `_id`. */
  readonly indexes: readonly string[];
  /** Those that lost an option or could not be built, and why. */
  readonly changed: readonly { readonly index: string; readonly how: string }[];
}

/** A command of a remedy that was run between the two replays. */
export interface RehearsedCommand extends RemedyCommand {
  readonly check: string;
  /** The scratch server's reason, if it refused it. */
  readonly refused?: string;
}

/** A recorded operation. */
export interface RehearsedOperation {
  readonly namespace: string;
  readonly kind: OperationKind;
  /** In words and without values. */
  readonly shape: string;
  readonly executions: number;
}

export interface RehearsedShape extends RehearsedOperation {
  /** Which part of it was run, as half a sentence; null if all of it. */
  readonly part: string | null;
  /** Executions on the scratch server, each with other constants; figures are their averages. */
  readonly runs: number;
  /** Documents that an execution returned when it was recorded; null if that is not known. */
  readonly recorded: number | null;
  /** Null if one did not end within the time limit. */
  readonly before: Cost | null;
  readonly after: Cost | null;
  readonly worse: boolean;
}

/** What was not run, and why. */
export interface NotRehearsed extends RehearsedOperation {
  readonly reason: string;
}

/** What a rehearsal measured. Nothing in it is a value of a document. */
export interface Rehearsal {
  readonly linted: { readonly version: string };
  readonly scratch: { readonly version: string };
  /** Longest time of an execution, in ms. */
  readonly timeout: number;
  readonly collections: readonly BuiltCollection[];
  readonly commands: readonly RehearsedCommand[];
  /** The one that examined most before comes first. */
  readonly shapes: readonly RehearsedShape[];
  readonly notRun: readonly NotRehearsed[];
}

/** Reads the answer to an `explain` of verbosity `executionStats`. */
export function costOf(explained: Document): Cost {
  const parts = partsOf(explained);
  const total = (name: string) => parts.reduce((sum, part) => sum + figureOf(part[name]), 0);
  const stages = parts.map(({ stage }) => stage);
  const used = parts.flatMap(({ indexName, indexesUsed = [] }) => [
    ...(indexName === undefined ? [] : [indexName]),
    ...indexesUsed,
  ]);
  const ids =
    stages.some((stage) => stage === 'IDHACK' || stage === 'EXPRESS_IXSCAN') && used.length === 0 ? ['_id_'] : [];
  return {
    documentsExamined: total('totalDocsExamined'),
    keysExamined: total('totalKeysExamined'),
    returned: returnedBy(explained),
    sortsInMemory: stages.includes('SORT') || parts.some((part) => '$sort' in part),
    indexes: [...new Set([...used, ...ids].map(String))].toSorted(),
    scans: stages.includes('COLLSCAN') || total('collectionScans') > 0,
  };
}

function partsOf(value: unknown): Document[] {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).filter(([name]) =>
    name.startsWith('$') ? WITH_PLANS.has(name) : !PASSED_OVER.has(name),
  );
  return [value, ...below.flatMap(([, each]) => partsOf(each))];
}

/** By the last stage; a count returns one document, and says how many it counted. */
function returnedBy({ stages, executionStats }: Document): number {
  const last = Array.isArray(stages) ? stages.at(-1) : executionStats;
  return Math.max(figureOf(last?.['nReturned']), figureOf(executionStats?.['executionStages']?.['nCounted']));
}

function figureOf(value: unknown): number {
  return value === undefined ? 0 : Number(value);
}
