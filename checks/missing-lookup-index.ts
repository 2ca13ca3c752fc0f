import { formatCount, plural } from '../src/format.js';
import { cutAggregates } from '../src/judgement/joins/cut-aggregates.js';
import { joinCosts, type JoinCost } from '../src/judgement/joins/join-cost.js';
import { joinIndexRemedy } from '../src/judgement/joins/join-index-remedy.js';
import { joinRewrite } from '../src/judgement/joins/join-rewrite.js';
import { judgedScan, type JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import {
  unservedJoins,
  type UnindexableJoin,
  type UnindexedJoin,
  type UnjudgedJoin,
  type UnservedJoin,
} from '../src/judgement/joins/unserved-joins.js';
import { unusableIndexes } from '../src/judgement/joins/usable-indexes.js';
import { workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import {
  atJudgedSize,
  documentsHere,
  judgedAt,
  judgedAtText,
  recordedHere,
  tooSmallToTell,
  type JudgedSize,
} from '../src/judgement/judged-size.js';
import { spacedJson } from '../src/judgement/spaced-json.js';
import { joinSource, windowOf } from '../src/workload/coverage/join-telling.js';
import {
  defineClusterCheck,
  type ClusterVerdict,
  type Confidence,
  type FindingEvidence,
  type Problem,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../src/check.js';

/** Collections that the message names; the evidence has all. */
const NAMED = 3;

const CHECK_AGAIN: RemedyStep = {
  text: 'Run mongolint again once the application uses the new join: it may then need an index.',
};

const thresholds = {
  documents: {
    default: 1_000,
    unit: 'documents',
    description:
      'size of the foreign collection, in documents, from which a warning is given; below, it is too small to tell',
    source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
  },
  manyExamined: {
    default: 10_000,
    unit: 'documents',
    description: 'documents examined per execution from which a smaller foreign collection gets an info',
    source: 'judgement: some 10 ms of processor time per execution',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which an error is given',
    source: 'judgement: at least a second of processor time per execution',
  },
  errorPerDay: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined a day, by all executions, from which an error is given',
    source: 'judgement: a join by an index examines a thousandth of them',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const missingLookupIndex = defineClusterCheck({
  id: 'missing-lookup-index',
  title: 'Missing index on a joined field',
  summary: 'a `$lookup` or `$graphLookup` whose foreign field no usable index serves',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(cluster, limits) {
    const all = unservedJoins(cluster);
    const costOf = joinCosts(all, cluster);
    return [
      ...workloadGaps(cluster.workload, 'operations and views'),
      ...cutAggregates(cluster),
      ...joinedFields(all).flatMap((field) => verdictOn(field, costOf(field.joins), cluster, limits)),
      ...unjudged(all),
    ];
  },
});

/** The joins of one foreign field, in whichever pipelines and sources. */
interface JoinedField {
  readonly namespace: string;
  readonly path: string | null;
  readonly joins: readonly (UnindexedJoin | UnindexableJoin)[];
}

function joinedFields(joins: readonly UnservedJoin[]): JoinedField[] {
  const fields = new Map<
    string,
    { namespace: string; path: string | null; joins: (UnindexedJoin | UnindexableJoin)[] }
  >();
  for (const join of joins) {
    if (join.kind === 'unjudged') continue;
    const { namespace, path } = join;
    const name = JSON.stringify([namespace, path]);
    const field = fields.get(name) ?? { namespace, path, joins: [] };
    field.joins.push(join);
    fields.set(name, field);
  }
  return [...fields.values()];
}

function verdictOn(
  { namespace, path, joins }: JoinedField,
  cost: JoinCost,
  cluster: JoinedCluster,
  limits: Limits,
): ClusterVerdict[] {
  const storage = cluster.collections.get(namespace)?.storage;
  if (storage?.present === false) return [{ namespace, notJudged: storage.reason, detail: storage.detail }];
  const scan = judgedScan(cluster, namespace);
  if (scan === null) return [];
  const size = cost.recordedHere === true ? recordedHere(scan) : scan;
  const severity = severityFor(cost, size, limits);
  if (severity === null) return [{ namespace, ...tooSmallToTell(size, whatIsJoined(joins, path)) }];
  const { why, ...remedy } = whyAndRemedy(joins, cluster);
  return [
    {
      namespace,
      path,
      severity,
      confidence: confidenceIn(joins, cost),
      message: `${whatJoins(joins, cost)} ${namespace}${path === null ? '' : ` by \`${path}\``}. ${why} ${inProduction(cost)}${whatItCosts(cost, size)}${judgedAtText(size, perDayInProduction(cost, size))}`,
      evidence: evidenceOf(namespace, joins, cost, size, cluster),
      ...judgedAt(size),
      operations: joins.flatMap(({ use }) => use.operation ?? []),
      ...remedy,
    },
  ];
}

function whyAndRemedy(
  joins: JoinedField['joins'],
  cluster: JoinedCluster,
): Pick<Problem, 'remedy' | 'proposes'> & { why: string } {
  const [unindexed, ...furtherUnindexed] = joins.filter((join): join is UnindexedJoin => join.kind === 'unindexed');
  const unindexable = joins.find((join): join is UnindexableJoin => join.kind === 'unindexable');
  const rewriting = unindexable === undefined ? null : joinRewrite(unindexable, cluster);
  const rewritten = rewriting === null ? [] : [rewriting.step, CHECK_AGAIN];
  if (unindexed === undefined)
    return { why: `No index can serve this join: ${rewriting?.because}.`, remedy: { steps: rewritten } };
  const byIndex = joinIndexRemedy([unindexed, ...furtherUnindexed], cluster);
  const [near] = unusableIndexes(unindexed.use, unindexed.keys[0], cluster);
  const why =
    near === undefined
      ? 'No index there serves it.'
      : `The index ${near.index.name} does not serve it: ${near.because}.`;
  if (rewriting === null) return { why, ...byIndex };
  return {
    why: `${why} No index can serve some of the joins: ${rewriting.because}.`,
    remedy: {
      steps: [
        ...byIndex.remedy.steps.map(withoutCommand),
        { text: 'Rewrite the other joins, as follows.' },
        ...rewritten,
      ],
    },
  };
}

/** As code: an index alone does not make the finding go away if some of the joins have to be rewritten. */
function withoutCommand({ text, command, code }: RemedyStep): RemedyStep {
  const shown =
    command === undefined
      ? code
      : `db.getSiblingDB(${JSON.stringify(command.db)}).runCommand(${spacedJson(command.command)})`;
  return { text, ...(shown !== undefined && { code: shown }) };
}

/** Null if the collection is too small to tell. */
function severityFor(
  { documentsExamined, executionsPerDay, servedInProductionBy }: JoinCost,
  size: JudgedSize,
  limits: Limits,
): Severity | null {
  if (size.documents < limits.documents) return (documentsExamined ?? 0) >= limits.manyExamined ? 'info' : null;
  // Without the index, an execution reads the collection once at least.
  const examined = servedInProductionBy === undefined ? atJudgedSize(documentsExamined ?? 0, size) : size.documents;
  const perDay = examined * (executionsPerDay ?? 0);
  return examined >= limits.error || perDay >= limits.errorPerDay ? 'error' : 'warning';
}

/** If only a view's definition shows the join, nothing shows that the view is read. */
function confidenceIn(joins: JoinedField['joins'], { executions }: JoinCost): Confidence {
  const isCut = joins.every(({ use }) => use.operation?.shape.truncated === true);
  return executions === null || isCut ? 'medium' : 'high';
}

function sourcesOf(joins: JoinedField['joins']): string[] {
  return [...new Set(joins.map(({ use }) => joinSource(use)))];
}

function namesOf(sources: readonly string[]): string {
  return sources.length > NAMED ? `${formatCount(sources.length)} collections` : sources.join(' and ');
}

function whatJoins(joins: JoinedField['joins'], { executions }: JoinCost): string {
  const sources = sourcesOf(joins);
  const names = namesOf(sources);
  const stages = [...new Set(joins.map(({ use }) => `\`${use.join.stage}\``))].join(' and ');
  if (executions === null)
    return `The ${sources.length === 1 ? 'view' : 'views'} ${names} ${sources.length === 1 ? 'joins' : 'join'}`;
  return `${stages} from ${names} joins`;
}

function whatIsJoined(joins: JoinedField['joins'], path: string | null): string {
  return `joined from ${namesOf(sourcesOf(joins))}${path === null ? '' : ` by \`${path}\``}, without an index`;
}

function inProduction({ servedInProductionBy: [name] = [] }: JoinCost): string {
  return name === undefined ? '' : `Production has the index ${name} for it. `;
}

/** What was recorded in a build says nothing of a day. */
function perDayInProduction({ executionsPerDay }: JoinCost, { from }: JudgedSize): number | null {
  return from === 'production' ? executionsPerDay : null;
}

function whatItCosts({ executions, documentsExamined, isHashJoin }: JoinCost, { recorded, unit }: JudgedSize): string {
  const all = `all ${plural(recorded, unit)}`;
  if (executions === null) return `A read of the view reads ${all} for each outer document.`;
  const read = isHashJoin
    ? `Each execution reads ${all} into a hash table`
    : `The server reads ${all} for each outer document`;
  const examined =
    documentsExamined === null
      ? ''
      : `: an execution examined ${plural(Math.round(documentsExamined), unit)} on average`;
  return `${read}${examined}.`;
}

function evidenceOf(
  namespace: string,
  joins: JoinedField['joins'],
  cost: JoinCost,
  size: JudgedSize,
  { collections }: JoinedCluster,
): FindingEvidence {
  const { present, unit } = size;
  const storage = collections.get(namespace)?.storage;
  const stored = storage?.present === true ? storage.value : null;
  const figures = {
    ...(unit === 'bucket' ? { foreignBuckets: present } : { foreignDocuments: stored?.count ?? present }),
    ...documentsHere(size),
    foreignSize: stored?.size ?? null,
    executions: cost.executions,
    executionsPerDay: cost.executionsPerDay === null ? null : Math.round(cost.executionsPerDay),
    documentsExamined: cost.documentsExamined === null ? null : Math.round(cost.documentsExamined),
    averageMs: cost.averageMs,
    shareOfTime: cost.shareOfTime,
    strategy: cost.executions === null ? null : cost.isHashJoin ? 'hash join' : 'scan for each document',
    joinedFrom: sourcesOf(joins),
  };
  return { source: cost.source, ...windowOf(cost), ...figures };
}

/** One entry per collection with joins whose foreign field could not be traced to a stored one. */
function unjudged(joins: readonly UnservedJoin[]): ClusterVerdict[] {
  const byNamespace = new Map<string, UnjudgedJoin[]>();
  for (const join of joins) {
    if (join.kind === 'unjudged') byNamespace.set(join.namespace, [...(byNamespace.get(join.namespace) ?? []), join]);
  }
  return [...byNamespace].map(([namespace, [first]]) => ({
    namespace,
    notJudged: first?.absent?.reason ?? 'insufficient',
    detail: first?.absent?.detail ?? `joins of ${namespace} compare with ${untraced(first)}.`,
  }));
}

function untraced(join: UnjudgedJoin | undefined): string {
  const isNamedByData = join?.use.join.keys.some(
    ({ index }) => index.possible === null && index.because === 'name-is-data',
  );
  return isNamedByData === true
    ? 'a field whose name looks like data, such as a person or a number, and is therefore not kept'
    : 'fields that could not be traced to stored ones';
}
