/**
 * Lines that several checks of recorded operations share. A check may give one another description or source.
 */

/** From how many executions on a query is an application's. */
export const RECURRING = {
  default: 3,
  unit: 'executions',
  description:
    'recorded executions from which a query for few of the documents is a warning, whatever one of them examines; at an expected size one is enough',
  source: 'judgement: a person tries a query once or twice, an application repeats it; tests of an application do not',
} as const;

export const PER_DAY = {
  default: 24,
  unit: 'executions',
  description: 'executions per day below which the severity is one step lower',
  source: 'judgement: a nightly report may take a second',
} as const;

/** Of all executions together, however few one of them examines. */
export const WASTED_PER_DAY = {
  default: 1_000_000,
  unit: 'documents',
  description:
    'documents or index keys examined a day beyond those returned, by all executions, from which even a small search is reported: a warning if it is a tenth of all that is examined',
  source: 'judgement: a second of processor a day and more, of which an index saves nearly all',
} as const;

/** When a query gets an index of its own, and when another one of the collection has to do. */
export const INDEX_THRESHOLDS = {
  wastedPerDay: WASTED_PER_DAY,
  worthAnIndex: {
    default: 100,
    unit: 'documents',
    description:
      'documents that an execution may read by another index before its query gets one of its own; fewer if all executions reach wastedPerDay with them',
    source:
      'judgement: a quarter of a millisecond of processor (2.3 µs a document found by an index, measured on 6.0.5)',
  },
  documentsPerWrite: {
    default: 2,
    unit: 'documents',
    description:
      'documents that may be read by another index for each write that an index of its own would have to follow, if the writes were recorded',
    source:
      'measured on 6.0.5: 3.3 µs of processor for an entry, 2.3 µs for a document found by an index; pages of random keys cost more',
  },
} as const;

/** Documents that a scan reads per execution. */
export const SCAN_SIZE = {
  default: 1_000,
  unit: 'documents',
  description:
    'documents examined per execution from which a scan is reported; a smaller collection is too small to tell',
  source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
} as const;

export const WARNING = {
  default: 10_000,
  unit: 'documents',
  description: 'documents or index keys examined per execution from which a warning is always given',
  source: 'judgement: some 10 ms of processor per execution',
} as const;

export const ERROR = {
  default: 1_000_000,
  unit: 'documents',
  description: 'documents or index keys examined per execution from which an error is given',
  source: 'judgement: a second of processor per execution and more',
} as const;

/** Of all executions together. */
export const ERROR_PER_DAY = {
  default: 1_000_000,
  unit: 'documents',
  description: 'documents or index keys examined a day, by all executions, from which an error is given',
  source: 'judgement: a query that an index serves examines a thousandth of them',
} as const;

/** Share of what is examined, from which reading so much is what the query is for. */
export const SHARE_WANTED = {
  default: 0.2,
  unit: 'share',
  description: 'share of what is examined that is returned or written, from which reading so much counts as deliberate',
  source: 'judgement: a query that returns so many of them gains little from another way to find them',
} as const;

/** Lines for searches that compare documents or index keys one by one. */
export const SEARCH_THRESHOLDS = {
  info: {
    default: 1_000,
    unit: 'documents',
    description:
      'documents or index keys examined per execution from which it is reported; a smaller collection is too small to tell',
    source: 'judgement: about a millisecond of processor per execution',
  },
  recurring: RECURRING,
  redesign: {
    default: 3_000,
    unit: 'documents',
    description: 'documents or index keys examined per execution from which such a repeated search is a warning',
    source:
      'judgement: some milliseconds of processor per execution; in fewer, asking in another way is not worth the work',
  },
  warning: WARNING,
  error: ERROR,
  errorPerDay: {
    ...ERROR_PER_DAY,
    description:
      'documents or index keys examined a day, by all executions of a query for few of them, from which an error is given',
  },
  wastedPerDay: WASTED_PER_DAY,
  perDay: PER_DAY,
} as const;

/** Lines for searches that no index serves as they ask. */
export const OBSTACLE_THRESHOLDS = { ...SEARCH_THRESHOLDS, shareWanted: SHARE_WANTED } as const;

/** Share of the collection from which an index reads it at more cost than a scan does: keys and documents. Judgement. */
export const MOST_OF_ALL = 0.5;

export type SearchLimits = Readonly<Record<keyof typeof SEARCH_THRESHOLDS, number>>;
