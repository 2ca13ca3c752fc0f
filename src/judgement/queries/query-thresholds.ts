/**
 * The ladder of recorded operations: what a user may set of the checks that share it, and the numbers that hold for all of them.
 * A check may give a threshold another description or source.
 */

/** Recorded executions from which an application repeats a query: a person tries it once or twice. Judgement. */
export const RECURRING = 3;

/** Recorded executions from which requests send a query: of a start or a job, a recording of minutes holds a few. Judgement. */
export const FREQUENT = 20;

/** Executions per day below which the severity is one step lower: a nightly report may take a second. Judgement. */
export const PER_DAY = 24;

/**
 * Documents or index keys examined a day beyond those returned, by all executions, from which even a small search is reported.
 * Judgement: a second of processor a day and more, of which an index saves nearly all.
 */
export const WASTED_PER_DAY = 1_000_000;

/**
 * Documents or index keys examined a day, by all executions, from which an error is given. Judgement: a query that an index
 * serves examines a thousandth of them.
 */
export const ERROR_PER_DAY = 1_000_000;

/**
 * Documents or index keys examined per execution from which a repeated search for few of them is a warning. Judgement: some
 * milliseconds of processor; in fewer, asking in another way is not worth the work.
 */
export const REDESIGN = 3_000;

/** The same, if requests send it. Judgement: a millisecond of processor in each, as of a scan that is reported. */
export const REDESIGN_IF_FREQUENT = 1_000;

/**
 * Share of all that a recording examines, from which (and down to which, if it was one) a query is a main part of the work, and the documents or keys that an
 * execution must examine for it. DESIGN.md, "Cost first": nothing that takes a tenth is without a name.
 */
export const MAIN_PART = { share: 0.1, stillShare: 0.08, examined: 500 } as const;

/** Share of what is examined that is returned or written, from which reading so much is what the query is for. Judgement. */
export const SHARE_WANTED = 0.2;

/** Share of the collection from which an index reads it at more cost than a scan does: keys and documents. Judgement. */
export const MOST_OF_ALL = 0.5;

/** Documents that a scan reads per execution. */
export const SCAN_SIZE = {
  default: 1_000,
  unit: 'documents',
  description: 'documents examined per execution; smaller collections are not judged',
  source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
} as const;

export const WARNING = {
  default: 10_000,
  unit: 'documents',
  description: 'documents (4 KB as one) or index keys examined per execution',
  source: 'judgement: some 10 ms of processor per execution',
} as const;

export const ERROR = {
  default: 1_000_000,
  unit: 'documents',
  description: 'documents (4 KB as one) or index keys examined per execution',
  source: 'judgement: a second of processor per execution and more',
} as const;

/** Lines for searches that compare documents or index keys one by one. */
export const SEARCH_THRESHOLDS = {
  info: {
    default: 1_000,
    unit: 'documents',
    description: 'documents or index keys examined per execution; smaller collections are not judged',
    source: 'judgement: about a millisecond of processor per execution',
  },
  warning: WARNING,
  error: ERROR,
} as const;

export type SearchLimits = Readonly<Record<keyof typeof SEARCH_THRESHOLDS, number>>;

/** Former thresholds of the checks of recorded operations. */
export const RETIRED_OF_OPERATIONS = [
  'recurring',
  'perDay',
  'redesign',
  'errorPerDay',
  'wastedPerDay',
  'shareWanted',
  'worthAnIndex',
  'documentsPerWrite',
] as const;
