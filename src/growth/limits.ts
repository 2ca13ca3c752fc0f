/** Every constant of this room, with its unit and where it comes from; what has no source is judgement, which `npm run bench:growth` measures. */

/** What sources say together, and forecasts. */
export const FORECAST = {
  /** Elements from which embedded documents, and any elements, are too many. Source: see the thresholds of `unbounded-array`. */
  elements: [200, 1_000],
  /** Days. Judgement: nobody knows what an application does in three years. */
  longestDays: 3 * 365,
  /** Times the window in which growth was measured. Judgement. */
  perWindow: 30,
  /** Days. If no document is older, documents are expected to live for so many times their age. Judgement. */
  youngDays: 14,
  livesPerAge: 5,
  /** Days. Growth of a shorter window is that of a busy hour: low confidence. Judgement. */
  shortDays: 1,
  /** Factor within which the rates of two sources agree even if their intervals do not meet. Judgement. */
  mostApart: 2,
} as const;

/** Rates and their intervals. */
export const RATES = {
  /** Standard errors of an interval that holds in 90 of 100 cases. */
  standardErrors: 1.645,
  /** Share by which a rate may be wrong whatever the number of arrays: rates of the window's end, of days, of kinds. Measured: bench:growth. */
  leastError: { oplog: 0.12, age: 0.25, history: 0.15 },
} as const;

/** How the oplog is read. */
export const READING = {
  /** Days. Judgement: a week holds each kind of day. */
  windowDays: 7,
  /** Entries that are wanted: some 200 ms of the server's time (measured on 6.0.5). */
  entries: 20_000,
  /** Seconds, of each of which a part is read: 120 a week, at another hour each day. Of a shorter oplog, half of it and so on. */
  sliceSeconds: 84 * 60,
  fewestSlices: 60,
  /** Entries in a batch, and bytes in all: the batch that crosses the line is still used. Judgement: what a run may cost. */
  batch: 2_500,
  mostBytes: 8 * 1024 * 1024,
  /** Larger entries are read without their content. */
  mostEntryBytes: 64 * 1024,
  /** Milliseconds for the oplog, for one collection's look-ups or tail, and for those of all collections. Judgement. */
  mostTime: 3_000,
  mostTimeTogether: 15_000,
  /** Writes to arrays that are held in memory. */
  mostWrites: 60_000,
  /** Lengths that are looked up, in so many collections at once: 64 MB of documents, as the server reads each whole, 20 to 1,000 of them, 400 for a path. */
  lookedUp: { atOnce: 2, bytes: 2 ** 26, unknownBytes: 2 ** 18, least: 20, most: 1_000, paths: 20, ofPath: 400 },
  /** Share of entries whose updates were not read from which the number of appends is not given, and from which it is said. */
  unread: { most: 0.01, said: 0.1 },
} as const;

/** What writes show. */
export const WRITES = {
  /** Writes by which a path can be judged at all, and by which it shows that nothing is gained. Judgement. */
  fewestWrites: 8,
  enoughWrites: 30,
  /** Elements gained in all, and lost per element gained from which arrays are as good as emptied or replaced. */
  fewestGained: 10,
  mostLost: 0.15,
  /** Parts of the window, those that must hold writes (a nightly job of an hour is read in five nights), and the latest, one of which must. */
  parts: { all: 28, written: 4, latest: 12 },
  /** Share of the writes that leave an array at the greatest length of all, and of the window between them: a cap. */
  cap: { share: 0.1, fewest: 3, time: 0.25 },
  /** Standard errors by which what arrays had gained right after a write must exceed 0, for writes to come in bursts. */
  burstErrors: 2,
  /** Share of the pairs of writes in a row to one array, without the first, whose later one may reach less far; without pairs, the rank correlation of time and gain, in standard errors. */
  order: { spare: 5, backwards: 0.2, errors: 3.1 },
  /** Share of the writes whose documents are gone from which their arrays may never get long: of a week, those that live for 17 days. */
  mostGone: 0.2,
} as const;

/** Arrays that are filled, and then grow no more. */
export const FILLING = {
  /** Quantile of the growing arrays' lengths that shows how far they come, by the writes in the latest share of the window. */
  longest: 0.9,
  latest: 0.5,
  /** Share of the arrays of that length that must grow: between 0.22 and 0.33 by bench:growth. */
  leastGrowing: 0.27,
} as const;

/** What ages show. */
export const AGES = {
  /** Documents, and days between the 5th and the 95th percentile of their ages: most imports take less. */
  fewest: 40,
  shortestSpan: 1,
  /** Share of the documents whose time of creation must be known. */
  leastKnown: 0.95,
  /** Bands of equal numbers of documents by age; of collections too small for it, fewer. */
  bands: { most: 8, least: 5, fewestIn: 30 },
  /** Rank correlation of age and length, and its standard errors (Spearman). */
  leastCorrelation: 0.2,
  correlationErrors: 3.3,
  /** Elements (or bytes) gained over the ages. */
  leastGain: { elements: 2, bytes: 64 },
  /** Length of the youngest band, as a share of the oldest's, from which they may have been created longer. */
  mostAtBirth: 0.3,
  /** Steps from band to band that rise by half of the mean or more, as those of versions do not; the last third's rise as a share of the first's. */
  leastRising: 0.75,
  leastLastRise: 1 / 3,
} as const;

/** What the history keeps and shows. */
export const HISTORY = {
  /** Documents of a sketch, fewer of collections with many arrays. Of 5 % that grow there are ten. Judgement. */
  sketch: { most: 200, fewest: 20, values: 6_000 },
  /** Bytes of a salted hash: two of 1,000 documents share one in one of two million samples. */
  hashBytes: 5,
  /** Days for which records are kept, those after which one a day of each collection is enough, and sketches that are kept however close in time. */
  keptDays: 90,
  fullDays: 7,
  latest: 6,
  /** Bytes; beyond 512 MB Node can't hold a file as one text. */
  mostBytes: 256 * 1024 * 1024,
  /** Days of runs that are compared, the runs by which growth shows, and documents recognised in the first and in this run. */
  comparedDays: 14,
  fewestRuns: 4,
  fewestTracked: 5,
  /** Parts of the time compared; those in which arrays must gain a quarter of the mean or more: a backfill fills one, two fill two. */
  parts: { most: 8, least: 3, share: 0.6, ofMean: 1 / 4 },
  /** Times that lines are looser for growth that the last run showed. Judgement. */
  hysteresis: 2,
} as const;

/** The version of the file's format. A reader understands its own version and earlier ones. */
export const HISTORY_SCHEMA_VERSION = 1;
