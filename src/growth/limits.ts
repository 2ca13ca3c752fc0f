/** Every constant of this room: its unit, and where it comes from. "Judgement" is ours; docs/growth.md says what the bench makes of it. */
import { DOCUMENT_LIMIT_BYTES } from '../server-limits.js';

// Forecasts.

/** Elements from which embedded documents, and any elements, are too many. Source: see the thresholds of `unbounded-array`. */
export const ELEMENT_LIMITS = [200, 1_000] as const;
export { DOCUMENT_LIMIT_BYTES };
/** Days. Judgement: nobody knows what an application does in three years. */
export const LONGEST_FORECAST = 3 * 365;
/** Times the window in which growth was measured. Judgement. */
export const FORECAST_PER_WINDOW = 30;
/** Days. If no document is older, documents may be deleted soon: they are expected to live for so many times their age. Judgement. */
export const YOUNG_COLLECTION = 14;
export const LIVES_PER_AGE = 5;
/** Days. Growth of a shorter window is that of a busy hour: low confidence. Judgement. */
export const SHORT_WINDOW = 1;
/** Factor within which the rates of two sources agree even if their intervals do not meet. Judgement. */
export const MOST_APART = 2;

// Rates and their intervals.

/** Standard errors of an interval that holds in 90 of 100 cases. */
export const STANDARD_ERRORS = 1.645;
/** Share by which a rate may be wrong whatever the number of arrays: rates of the window's end, of days, of kinds. Measured: bench:growth. */
export const LEAST_ERROR = { oplog: 0.12, age: 0.25, history: 0.12 } as const;
/** Steps of the grid of rates, by factor, and rounds of the fit. Enough for a tenth. */
export const RATE_STEP = 1.25;
export const FIT_ROUNDS = 40;
/** Arrays at one path that are compared: more would sharpen no estimate that matters. */
export const MOST_ARRAYS = 400;

// The oplog: how it is read.

/** Days. Judgement: a week holds each kind of day. */
export const WINDOW = 7;
/** Entries of an oplog that is scanned: some 200 ms of the server's time for each hundred thousand (measured on 6.0.5). */
export const MOST_SCANNED = 150_000;
/** Entries drawn: some 30 ms for each thousand (measured). */
export const DRAWN = 20_000;
/** A few at first: what entries weigh shows then. */
export const DRAWN_FIRST = 500;
/** In one draw by the random cursor, and such draws. */
export const DRAWN_AT_ONCE = 2_500;
export const MOST_DRAWS = 14;
/** Of the entries, in one draw; from 5 % on the server scans and sorts them all (manual, `$sample`). */
export const MOST_SHARE = 0.04;
/**
 * The server keeps the newest 10 MB on one page in memory, which the random cursor enters as rarely as a page of 32 KB (measured
 * on 6.0.27). From the so manieth newest entry drawn on, all is scanned; at most so many are wanted there.
 */
export const NEWEST_DRAWN = 4;
export const NEWEST_SCANNED = 20_000;
/** Bytes in all; the batch that crosses the line is still used. Judgement: what a run may cost. */
export const MOST_OPLOG_BYTES = 8 * 1024 * 1024;
/** Share of these bytes that is planned with, as entries differ in size. */
export const SHARE_OF_BYTES = 0.8;
/** Bytes; larger entries are read without their content. */
export const MOST_ENTRY_BYTES = 64 * 1024;
/** Milliseconds for the oplog, for one collection's look-ups or tail, and for those of all collections. Judgement. */
export const MOST_TIME = 3_000;
export const MOST_TIME_TOGETHER = 15_000;
/** Entries read of one collection where the oplog can't be read as a whole (Atlas Free and Flex tiers). */
export const TAIL_ENTRIES = 1_500;
/** Writes to arrays that are held in memory. */
export const MOST_WRITES = 60_000;
/** Documents whose lengths are looked up in a collection: 64 MB of them, as the server reads each whole, at most 1,000, at least 20. */
export const LOOKED_UP = { bytes: 64 * 1024 * 1024, most: 1_000, least: 20, unknownBytes: 256 * 1024 } as const;
/** Paths in one look-up. */
export const MOST_PATHS = 20;
/** Collections whose lengths are looked up at once. */
export const LOOK_UPS_AT_ONCE = 2;
/** Share of entries whose updates were not read from which the number of appends is not given. */
export const MOST_UNREAD = 0.01;

// The oplog: what it shows.

/** Writes by which a path can be judged at all, and by which it shows that nothing is gained. Judgement. */
export const FEWEST_WRITES = 8;
export const ENOUGH_WRITES = 30;
/** Elements gained in all. */
export const FEWEST_GAINED = 10;
/** Elements lost per element gained from which arrays are as good as emptied or replaced. */
export const MOST_LOST = 0.15;
/** Parts of the window, those that must hold writes (a nightly job fills seven), and the latest, one of which must. */
export const PARTS = { all: 28, written: 6, latest: 6 } as const;
/** Share of the writes that leave an array at the greatest length of all, and of the window between them: a cap. */
export const CAP = { share: 0.1, fewest: 3, time: 0.25 } as const;
/** Of two writes in a row to one array, the share whose later one reached less far, from which elements are set anywhere. */
export const MOST_BACKWARDS = 0.2;
/** Standard errors by which what arrays had gained right after a write must exceed 0, for writes to come in bursts. */
export const BURST_ERRORS = 2;
/** What they gained in the days since, on average, per element gained right after the write: of arrays that fill, it is less. */
export const RISE_PER_START = 1.5;
/** Pairs of writes by which order shows; without them, the rank correlation of time and gain, in standard errors. */
export const FEWEST_PAIRS = 10;
/** The same, if next to none goes backwards: 1 in 128 of lists that are written in any order does so by chance. */
export const ONWARDS = { fewest: 7, backwards: 0.05 } as const;
export const ORDER_ERRORS = 3.1;
/** The newest writes, as a share of all. */
export const NEWEST_SHARE = 0.1;
/** Arrays of the window's first third that should be written again in its last third, and the share of them, less one, that makes them finished. */
export const AGAIN = { expected: 10, least: 1 / 2 } as const;
/** The later part's gain per day, as a share of the earlier part's, below which growth has ended. */
export const LEAST_CONTINUED = 1 / 4;
/** Growing arrays are as long as the others or longer; those that are being filled are shorter than this share of the median. */
export const FILLING_SHARE = 0.8;
/** Of the arrays as long as the growing ones, the share that grows below which the others have finished. */
export const LEAST_GROWING = 1 / 3;
/** Share of the documents, older than all that are written to, from which only young ones grow. */
export const MOST_OLDER = 0.5;
/** Share of the sampled arrays at the greatest length that makes a cap, if those written to are rarely as long. */
export const SAMPLE_CAP = { share: 0.05, fewest: 5, ofWritten: 0.5 } as const;
/** Written documents that are gone by which a lifetime shows, and how clearly. */
export const GONE = { fewest: 8, share: 0.9 } as const;
/** Elements that drawn writes added again, by which the share that the random cursor drew is known to a fifth. */
export const FEWEST_AGAIN = 30;

// Ages.

/** Documents, and days between the 5th and the 95th percentile of their ages. */
export const FEWEST_AGED = 40;
export const SHORTEST_SPAN = 1 / 24;
/** Share of the documents whose time of creation must be known. */
export const LEAST_KNOWN = 0.95;
/** Rank correlation with a sure order of creation from which a date is that of creation. */
export const LEAST_AGREEMENT = 0.98;
/** Bands of equal numbers of documents by age; of collections too small for it, fewer. */
export const BANDS = { most: 8, least: 5, fewestIn: 30 } as const;
/** Of ten documents of about an age, the longest that are looked at: all, or if most are idle, fewer. */
export const OF_AN_AGE = 10;
export const LONGEST_OF_AN_AGE = [10, 5, 2] as const;
/** Rank correlation of age and length, and its standard errors (Spearman). */
export const LEAST_CORRELATION = 0.2;
export const CORRELATION_ERRORS = 3.3;
/** Elements (or bytes) gained over the ages. */
export const LEAST_GAIN = { elements: 2, bytes: 64 } as const;
/** Length of the youngest band, as a share of the oldest's, from which they may have been created longer. */
export const MOST_AT_BIRTH = 0.3;
/** Steps from band to band that rise by half of the mean step or more. Steps of versions or kinds are fewer. */
export const LEAST_RISING = 0.75;
/** The last third's rise as a share of the first third's. */
export const LEAST_LAST_RISE = 1 / 3;
/** Share of the oldest third at one greatest length: a cap. */
export const AGED_CAP = 0.3;

// The history.

/** Documents of a sketch: chosen by a hash, and the longest. Of 5 % that grow there are eight. Judgement. */
export const SKETCH = { evenly: 160, longest: 40, fewest: 20, lengths: 6_000 } as const;
/** Bytes of a salted hash: two of 1,000 documents share one in one of two million samples. */
export const HASH_BYTES = 5;
/** Of the file's format. A reader understands its own version and earlier ones. */
export const HISTORY_SCHEMA_VERSION = 1;
/** Days for which records are kept, and those after which one a day of each collection is enough. */
export const HISTORY_DAYS = 90;
export const FULL_DAYS = 7;
/** Sketches of a collection's latest runs that are kept however close in time. */
export const LATEST_SKETCHES = 6;
/** Bytes; beyond 512 MB Node can't hold a file as one text. */
export const MOST_HISTORY_BYTES = 256 * 1024 * 1024;
/** Days of runs that are compared, and the runs by which growth shows. */
export const COMPARED_DAYS = 14;
export const FEWEST_RUNS = 4;
/** Documents recognised in the first and in this run. */
export const FEWEST_TRACKED = 5;
/** Times the others' median by which a few growing arrays must be longer: else they may be the last of arrays that fill. */
export const LEAST_LONGER = 1.25;
/** Parts of the time compared; those in which arrays must gain a quarter of the mean or more: a backfill fills one, two fill two. */
export const HISTORY_PARTS = { most: 8, least: 3, share: 0.6, ofMean: 1 / 4 } as const;
/** Arrays that gained only in the first half, for each only in the second, and how many more, also as a share of all: arrays that fill stop, and none begins. */
export const STOPPED = { ratio: 2, more: 2, share: 0.05 } as const;
/** Times looser are the lines for growth that the run before told: so it does not come and go. */
export const TOLD = 2;
/** Milliseconds between renewals of the lock, and after which one that was not renewed was left behind; bytes of a lock. */
export const LOCK = { renewal: 10_000, abandonedAfter: 60_000, mostBytes: 4_096 } as const;
