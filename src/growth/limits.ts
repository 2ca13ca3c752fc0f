/** Every constant of this room, with its unit and where it comes from; what has no source is judgement, which `npm run bench:growth` measures. */

/** What sources say together, and forecasts. */
export const FORECAST = {
  /** Elements from which embedded documents, and any elements, are too many. Source: see the thresholds of `unbounded-array`. */
  elements: [200, 1_000],
  /** Days. Judgement: nobody knows what an application does in three years. */
  longestDays: 3 * 365,
  /** Times the window in which growth was measured. Judgement. */
  perWindow: 30,
  /** Days. If no document is older, documents may be deleted soon: they are expected to live for so many times their age. Judgement. */
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
  leastError: { oplog: 0.12, age: 0.25, history: 0.12 },
  /** Arrays at one path that are compared: more would sharpen no estimate that matters. */
  mostArrays: 400,
} as const;

/** How the oplog is read. */
export const READING = {
  /** Days. Judgement: a week holds each kind of day. */
  windowDays: 7,
  /** Entries of an oplog that is scanned: some 200 ms of the server's time for each hundred thousand (measured on 6.0.5). */
  mostScanned: 150_000,
  /** Entries drawn: some 30 ms for each thousand (measured). */
  drawn: 20_000,
  /** A few at first: what entries weigh shows then. */
  drawnFirst: 500,
  /** In one draw by the random cursor, and such draws. */
  drawnAtOnce: 2_500,
  mostDraws: 14,
  /** Of the entries, in one draw; from 5 % on the server scans and sorts them all (manual, `$sample`). */
  mostShare: 0.04,
  /**
   * The server keeps the newest 10 MB on one page in memory, which the random cursor enters as rarely as a page of 32 KB (measured
   * on 6.0.27). From the so manieth newest entry drawn on, all is scanned; at most so many are wanted there.
   */
  newestDrawn: 4,
  newestScanned: 20_000,
  /** Bytes in all; the batch that crosses the line is still used. Judgement: what a run may cost. */
  mostBytes: 8 * 1024 * 1024,
  /** Share of these bytes that is planned with, as entries differ in size. */
  shareOfBytes: 0.8,
  /** Bytes; larger entries are read without their content. */
  mostEntryBytes: 64 * 1024,
  /** Milliseconds for the oplog, for one collection's look-ups or tail, and for those of all collections. Judgement. */
  mostTime: 3_000,
  mostTimeTogether: 15_000,
  /** Writes to arrays that are held in memory. */
  mostWrites: 60_000,
  /** Documents whose lengths are looked up in a collection: 64 MB of them, as the server reads each whole, at most 1,000, at least 20. */
  lookedUp: { bytes: 64 * 1024 * 1024, most: 1_000, least: 20, unknownBytes: 256 * 1024 },
  /** Paths in one look-up. */
  mostPaths: 20,
  /** Collections whose lengths are looked up at once. */
  lookUpsAtOnce: 2,
  /** Share of entries whose updates were not read from which the number of appends is not given. */
  mostUnread: 0.01,
  /** The same below which nothing is said of them: some bulk load is always on. */
  saidUnread: 0.1,
} as const;

/** What drawn writes show. */
export const WRITES = {
  /** Writes by which a path can be judged at all, and by which it shows that nothing is gained. Judgement. */
  fewestWrites: 8,
  enoughWrites: 30,
  /** Elements gained in all. */
  fewestGained: 10,
  /** Elements lost per element gained from which arrays are as good as emptied or replaced. */
  mostLost: 0.15,
  /** Parts of the window, those that must hold writes (a nightly job fills seven), and the latest, one of which must. */
  parts: { all: 28, written: 6, latest: 6 },
  /** Share of the writes that leave an array at the greatest length of all, and of the window between them: a cap. */
  cap: { share: 0.1, fewest: 3, time: 0.25 },
  /** Of two writes in a row to one array, the share whose later one reached less far, from which elements are set anywhere. */
  mostBackwards: 0.2,
  /** Days since a write from which its gain says something. */
  leastDays: 0.25,
  /** Standard errors by which what arrays had gained right after a write must exceed 0, for writes to come in bursts. */
  burstErrors: 2,
  /** What they gained in the days since, on average, per element gained right after the write: of arrays that fill, it is less. */
  risePerStart: 1.2,
  /** Pairs of writes by which order shows; without them, the rank correlation of time and gain, in standard errors. */
  fewestPairs: 10,
  /** The same, if next to none goes backwards: 1 in 128 of lists that are written in any order does so by chance. */
  onwards: { fewest: 7, backwards: 0.05 },
  orderErrors: 3.1,
  /**
   * Arrays of the window's first third that should be written again in its last third, and the share of them, less one, that
   * makes them finished. Pushes that come in bursts are drawn again half as often as independent ones (four a night: 0.53 of
   * what is expected, over 40 draws), so the line lies well below.
   */
  again: { expected: 10, least: 1 / 4 },
  /** The later part's gain per day, as a share of the earlier part's, below which growth has ended. */
  leastContinued: 1 / 4,
  /** Share of the documents, older than all that are written to, from which only young ones grow. */
  mostOlder: 0.5,
  /** Written documents that are gone by which a lifetime shows, and how clearly. */
  gone: { fewest: 8, share: 0.9 },
  /** Elements that drawn writes added again, by which the share that the random cursor drew is known to a fifth. */
  fewestAgain: 30,
} as const;

/** Arrays that grow for some time and then no more. */
export const FINISHED = {
  /** Growing arrays are as long as the others or longer; those that are being filled are shorter than this share of the median. */
  fillingShare: 0.8,
  /** Of the arrays as long as the growing ones, the share that grows below which the others have finished. */
  leastGrowing: 1 / 3,
  /** Times the others' median by which a few growing arrays must be longer: else they may be the last of arrays that fill. */
  leastLonger: 1.25,
  /** Share of the sampled arrays at the greatest length that makes a cap, if those written to are rarely as long. */
  cap: { share: 0.05, fewest: 5, ofWritten: 0.5 },
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
  /** Steps from band to band that rise by half of the mean step or more. Steps of versions or kinds are fewer. */
  leastRising: 0.75,
  /** The last third's rise as a share of the first third's. */
  leastLastRise: 1 / 3,
  /** Share of the oldest third at one greatest length: a cap. */
  cap: 0.3,
} as const;

/** What the history keeps and shows. */
export const HISTORY = {
  /** Documents of a sketch: chosen by a hash, and the longest. Of 5 % that grow there are eight. Judgement. */
  sketch: { evenly: 160, longest: 40, fewest: 20, lengths: 6_000 },
  /** Bytes of a salted hash: two of 1,000 documents share one in one of two million samples. */
  hashBytes: 5,
  /** Days for which records are kept, and those after which one a day of each collection is enough. */
  keptDays: 90,
  fullDays: 7,
  /** Sketches of a collection's latest runs that are kept however close in time. */
  latest: 6,
  /** Bytes; beyond 512 MB Node can't hold a file as one text. */
  mostBytes: 256 * 1024 * 1024,
  /** Days of runs that are compared, and the runs by which growth shows. */
  comparedDays: 14,
  fewestRuns: 4,
  /** Documents recognised in the first and in this run. */
  fewestTracked: 5,
  /** Parts of the time compared; those in which arrays must gain a quarter of the mean or more: a backfill fills one, two fill two. */
  parts: { most: 8, least: 3, share: 0.6, ofMean: 1 / 4 },
  /** Arrays that gained only in the first half, for each only in the second, and how many more, also as a share of all: arrays that fill stop, and none begins. */
  stopped: { ratio: 2, more: 2, share: 0.05 },
  /** Times looser are the lines for growth that the run before told: so it does not come and go. */
  told: 2,
} as const;

/** Of the file's format. A reader understands its own version and earlier ones. */
export const HISTORY_SCHEMA_VERSION = 1;
