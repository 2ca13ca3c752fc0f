import {
  defineClusterCheck,
  type ClusterVerdict,
  type Collection,
  type KnownCollection,
  type RemedyStep,
} from '../src/check.js';
import { formatBytes, formatCount, formatDuration, formatShare, inWords } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { onlyIf } from '../src/judgement/only-if.js';
import {
  distributionStep,
  movesCollections,
  shardKeyCommand,
  shardsAnyDatabase,
} from '../src/judgement/shard-keys/reshard-remedy.js';
import { shellCommand, shellStatement, spacedJson } from '../src/judgement/shell-statement.js';
import { databaseOf, nameOf } from '../src/namespace.js';
import { compareTexts } from '../src/text/compare-texts.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../src/time-units.js';

/** The share of what its shard serves, in one collection: elsewhere it would be as hot. */
const MOST_OF_IT = 0.5;
const LISTED = 5;

const NOT_ALL_LINTED =
  'shares of the operations on a part of the collections say nothing of the cluster. Lint without --include and --exclude, with a user that can list every database.';

/** What a shard's primary serves, in operations per second. */
interface ShardLoad {
  readonly shard: string;
  readonly rate: number;
  /** The busiest first. */
  readonly unsharded: readonly BusyCollection[];
}

interface BusyCollection {
  readonly collection: Collection;
  readonly rate: number;
  readonly writeShare: number;
  readonly countedFor: number;
  readonly bytes: number | null;
}

type Known = KnownCollection<'load' | 'storage'>;

/** Share of the cluster's operations on unsharded collections of one shard from which they are reported. Judgement. */
const MOST_OF_ALL = 0.5;

/**
 * Mean load of the other shards, as a share of that shard's, up to which they idle. Judgement: one shard with twice the work
 * of another.
 */
const IDLE = 0.5;

export const hotUnshardedCollection = defineClusterCheck({
  id: 'hot-unsharded-collection',
  title: 'Unsharded collections that take most operations',
  summary: "collections on one shard of a cluster that take most of the cluster's operations while other shards idle",
  appliesWhere: 'sharded',
  needs: ['load', 'storage'],
  clusterNeeds: ['server'],
  thresholds: {
    perSecond: {
      default: 100,
      unit: 'operations',
      description: 'operations per second of the cluster, on average',
      source: 'judgement: any server answers so many, whatever shard they are on',
    },
    warning: {
      default: 1_000,
      unit: 'operations',
      description: 'operations per second of that shard, on average',
      source: 'judgement: so many on average are several times as many at peak, and near what one shard is bought for',
    },
    days: {
      default: 1,
      unit: 'days',
      description: "days that the busiest collection's operations are counted, at least",
      source: 'judgement: a day has busy and quiet hours',
    },
  },
  retiredThresholds: ['share', 'others'],
  judge({ collections, server }, limits): readonly ClusterVerdict[] {
    const { shards = [], version } = server;
    if (shards.length < 2) return [];
    const linted = [...collections.values()].filter(({ collection }) => collection.kind !== 'view');
    if (linted.length !== server.collections)
      return [{ notJudged: 'bound', detail: NOT_ALL_LINTED, nothingJudged: true }];
    const known = linted.filter(({ collection }) => collection.kind === 'collection');
    for (const { load } of known)
      if (!load.present && load.reason !== 'vanished')
        return [{ notJudged: load.reason, detail: load.detail, nothingJudged: true }];
    const loads = loadsOf(known, shards).toSorted((one, other) => other.rate - one.rate);
    const all = loads.reduce((sum, { rate }) => sum + rate, 0);
    const [hot] = loads;
    const others = loads.filter(({ shard }) => shard !== hot?.shard && shards.includes(shard));
    const [busiest] = hot?.unsharded ?? [];
    if (hot === undefined || busiest === undefined || all < limits.perSecond) return [];
    const unsharded = hot.unsharded.reduce((sum, { rate }) => sum + rate, 0);
    const meanOfOthers = others.reduce((sum, { rate }) => sum + rate, 0) / others.length;
    if (unsharded / all < MOST_OF_ALL || meanOfOthers > IDLE * hot.rate) return [];
    const { namespace } = busiest.collection;
    if (busiest.countedFor < limits.days * MS_PER_DAY) {
      const detail = `${hot.shard} has counted the operations on ${namespace} for ${formatDuration(busiest.countedFor)}. Run again later.`;
      return [{ notJudged: 'insufficient', detail, namespace }];
    }
    const listed = hot.unsharded
      .slice(0, LISTED)
      .filter(({ rate }) => rate > 0)
      .map(({ collection, rate }) => `${collection.namespace} ${formatShare(rate / all)}`);
    return [
      {
        namespace,
        path: null,
        severity: hot.rate >= limits.warning ? 'warning' : 'info',
        confidence: 'high',
        message:
          `${hot.shard} serves ${formatShare(hot.rate / all)} of the operations on collections, ${formatCount(Math.round(hot.rate))} a second on average, ` +
          `the other ${others.length === 1 ? 'shard' : `${others.length} shards`} ${formatShare(meanOfOthers / all)}${others.length === 1 ? '' : ' each'}. ` +
          `Its unsharded collections take most: ${inWords(listed)}. Each is on that shard alone, so that more shards make it no faster.`,
        evidence: {
          source: '$collStats',
          window: `${formatDuration(busiest.countedFor)}, by the primaries' counters`,
          operationsPerSecond: Math.round(hot.rate),
          shareOfOperations: hot.rate / all,
          unshardedShare: unsharded / all,
          writeShare: busiest.writeShare,
          ...(busiest.bytes !== null && { collectionBytes: busiest.bytes }),
          shards: loads.map(({ shard, rate }) => `${shard}: ${formatCount(Math.round(rate))} operations per second`),
        },
        remedy: { steps: steps(hot, others.at(-1)!.shard, version) },
      },
    ];
  },
});

/** Shards that are being removed are among them, if they still serve something. */
function loadsOf(known: readonly Known[], shards: readonly string[]): ShardLoad[] {
  const names = new Set(shards);
  const parts = known.flatMap(({ collection, load, storage }) =>
    load.present ? load.value.map((part) => ({ collection, storage, ...part })) : [],
  );
  for (const { shard } of parts) names.add(shard);
  return [...names].toSorted(compareTexts).map((name): ShardLoad => {
    const ofShard = parts.filter(({ shard }) => shard === name);
    // A process counts for as long as its oldest collection shows, at least.
    const longest = Math.max(0, ...ofShard.map(({ countedFor }) => countedFor ?? 0));
    const busy = ofShard.flatMap(({ collection, storage, reads, writes, countedFor }): BusyCollection[] => {
      const counted = countedFor ?? longest;
      const operations = reads + writes;
      if (counted === 0 || operations === 0) return [];
      const bytes = storage.present ? storage.value.size : null;
      const rate = (operations / counted) * MS_PER_SECOND;
      return [{ collection, rate, writeShare: writes / operations, countedFor: counted, bytes }];
    });
    return {
      shard: name,
      rate: busy.reduce((sum, { rate }) => sum + rate, 0),
      unsharded: busy
        .filter(({ collection }) => collection.sharding === undefined)
        .toSorted((one, other) => other.rate - one.rate),
    };
  });
}

function steps(hot: ShardLoad, coldest: string, version: string): RemedyStep[] {
  const [busiest, ...rest] = hot.unsharded as [BusyCollection, ...BusyCollection[]];
  const isMost = busiest.rate >= MOST_OF_IT * hot.rate;
  const moved = isMost ? rest[0] : busiest;
  const moving = !movesCollections(version)
    ? movingDatabase(hot, isMost ? databaseOf(busiest.collection.namespace) : null, coldest)
    : moved === undefined
      ? []
      : movingCollection(moved, coldest);
  return [...(isMost || moving.length === 0 ? shardingSteps(busiest.collection, version) : []), ...moving];
}

function shardingSteps({ namespace, database, collation }: Collection, version: string): RemedyStep[] {
  const key = { _id: 'hashed' };
  // Without it, the index has the collection's collation and serves no shard key, and sharding fails: measured on 6.0.5.
  const simple = collation === undefined ? {} : { collation: { locale: 'simple' } };
  const options = collation === undefined ? [] : [spacedJson(simple)];
  return [
    {
      text: 'Choose a shard key: a field with many values that most queries compare by equality. The hash of `_id` spreads writes evenly, and serves queries by `_id` alone. Check the key against your data and queries first. This only reads.',
      code: shardKeyCommand(namespace, [{ path: '_id', hashed: true }]),
    },
    ...onlyIf(!shardsAnyDatabase(version), {
      text: 'Enable sharding of the database. This moves nothing, and changes nothing where it is enabled already.',
      code: shellCommand('admin', { enableSharding: database }),
    }),
    {
      text: 'Create an index on the key: without it, a collection that holds documents cannot be sharded. The build reads the whole collection on every member that holds data, while reads and writes go on.',
      code: shellStatement(namespace, 'createIndex', spacedJson(key), ...options),
    },
    {
      text: 'Shard the collection, here by the hash of `_id`. The balancer then moves parts to other shards in the background, which adds load. Until 8.0, nothing undoes it; from then on, `unshardCollection`.',
      code: shellCommand('admin', { shardCollection: namespace, key, ...simple }),
    },
    distributionStep(namespace),
  ];
}

function movingCollection({ collection: { namespace }, bytes }: BusyCollection, to: string): RemedyStep[] {
  const size = bytes === null ? '' : ` (${formatBytes(bytes)})`;
  return [
    {
      text: `Move \`${nameOf(namespace)}\`${size} to \`${to}\`. The server copies it online, and blocks its writes for up to two seconds. Twice its size, with indexes, must be free there.`,
      code: shellCommand('admin', { moveCollection: namespace, toShard: to }),
    },
    {
      text: 'List the unsharded collections that were moved. Check after some days how the operations are spread.',
      code: 'db.getSiblingDB("config").collections.find({ unsplittable: true })',
    },
  ];
}

/** Before 8.0, only whole databases move: the busiest that does not take the heat along, if there is one. */
function movingDatabase({ rate, unsharded }: ShardLoad, kept: string | null, to: string): RemedyStep[] {
  const databases = [...groupedBy(unsharded, ({ collection }) => collection.database)]
    .map(([name, all]) => ({ name, rate: all.reduce((sum, each) => sum + each.rate, 0) }))
    .filter((database) => database.name !== kept && database.rate < MOST_OF_IT * rate)
    .toSorted((one, other) => other.rate - one.rate);
  return databases.slice(0, 1).map(({ name }) => ({
    text: `Move the database \`${name}\` to \`${to}\`, with all its unsharded collections. Stop its reads and writes meanwhile: the manual warns that data may be lost. Indexes are built again there, and change streams may end.`,
    code: shellCommand('admin', { movePrimary: name, to }),
  }));
}
