import type { Document } from 'mongodb';
import { PHASES } from '../wire/phases.js';
import { refused, rewritten } from '../wire/reply-treatments.js';
import type { WireFault } from '../wire/wire-fault.js';

// Answers as the manuals and sources of the engines describe them, put into the answers of a real mongod: none of these
// engines can be had here.

const BARE_BUILD_INFO: WireFault = {
  on: PHASES.buildInfo,
  reply: rewritten(() => ({
    version: '5.0.0',
    versionArray: [5, 0, 0, 0],
    bits: 64,
    maxBsonObjectSize: 16_777_216,
    ok: 1,
  })),
};

function withoutSupport(names: readonly string[], code: number, codeName: string): WireFault {
  const isNamed = (sent: Document) =>
    names.includes(Object.keys(sent)[0] as string) ||
    names.some((name) => name.startsWith('$') && JSON.stringify(sent['pipeline'] ?? []).includes(`"${name}"`));
  return { on: isNamed, reply: refused(code, codeName, `Feature not supported: ${names[0]}`) };
}

/** Figures at the top level, as Amazon DocumentDB documents `$collStats`, without `storageStats` around them. */
const FLAT_COLLSTATS: WireFault = {
  on: PHASES.collStats,
  reply: rewritten((answer) => {
    const [stats] = answer['cursor']?.firstBatch ?? [];
    if (stats === undefined) return answer;
    const { count, size, storageSize, totalIndexSize, indexSizes, nindexes } = stats.storageStats;
    const flat = {
      ns: stats.ns,
      count,
      size,
      avgObjSize: 1,
      storageSize,
      capped: false,
      nindexes,
      totalIndexSize,
      indexSizes,
    };
    return { ...answer, cursor: { ...answer['cursor'], firstBatch: [flat] } };
  }),
};

/** No count at all. */
export const COLLSTATS_WITHOUT_FIGURES: WireFault = {
  on: PHASES.collStats,
  reply: rewritten((answer) => ({ ...answer, cursor: { ...answer['cursor'], firstBatch: [{ ns: 'shop.posts' }] } })),
};

/** The driver watches a server with a topology version, which the others have not. */
const OF_A_REPLICA_SET = new Set(['setName', 'setVersion', 'hosts', 'primary', 'me', 'topologyVersion', 'electionId']);

/** As the extension for PostgreSQL says hello: as mongos does, with its versions. */
const HELLO_OF_POSTGRESQL: WireFault = {
  on: PHASES.hello,
  reply: rewritten((answer) => {
    const kept = Object.entries(answer).filter(([name]) => !OF_A_REPLICA_SET.has(name));
    return { ...Object.fromEntries(kept), msg: 'isdbgrid', internal: { documentdb_versions: ['0.117-0'] } };
  }),
};

const NO_HASHES = ['$toHashedIndexKey', '$bsonSize', '$unionWith', '$queryStats'];

export interface ForeignEngine {
  readonly faults: readonly WireFault[];
  readonly engine: { readonly name: string; readonly version: string | null };
  /** Whether the number of documents is told. */
  readonly counts: boolean;
}

export const FOREIGN_ENGINES: Readonly<Record<string, ForeignEngine>> = {
  'Amazon DocumentDB, behind a tunnel': {
    faults: [
      BARE_BUILD_INFO,
      FLAT_COLLSTATS,
      withoutSupport(['profile', 'getLog'], 303, 'FeatureNotSupported'),
      withoutSupport(NO_HASHES, 304, 'FeatureNotSupported'),
    ],
    engine: { name: 'unknown', version: null },
    counts: true,
  },
  'a server whose $collStats tells nothing': {
    faults: [COLLSTATS_WITHOUT_FIGURES],
    engine: { name: 'MongoDB', version: null },
    counts: false,
  },
  'Azure Cosmos DB, RU, throttled at first': {
    faults: [
      { ...BARE_BUILD_INFO },
      withoutSupport(['$collStats', '$indexStats', 'profile', 'getLog', ...NO_HASHES], 115, 'CommandNotSupported'),
      {
        on: (sent) => PHASES.listIndexes(sent) || PHASES.listCollections(sent) || PHASES.sample(sent),
        times: 6,
        reply: refused(16500, 'TooManyRequests', 'Request rate is large. ActivityId=1, RetryAfterMs=20, Details=none'),
      },
    ],
    engine: { name: 'unknown', version: null },
    counts: false,
  },
  'DocumentDB on PostgreSQL, as in vCore': {
    faults: [
      BARE_BUILD_INFO,
      HELLO_OF_POSTGRESQL,
      withoutSupport(['$indexStats', 'profile', ...NO_HASHES], 115, 'CommandNotSupported'),
    ],
    engine: { name: 'DocumentDB on PostgreSQL', version: '0.117-0' },
    counts: true,
  },
  'an engine that has next to nothing': {
    faults: [
      BARE_BUILD_INFO,
      withoutSupport(
        ['$collStats', '$indexStats', '$sample', 'profile', 'getLog', 'serverStatus', ...NO_HASHES],
        238,
        'NotImplemented',
      ),
    ],
    engine: { name: 'unknown', version: null },
    counts: false,
  },
};

/** Refuses all reads of documents for good. */
export const THROTTLED_FOR_GOOD: WireFault = {
  on: PHASES.sample,
  reply: refused(16500, 'TooManyRequests', 'Request rate is large. RetryAfterMs=50'),
};
