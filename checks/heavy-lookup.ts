import {
  type ClusterVerdict,
  defineClusterCheck,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, formatCount, formatShare, inWords, plural } from '../src/format.js';
import { type JoinLoad, joinLoads } from '../src/judgement/joins/join-load.js';
import { cutAggregates, type JoinedCluster, judgedScan } from '../src/judgement/joins/joined-cluster.js';
import { type JoinedPart, joinsPerChange } from '../src/judgement/joins/joined-part.js';
import { workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import { judgedAt, judgedAtText, tooSmallToTell } from '../src/judgement/judged-size.js';
import { severityOf } from '../src/judgement/margins.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { RECURRING, SCAN_SIZE } from '../src/judgement/queries/query-thresholds.js';
import { SOURCE_NAMES, windowText } from '../src/workload/coverage/recording.js';
import type { Workload } from '../src/workload/workload.js';

/** Documents read by an execution below which joins are reported from half of the operations on: an index finds them. Judgement. */
const LIGHT = 10;

/** Bytes joined to one document from which it is an error: half of the 100 MB at which `$lookup` fails (measured on 6.0.5). */
const NEAR_FAILURE = 50 * 1024 * 1024;

const thresholds = {
  executions: {
    default: 20,
    unit: 'executions',
    description: 'executions with joins, at least, unless they read much',
    source: 'judgement: fewer do not show a pattern',
  },
  info: {
    default: 0.2,
    unit: 'share',
    description: "share of joins in a collection's operations, or in what they examine",
    source: 'judgement: one in five',
  },
  warning: {
    default: 0.5,
    unit: 'share',
    description: "share of joins in a collection's operations, or in what they examine",
    source: 'judgement: data that is read together most of the time belongs together',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

/**
 * A collection is a finding by the share of its operations that join, or, if an execution reads 1,000 documents or more, by the
 * share of what it or the whole workload examines. Many joins, a wide one, or a late filter make an info a warning. What an index
 * saves is missing-lookup-index's.
 */
export const heavyLookup = defineClusterCheck({
  id: 'heavy-lookup',
  title: 'Workload dominated by $lookup',
  explainedBy: ['missing-lookup-index', 'early-lookup'],
  summary: 'a collection where joins are a large share of the operations, or of the documents that these examine',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  retiredThresholds: ['recurring', 'documents', 'examined', 'read', 'light', 'joins', 'fanOut', 'joinedBytes'],
  judge: (subject, limits) => [
    ...workloadGaps(subject.workload),
    ...cutAggregates(subject),
    ...joinLoads(subject).flatMap((load) => verdictOn(load, subject, limits)),
  ],
});

function verdictOn(load: JoinLoad, cluster: JoinedCluster, limits: Limits): ClusterVerdict[] {
  const { namespace, source, coverage, figures } = load;
  const worse = whatIsWorse(load);
  const severity = severityFor(load, limits, worse.length > 0);
  const { joinExecutions, documentsPerExecution: read } = figures;
  if (severity === null || joinExecutions < (read >= SCAN_SIZE.default ? RECURRING : limits.executions)) return [];
  const size = judgedScan(cluster, namespace);
  if (severity !== 'error') {
    if (size !== null && Math.max(read, size.documents) < SCAN_SIZE.default)
      return [{ namespace, ...tooSmallToTell(size, sharesText(load)) }];
    const expected = cluster.collections.get(namespace)?.collection.expected;
    if ((expected?.executionsPerDay ?? joinExecutions) * read < SCAN_SIZE.default) return [];
  }
  return [
    {
      namespace,
      path: null,
      severity,
      confidence: coverage.operations === 'all' ? 'high' : 'medium',
      message: [`${sharesText(load)}.`, ...worse].join(' ') + (size === null ? '' : judgedAtText(size)),
      restsOn: [SOURCE_NAMES[source]],
      evidence: { source: SOURCE_NAMES[source], window: windowText(figures.executions, coverage), ...figures },
      ...(size !== null && judgedAt(size)),
      operations: load.joining.map(({ operation }) => operation),
      remedy: { steps: reliefSteps(load, cluster.workload) },
    },
  ];
}

function severityFor({ figures, coverage }: JoinLoad, limits: Limits, isWorse: boolean): Severity | null {
  if ((figures.joinedBytes ?? 0) >= NEAR_FAILURE) return 'error';
  const isMuch = figures.documentsPerExecution >= SCAN_SIZE.default;
  const ofExamined = isMuch ? Math.max(figures.shareOfDocuments ?? 0, figures.shareOfWorkload ?? 0) : 0;
  const byShare = severityOf(Math.max(figures.shareOfOperations, ofExamined), { ...limits, error: Infinity });
  if (byShare === 'info' && !isWorse) return figures.documentsPerExecution >= LIGHT ? 'info' : null;
  // Among slow operations alone, joins have a share of nothing that is known.
  return byShare && (coverage.operations === 'all' || isMuch ? 'warning' : 'info');
}

/** Documents joined to one, on average, that are worse than their share. Judgement: more than a page of them. */
const WIDE = 100;

/** Collections that are named. */
const NAMED = 3;

/** Joins in one pipeline that are worse than their share. Judgement: one screen needs data from four collections. */
const MANY_JOINS = 3;

/** What makes the joins worse than their share. */
function whatIsWorse({ figures, discardsJoined }: JoinLoad): string[] {
  const [joined, bytes] = [plural(Math.round(figures.documentsJoined ?? 0), 'document'), figures.joinedBytes ?? 0];
  return [
    ...onlyIf(figures.joinsPerPipeline >= MANY_JOINS, `One pipeline makes ${figures.joinsPerPipeline} joins.`),
    ...onlyIf((figures.documentsJoined ?? 0) >= WIDE, `Each document is joined with ${joined} on average.`),
    ...onlyIf(bytes >= NEAR_FAILURE, `These weigh ${formatBytes(bytes)} on average; a join fails at 100 MB.`),
    ...onlyIf(discardsJoined, 'A `$match` after the join discards most of the joined documents.'),
  ];
}

/** "Joins are 62 % of the operations on shop.orders: 620 of 1,000 executions join shop.customers". */
function sharesText({ namespace, coverage, figures }: JoinLoad): string {
  const { executions, joinExecutions, shareOfOperations, shareOfTime, joined } = figures;
  const time = shareOfTime === null ? '' : ` and ${formatShare(shareOfTime)} of their time`;
  const names = joined.length > NAMED ? `${formatCount(joined.length)} collections` : joined.join(' and ');
  const kind = coverage.operations === 'all' ? '' : coverage.operations === 'slow' ? 'slow ' : 'recorded ';
  return `Joins are ${formatShare(shareOfOperations)} of the ${kind}operations on ${namespace}${time}: ${formatCount(joinExecutions)} of ${plural(executions, 'execution')} join ${names}`;
}

/** Up to which children are embedded: half a page of the storage engine (32 KB: SERVER-16182). */
const FEW_BYTES = 16 * 1024;

/** With fewer joins per change, copies cost more than joins. Judgement. */
const STABLE = 10;

/** What to do, by what the joins bring together: index, filter, embed, copy or materialise. */
function reliefSteps(load: JoinLoad, workload: Workload): RemedyStep[] {
  const { namespace, parts, unindexed, figures } = load;
  const byForeign = [...new Map(parts.map((part) => [part.foreign, part])).values()];
  return stepsOf(
    ...onlyIf(
      unindexed.length > 0,
      `First index ${inWords(unindexed.slice(0, NAMED))} (see missing-lookup-index). Then judge the joins again: without an index they seem heavier than they are.`,
    ),
    ...onlyIf(
      load.discardsJoined,
      `Filter first: start the pipeline from ${figures.joined[0]}, whose fields it filters by. Or copy those fields into ${namespace} and match them before the join.`,
    ),
    ...byForeign.slice(0, NAMED).map((part) => adviceOn(part, load, workload)),
    ...onlyIf(
      figures.joinsPerPipeline >= MANY_JOINS,
      `Consider materialising the result of the pipeline that makes ${figures.joinsPerPipeline} joins: write it to a collection of its own with \`$merge\`, whenever its parts change or every few minutes.`,
    ),
    `Rerun mongolint after some normal load: the share of joins on ${namespace} should be lower.`,
  );
}

function adviceOn({ foreign, relation, documents, bytes }: JoinedPart, load: JoinLoad, workload: Workload): string {
  const into = load.namespace;
  if (relation === 'tree')
    return `Store the \`_id\`s of all ancestors in each document of ${foreign}, in an array with an index. One equality then finds everything below a document, at any depth, without the join.`;
  if (relation === 'children')
    return documents !== null && documents < WIDE && bytes !== null && bytes <= FEW_BYTES
      ? `Embed ${foreign} into ${into}: each document has ${formatCount(documents)} of them on average, ${formatBytes(bytes)}. If some have hundreds, or their number keeps growing, embed only the few that are read with the document (subset pattern).`
      : `Keep the few of ${foreign} that are read with a document of ${into} inside it, such as the newest (subset pattern). Leave the rest where it is. Store totals and counts in the document too.`;
  if (relation === 'other')
    return `Copy into ${into} the fields of ${foreign} that are read, or materialize the joined result with \`$merge\`.`;
  const ratio = joinsPerChange(foreign, load, workload);
  if (ratio !== null && ratio < STABLE)
    return `Do not copy fields of ${foreign}: it is written too often (less than ${STABLE} joins per write). Join fewer documents at a time, or keep it in a cache.`;
  const known = ratio === Infinity ? 'none was recorded' : `there are ${formatCount(ratio ?? 0)} joins per write`;
  const worth = ratio === null ? 'do it only if they are read far more often than written' : known;
  return `Copy into ${into} the few fields of ${foreign} that are read, beside the reference (extended reference). Each write to those fields must then update the copies too: ${worth}.`;
}
