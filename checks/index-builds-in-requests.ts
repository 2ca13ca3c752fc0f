import { type ClusterVerdict, defineClusterCheck } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatDuration, inWords, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { beyondRoom, workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import { judgedSize } from '../src/judgement/judged-size.js';
import { RECURRING } from '../src/judgement/queries/query-thresholds.js';
import { SOURCE_NAMES } from '../src/workload/coverage/recording.js';
import { MOST_INDEXES } from '../src/workload/operations/index-changes.js';
import type { IndexChanges } from '../src/workload/workload.js';

/** Logs hold slow commands: a drop is too fast for them. */
const isOfLog = ({ source }: IndexChanges) => source !== 'profiler';

/** A collection is a finding if an index of it is built again and again, since something drops it, or since no build succeeds. */
export const indexBuildsInRequests = defineClusterCheck({
  id: 'index-builds-in-requests',
  title: 'Index built again and again',
  summary: 'indexes that the application drops and builds at every start or request, and builds that fail each time',
  needs: ['storage'],
  clusterNeeds: ['workload'],
  thresholds: {
    builds: {
      default: RECURRING,
      unit: 'executions',
      description: 'builds of one index, or failed ones',
      source: 'judgement: somebody who tries an index builds it twice',
    },
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents of the collection, for a warning',
      source: 'judgement: each build reads all of them, and without the index each query does',
    },
  },
  judge({ collections, workload }, { builds, documents }) {
    const again = (workload.indexChanges ?? []).filter(
      (each) =>
        collections.has(each.namespace) &&
        // What was built without a drop was lost with its collection, as an import does.
        (each.failed >= builds || (each.builds >= builds && (isOfLog(each) || each.drops >= builds - 1))),
    );
    const found = [...groupedBy(again, ({ namespace }) => namespace)].map(([namespace, all]): ClusterVerdict => {
      const [worst] = all.toSorted((one, other) => triesOf(other) - triesOf(one)) as [IndexChanges];
      const { collection, storage } = collections.get(namespace)!;
      const count = storage.present ? storage.value.count : null;
      const size = count === null ? 0 : judgedSize(collection, count).documents;
      const isSure = worst.failed >= builds || !isOfLog(worst);
      return {
        namespace,
        path: null,
        severity: isSure && size >= documents ? 'warning' : 'info',
        confidence: isSure ? 'high' : 'low',
        message: messageOf(worst, all),
        restsOn: [SOURCE_NAMES[worst.source]],
        evidence: {
          source: SOURCE_NAMES[worst.source],
          window: `${plural(triesOf(worst), 'build')} in ${formatDuration(worst.to - worst.from)}`,
          indexNames: all.map(({ index }) => index),
          builds: worst.builds,
          failed: worst.failed,
          drops: worst.drops,
          longestMs: worst.longestMs,
        },
        remedy: { steps: stepsFor(worst) },
      };
    });
    return [
      ...workloadGaps(workload, 'plans'),
      ...beyondRoom(workload.entriesLeftOut?.indexChanges, MOST_INDEXES, 'indexes'),
      ...found,
    ];
  },
});

const triesOf = ({ builds, failed }: IndexChanges) => builds + failed;
const fails = ({ builds, failed }: IndexChanges) => failed >= builds;

function messageOf(worst: IndexChanges, all: readonly IndexChanges[]): string {
  const { index, builds, failed, drops, from, to, longestMs } = worst;
  const others = all.filter((each) => each.index !== index).map((each) => `\`${each.index}\``);
  const beside = others.length === 0 ? '' : ` So ${others.length === 1 ? 'was' : 'were'} ${inWords(others)}.`;
  const longest = longestMs === 0 ? '' : `, up to ${formatDuration(longestMs)} each`;
  if (fails(worst))
    return `The build of \`${index}\` failed ${plural(failed, 'time')} in ${formatDuration(to - from)}${longest}. The application tries again, and each try reads the collection.${beside}`;
  const dropped = drops === 0 ? '' : `, and dropped ${plural(drops, 'time')}`;
  return `\`${index}\` was built ${plural(builds, 'time')} in ${formatDuration(to - from)}${longest}${dropped}. Until it is built, its queries scan the collection.${beside}`;
}

const stepsFor = (worst: IndexChanges) =>
  stepsOf(
    fails(worst)
      ? 'Read the error in the log of the application: duplicates (11000), or two arrays in one document (171). Fix these documents, or remove the index from the code.'
      : 'Find what drops it: syncIndexes(), a migration, a test, or two versions that declare it differently. Let one of them own it.',
    'Create indexes when you deploy, and not when the application starts or serves: in Mongoose, set autoIndex: false and call syncIndexes() in a step of the deployment.',
    'To change an index, create the new one first under another name, and drop the old one once it is built.',
    'Check that the profiler shows no further createIndexes.',
  );
