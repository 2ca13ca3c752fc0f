import {
  about,
  atMost,
  counted,
  exact,
  figureOf,
  name,
  pathOf,
  rangeAround,
  share,
  storageOf,
  sum,
  type Audit,
  type Audited,
} from './kinds-of-audit.js';
import { valuesAt } from './recomputed.js';
import { COMPUTED } from './workload-audits.js';

const MONTH_MS = 31 * 24 * 60 * 60 * 1_000;

const expired = (it: Audited) =>
  it.documents.filter((document) => valuesAt(document, pathOf(it)).some((at) => Number(at) < Date.now() - MONTH_MS))
    .length;

/** By the dates that the documents have. */
const EXPIRED: Record<string, Audit> = {
  expired: counted(expired),
  expiredShare: share((it) => expired(it) / it.documents.length),
  expiredShareRange: rangeAround('expiredShare'),
};

/** Of a collection whose indexes have less than 1 MB. */
const REUSABLE_SPACE: Record<string, Audit> = {
  reusableBytes: exact(storageOf('freeStorageSize')),
  fileBytes: exact(storageOf('storageSize')),
  reusableShare: share((it) => storageOf('freeStorageSize')(it) / storageOf('storageSize')(it)),
  reusableBytesByFile: (value, it) =>
    sum(Object.values(value as object) as number[]) === storageOf('freeStorageSize')(it) ? null : 'another sum',
};

export const indexedField = ({ finding }: Audited): string => Object.keys(finding.evidence['key'] as object).join();

export const TTL: Record<string, Audit> = {
  key: name,
  expireAfterSeconds: exact(async (it) => {
    const collection = it.finding.namespace.slice(it.database.databaseName.length + 1);
    const indexes = await it.database.collection(collection).indexes();
    return indexes.find((index) => index.name === pathOf(it))?.expireAfterSeconds;
  }),
};

const HOUR_MS = 3_600_000;
const gauges = ({ documents }: Audited) => new Set(documents.map(({ gauge }) => Number(gauge))).size;
/** A bucket of the exhibit begins with a gauge's first measurement of an hour. */
const hours = ({ documents }: Audited) =>
  new Set(documents.map(({ gauge, at }) => `${Number(gauge)} ${Math.floor(Number(at) / HOUR_MS)}`)).size;

/** By the measurements of the exhibit, all of them written since the server started. */
const BUCKETS: Record<string, Audit> = {
  measurements: exact(({ documents }) => documents.length),
  buckets: exact(hours),
  bucketsOpened: exact(hours),
  bucketsOpenedForMetadata: exact(gauges),
  // The last one of each gauge is still open.
  bucketsFinished: exact((it) => ({ TimeForward: hours(it) - gauges(it) })),
  bucketSpanMs: exact(() => HOUR_MS),
  measurementsPerBucket: exact((it) => it.documents.length / (hours(it) - gauges(it))),
};

const texts = (it: Audited) =>
  it.documents.flatMap((document) => valuesAt(document, pathOf(it))).filter((value) => typeof value === 'string');
const meanBytes = (it: Audited) => sum(texts(it).map((text) => Buffer.byteLength(text))) / texts(it).length;

/** Bytes of what the texts stand for. */
const TYPED_BYTES: Readonly<Record<string, number>> = { 'a date': 8, 'an ObjectId': 12, 'a UUID': 21, 'a number': 8 };

const AS_TEXT: Record<string, Audit> = {
  storedAs: name,
  standsFor: name,
  typedIn: name,
  documentsWithText: counted((it) => texts(it).length),
  averageTextBytes: about(meanBytes, 0.01),
  // A text has its length and an end, too.
  estimatedBytes: about((it) => {
    const typed = TYPED_BYTES[String(it.finding.evidence['standsFor'])] ?? NaN;
    return texts(it).length * (meanBytes(it) + 5 - typed);
  }, 0.01),
};

/** By the two halves of the exhibit, whose orders are compared by their `_id`s. */
const GENERATIONS: Record<string, Audit> = {
  documentsOfShapes: (value, { documents }) => {
    const older = documents.filter(({ shipTo }) => shipTo === undefined).length;
    const [one = NaN, other = NaN] = value as number[];
    return Math.abs(one / (one + other) - older / documents.length) <= 0.05 ? null : `${older} are older`;
  },
  fieldsThatDiffer: name,
  createdBetween: name,
  newerThanShapeBeforeShare: share(() => 1),
};

const starts = (it: Audited) => it.documents.flatMap(({ starts: at }) => (at instanceof Date ? [Number(at)] : []));
const oldestAsked = ({ profiled }: Audited) =>
  Math.min(
    ...profiled.flatMap(({ command }) =>
      command.filter?.starts === undefined ? [] : Number(command.filter.starts.$gte),
    ),
  );

/** By the dates that the queries ask from. */
const UNREAD: Record<string, Audit> = {
  unreadShareAtLeast: share((it) => {
    const older = starts(it).filter((at) => at < oldestAsked(it)).length;
    return Math.floor((10 * older) / starts(it).length) / 10;
  }),
  unreadBytesEstimated: about((it) => figureOf(it, 'unreadShareAtLeast') * sum(it.sizes), 0.01),
  oldestReadMs: about((it) => Math.max(...it.profiled.map(({ ts }) => Number(ts))) - oldestAsked(it), 0.01),
  boundedBy: name,
};

/** Of the document with its changes; nothing updates it in the demo. */
const EVENTS: Record<string, Audit> = { largestBytes: exact(({ sizes }) => Math.max(...sizes)) };

/** By the entries of the one transaction that the exhibit runs; the demo logs none. */
const TRANSACTIONS: Record<string, Audit> = {
  mostDocuments: exact(({ profiled }) => Math.max(...profiled.map(({ ninserted = 0 }) => Number(ninserted)))),
  longestMs: exact(({ profiled }) =>
    Math.max(...profiled.filter(({ command }) => command.autocommit === false).map(({ millis }) => Number(millis))),
  ),
};

/** By check: those whose figures need nothing else. */
/** A log that only takes inserts. */
const ENDLESS: Record<string, Audit> = {
  inserts: exact(({ profiled }) => profiled.filter(({ op }) => op === 'insert').length),
  readExecutions: exact(({ profiled }) => profiled.filter(({ op }) => op !== 'insert').length),
  totalBytes: exact(storageOf('size')),
  documents: exact((it) => it.documents.length),
  // Between its first and its last decile.
  spanMs: atMost((it) => {
    const times = it.documents.flatMap((document) => valuesAt(document, pathOf(it)).map(Number));
    return Math.max(...times) - Math.min(...times);
  }),
};

export const STORED: Record<string, Record<string, Audit>> = {
  'computed-value': COMPUTED,
  'index-builds-in-requests': {
    indexNames: name,
    builds: exact(({ profiled }) => profiled.filter(({ command }) => 'createIndexes' in command).length),
    drops: exact(({ profiled }) => profiled.filter(({ command }) => 'dropIndexes' in command).length),
    failed: exact(() => 0),
    longestMs: exact(({ profiled }) =>
      Math.max(...profiled.map(({ command, millis }) => ('createIndexes' in command ? Number(millis) : 0))),
    ),
  },
  'unique-index-on-optional-field': {
    key: name,
    documentsWithoutField: counted((it) => it.documents.filter((document) => !(indexedField(it) in document)).length),
    documentsWithNull: counted((it) => it.documents.filter((document) => document[indexedField(it)] === null).length),
    refusedWrites: exact(({ profiled }) => profiled.filter(({ errName }) => errName === 'DuplicateKey').length),
  },
  'reusable-space': REUSABLE_SPACE,
  'short-oplog': EVENTS,
  'open-transactions': TRANSACTIONS,
  'expired-documents': EXPIRED,
  'timeseries-misconfigured': BUCKETS,
  'archive-candidate': UNREAD,
  'endless-collection': ENDLESS,
  'schema-versions': GENERATIONS,
  'typed-values-as-strings': AS_TEXT,
};
