import {
  type ClusterVerdict,
  type Collection,
  defineClusterCheck,
  type KnownCollection,
  type RemedyStep,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, formatDay, formatDuration, formatShare, inWords, plural } from '../src/format.js';
import { type Bound, type Reach, reachInto } from '../src/judgement/documents/reach.js';
import { judgedAt, judgedAtText, judgedSize } from '../src/judgement/judged-size.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { shellAggregation, shellStatement } from '../src/judgement/shell-statement.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../src/time-units.js';
import { SOURCE_NAMES } from '../src/workload/coverage/recording.js';

/** Share of the documents that nothing reads. Judgement: an archive is worth its upkeep if it takes the larger part. */
const UNREAD_SHARE = 0.5;

/** Recorded days from which the confidence is medium: the jobs of a month have run. Judgement. */
const FULL_CYCLE = 31;

/**
 * A collection that grows is a finding if every recorded query, of a week and more, is bounded by a date or `_id` that most
 * documents are older than, and these weigh a gigabyte.
 */
export const archiveCandidate = defineClusterCheck({
  id: 'archive-candidate',
  title: 'Old documents that no query reads',
  summary: 'a large collection of which the recorded queries read only the newest documents',
  needs: ['fieldTypes', 'storage', 'indexes'],
  clusterNeeds: ['workload', 'server'],
  thresholds: {
    bytes: {
      default: 1024 ** 3,
      unit: 'bytes',
      description: 'bytes of documents that nothing reads',
      source: 'judgement: half of the default cache of a server with 5 GB of memory; backups and new members copy them',
    },
    days: {
      default: 7,
      unit: 'days',
      description: 'days recorded, at least',
      source: 'judgement: jobs of a week have run; those of a month or a year are asked for in the remedy',
    },
    executions: {
      default: 100,
      unit: 'executions',
      description: 'executions recorded of queries on the collection, at least',
      source: 'judgement: fewer are not all that an application does',
    },
  },
  retiredThresholds: ['share', 'fullCycle'],
  judge(cluster, limits) {
    return [...cluster.collections.values()].flatMap((known): ClusterVerdict[] => {
      const { collection, fieldTypes, storage } = known;
      if (!fieldTypes.present || !storage.present || !grows(known)) return [];
      const { count, size: stored } = storage.value;
      if (count === null || count === 0 || stored === null) return [];
      const { namespace } = collection;
      const reach = reachInto(collection, cluster, fieldTypes.value, count);
      if (reach === null || reach.executions < limits.executions) return [];
      const recorded = reach.window.to - reach.window.from;
      const size = judgedSize(collection, count);
      const bytes = reach.unread * stored * (size.documents / count);
      if (recorded < limits.days * MS_PER_DAY || reach.unread < UNREAD_SHARE || bytes < limits.bytes) return [];
      const [main, ...others] = reach.bounds;
      return [
        {
          namespace,
          severity: 'info',
          confidence: recorded >= FULL_CYCLE * MS_PER_DAY ? 'medium' : 'low',
          path: main.path,
          message:
            `The ${plural(reach.executions, 'recorded query', 'recorded queries')} of ${namespace} read nothing older than ${inWords(reach.bounds.map(({ path, oldestMs }) => `${formatDuration(oldestMs)} by \`${path}\``))}. ` +
            `An estimated ${formatShare(reach.unread)} of the documents or more are older${others.length > 0 ? ' by each of these' : ''}: ${formatBytes(bytes)}, which every backup and every new member copies.${judgedAtText(size)}`,
          ...judgedAt(size),
          restsOn: ['sample', reach.source],
          evidence: {
            source: `${SOURCE_NAMES[reach.source]} and sample`,
            window: `${plural(reach.executions, 'execution')} in ${formatDuration(recorded)}`,
            unreadShareAtLeast: reach.unread,
            unreadBytesEstimated: bytes,
            oldestReadMs: main.oldestMs,
            boundedBy: reach.bounds.map(({ path }) => path).toSorted(),
          },
          remedy: { steps: archivingSteps(collection, reach) },
        },
      ];
    });
  },
});

/** A capped collection and a TTL index delete what is old. */
function grows({ collection: { kind, capped }, indexes }: KnownCollection<'indexes'>): boolean {
  const expires = !indexes.present || indexes.value.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  return kind === 'collection' && capped === undefined && !expires;
}

function archivingSteps({ namespace, database, name }: Collection, { bounds, window }: Reach): RemedyStep[] {
  // The same moments in all steps, however long they take: what is deleted was copied.
  const cutoffs = bounds.map((bound) => `${JSON.stringify(bound.path)}: { $lt: ${cutoff(bound, window.to)} }`);
  const old = `{ ${cutoffs.join(', ')} }`;
  const archive = `${name}_archive_${formatDay(window.to).replaceAll('-', '')}`;
  const [only, ...others] = bounds;
  return stepsOf(
    'Ask who reads older documents: audits, yearly reports, exports, support. None was recorded. For what they need, set earlier days below: the same ones in each step.',
    'On Atlas, an Online Archive rule with this filter moves them to object storage, where queries still find them. Skip the next three steps then.',
    {
      text: 'Else copy them to a new collection with fewer indexes, or on a cheaper server. Make sure first that no collection has this name: the copy would mix with its documents. This reads the collection once; it can be run again.',
      code: shellAggregation(
        namespace,
        `{ $match: ${old} }`,
        `{ $merge: { into: ${JSON.stringify(archive)}, whenMatched: "replace" } }`,
      ),
    },
    {
      text: 'Count what this filter finds in both, and delete only if the numbers are equal: in ranges of a day or an hour, with pauses, since each is replicated. Back up first.',
      code: shellStatement(namespace, 'deleteMany', old),
    },
    {
      text: 'To undo it, copy them back.',
      code: shellAggregation(
        `${database}.${archive}`,
        `{ $match: ${old} }`,
        `{ $merge: { into: ${JSON.stringify(name)}, whenMatched: "keepExisting" } }`,
      ),
    },
    ...onlyIf(
      others.length === 0 && only.path !== '_id',
      `If nobody needs them at all, a TTL index on \`${only.path}\` deletes them for good, as fast as it can. Begin with the age of the oldest, and lower it by collMod in steps, down to ${plural(Math.ceil(only.oldestMs / MS_PER_DAY), 'day')}.`,
    ),
    'If they must stay, keep them out of the indexes: a partial index from a fixed day on holds the new ones only, and serves queries that ask for later days. Renew it once a year.',
    'Check that queries find what they did, and run `compact` on secondaries to give the space back (see reusable-space).',
  );
}

/** The beginning of the day (UTC) as far back as the recorded operations reach. */
function cutoff({ path, oldestMs }: Bound, asOf: number): string {
  const day = Math.floor((asOf - oldestMs) / MS_PER_DAY) * MS_PER_DAY;
  return path === '_id'
    ? `ObjectId.createFromTime(${Math.max(0, day / MS_PER_SECOND)})`
    : `ISODate("${formatDay(day)}")`;
}
