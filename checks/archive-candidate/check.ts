import { type ClusterVerdict, defineClusterCheck, type KnownCollection } from '../../src/check.js';
import { formatBytes, formatDuration, formatShare, inWords, plural } from '../../src/format.js';
import { judgedAt, judgedAtText, judgedSize } from '../../src/judgement/judged-size.js';
import { MS_PER_DAY } from '../../src/time-units.js';
import { SOURCE_NAMES } from '../../src/workload/coverage/source-window.js';
import { reachInto } from './reach.js';
import { archivingSteps } from './remedy.js';

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
      description: 'bytes of the documents that nothing reads from which they are reported',
      source: 'judgement: half of the default cache of a server with 5 GB of memory; backups and new members copy them',
    },
    days: {
      default: 7,
      unit: 'days',
      description: 'days that must have been recorded',
      source: 'judgement: jobs of a week have run; those of a month or a year are asked for in the remedy',
    },
    executions: {
      default: 100,
      unit: 'executions',
      description: 'recorded queries of the collection below which it is not judged',
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
