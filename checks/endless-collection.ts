import { type ClusterVerdict, defineClusterCheck, type KnownCollection, type RemedyStep } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, formatDuration, plural } from '../src/format.js';
import { firstExpiry } from '../src/judgement/indexes/index-steps.js';
import { fullRecord } from '../src/judgement/joins/child-reads.js';
import type { JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import { equalPaths } from '../src/judgement/queries/conditions.js';
import { queriesOf } from '../src/judgement/queries/query.js';
import { shellCommand } from '../src/judgement/shell-statement.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../src/time-units.js';
import { executionsIn, SOURCE_NAMES, windowText } from '../src/workload/coverage/recording.js';

/** Recorded inserts from which an application writes a log, and nobody tried it. Judgement. */
const INSERTS = 20;

/** Share of the documents that must have a date for it to be their age. */
const NEARLY_ALL = 0.99;

/** Share of the time over which documents were written, by which a date may differ from that of their ObjectIds. */
const FOLLOWS = 0.05;

/** Days that a TTL index keeps in the printed command, to be set by whoever runs it. */
const KEPT_DAYS = 90;

type Known = KnownCollection<'fieldTypes' | 'storage' | 'indexes'>;

/**
 * A collection to which an application only adds is a finding if no index expires its documents, and it holds
 * those of months. Nobody looks up one of its documents: reads show the newest, if there are any.
 */
export const endlessCollection = defineClusterCheck({
  id: 'endless-collection',
  title: 'Log that is never trimmed',
  summary: 'a collection that only takes inserts, is hardly read, and expires never',
  needs: ['fieldTypes', 'storage', 'indexes'],
  clusterNeeds: ['workload', 'server'],
  thresholds: {
    days: {
      default: 30,
      unit: 'days',
      description: 'days between the oldest and the newest tenth of the documents, at least',
      source: 'judgement: something may yet trim it once a month',
    },
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents of the collection, at least',
      source: 'judgement: some megabytes, which nobody misses on a disk',
    },
    warning: {
      default: 1024 ** 3,
      unit: 'bytes',
      description: 'bytes of the documents, if nothing reads them',
      source: 'judgement: every backup and every new member copies them',
    },
  },
  judge(cluster, { days, documents, warning }) {
    const found = [...cluster.collections.values()].flatMap((known): ClusterVerdict[] => {
      const { collection, storage } = known;
      const log = mayGrow(known) ? logOf(known, cluster) : null;
      const age = log === null ? null : ageOf(known);
      if (log === null || age === null || !storage.present || age.spanMs < days * MS_PER_DAY) return [];
      const { count, size } = storage.value;
      if (size === null || count === null || count < documents) return [];
      const { namespace } = collection;
      const read = log.reads === 0 ? 'Nothing reads it.' : 'Recorded reads show the newest only.';
      return [
        {
          namespace,
          path: age.path,
          severity: log.reads === 0 && size >= warning && !log.isBrief ? 'warning' : 'info',
          confidence: log.isBrief ? 'low' : 'medium',
          message:
            `${namespace} only grows: ${plural(log.inserts, 'recorded insert')} (${log.window}), no update, no delete, and no index that expires documents. ` +
            `It holds ${plural(count, 'document')} (${formatBytes(size)}), most of them written over ${formatDuration(age.spanMs)}. ${read}`,
          restsOn: [log.source, 'sample'],
          evidence: {
            source: `${log.source} and sample`,
            window: log.window,
            inserts: log.inserts,
            readExecutions: log.reads,
            totalBytes: size,
            documents: count,
            spanMs: Math.round(age.spanMs),
          },
          operations: log.operations,
          remedy: { steps: trimmingSteps(known, age.path) },
        },
      ];
    });
    return [...workloadGaps(cluster.workload, 'operations'), ...found];
  },
});

/** A capped collection and a TTL index delete what is old. */
function mayGrow({ collection: { kind, capped }, indexes }: Known): boolean {
  const isKept = indexes.present && indexes.value.every(({ expireAfterSeconds }) => expireAfterSeconds === undefined);
  return kind === 'collection' && capped === undefined && isKept;
}

const READS: ReadonlySet<string> = new Set(['find', 'aggregate']);

/** What was recorded of a collection that only takes inserts; null of another, and if operations may be missing. */
function logOf({ collection: { namespace, database } }: Known, cluster: JoinedCluster) {
  const { workload } = cluster;
  const own = workload.tracedOperations.filter(({ base }) => base === namespace).map(({ operation }) => operation);
  const inserting = own.filter(({ shape }) => shape.kind === 'insert');
  const record = fullRecord(workload, database, own);
  if (record === null) return null;
  const { source, coverage } = record;
  const inserts = executionsIn(source, inserting);
  const isJoined = workload.joinUses.some(({ join: { foreign } }) => foreign?.base === namespace);
  const asked = queriesOf(cluster).filter(({ known }) => known.collection.namespace === namespace);
  const isLog = asked.every(
    ({ operation: { shape }, conditions, limited, sort, joins }) =>
      READS.has(shape.kind) && equalPaths(conditions).length === 0 && limited && sort[0]?.[1] === -1 && !joins,
  );
  if (inserts < INSERTS || isJoined || !isLog || asked.length + inserting.length < own.length) return null;
  const reads = executionsIn(
    source,
    asked.map(({ operation }) => operation),
  );
  const watchedMs = coverage.window === null ? 0 : coverage.window.to - coverage.window.from;
  return {
    inserts,
    reads,
    isBrief: watchedMs < MS_PER_DAY,
    source: SOURCE_NAMES[source],
    window: windowText(inserts, coverage),
    operations: inserting,
  };
}

/**
 * The date at which documents are written: all have it, and it follows the times of their ObjectIds. Null if there is none: another
 * date, such as a birthday, must not expire them.
 */
function ageOf({ fieldTypes }: Known): { readonly path: string; readonly spanMs: number } | null {
  if (!fieldTypes.present) return null;
  const { documents, fields } = fieldTypes.value;
  const written = fields.find(({ path }) => path === '_id')?.deciles ?? [];
  const span = (written.at(-1) ?? 0) - (written[0] ?? 0);
  const ages = fields.flatMap(({ path, types, deciles }) => {
    const isOfAll = (types.date ?? 0) >= NEARLY_ALL * documents && path !== '_id' && !/[[*]/.test(path);
    if (!isOfAll || written.length === 0 || deciles?.length !== written.length) return [];
    const apart = Math.max(...deciles.map((time, at) => Math.abs(time - (written[at] ?? 0))));
    return apart <= Math.max(MS_PER_DAY, FOLLOWS * span) ? [{ path, spanMs: span, apart }] : [];
  });
  return ages.toSorted((one, other) => one.apart - other.apart)[0] ?? null;
}

function trimmingSteps(known: Known, path: string): RemedyStep[] {
  const { database, name } = known.collection;
  return stepsOf(
    'Find out how long these documents are needed, and by whom: audits, reports, support. No such reader was recorded.',
    {
      text: 'Create a TTL index that expires nothing yet: 50 years.',
      code: firstExpiry(known, path),
    },
    {
      text: `Lower the time in steps to what you keep, ${plural(KEPT_DAYS, 'day')} here. Each step deletes older documents for good.`,
      code: shellCommand(database, {
        collMod: name,
        index: { keyPattern: { [path]: 1 }, expireAfterSeconds: (KEPT_DAYS * MS_PER_DAY) / MS_PER_SECOND },
      }),
    },
    'If a number of documents is what you need, a capped collection keeps the newest that fit. If all must stay, move old ones to an archive once a month.',
    'Check after a day that the number of documents stays level.',
  );
}
