import {
  cutAggregates,
  formatCount,
  joinCosts,
  joinIndexRemedy,
  joinRewrite,
  joinSource,
  lowered,
  plural,
  scanOf,
  severityOf,
  spacedJson,
  unservedJoins,
  unusableIndexes,
  workloadGaps,
  type JoinCost,
  type JoinedCluster,
  type Scan,
  type UnindexableJoin,
  type UnindexedJoin,
  type UnjudgedJoin,
  type UnservedJoin,
} from '../src/helpers.js';
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

const NOTHING_KNOWN: Scan = { count: 0, unit: 'document' };

const thresholds = {
  documents: {
    default: 1_000,
    unit: 'documents',
    description:
      'size of the foreign collection, in documents, below which a scan is not reported (unless many documents are examined)',
    source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
  },
  warning: {
    default: 10_000,
    unit: 'documents',
    description:
      'documents examined per execution from which a warning is given; if unknown, documents of the foreign collection',
    source: 'judgement: some 10 ms of processor time per execution; up to this size, 6.0 can make a hash join',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which an error is given',
    source: 'judgement: at least a second of processor time per execution',
  },
  shareOfTime: {
    default: 0.1,
    unit: 'share',
    description: 'share of the time of all operations from which even a cheap join is a warning',
    source: 'judgement: a tenth of the work of the server',
  },
  perDay: {
    default: 24,
    unit: 'executions',
    description: 'executions per day below which the severity is one step lower',
    source: 'judgement: a nightly report may take a second',
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
  const scan = scanOf(cluster, namespace) ?? NOTHING_KNOWN;
  const severity = severityFor(cost, scan.count, limits);
  if (severity === null) return [];
  const { why, ...remedy } = whyAndRemedy(joins, cluster);
  return [
    {
      namespace,
      path,
      severity,
      confidence: confidenceIn(joins, cost),
      message: `${whatJoins(joins, cost)} ${namespace}${path === null ? '' : ` by \`${path}\``}. ${why} ${whatItCosts(cost, scan)}`,
      evidence: evidenceOf(namespace, joins, cost, scan, cluster),
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

function severityFor(
  { documentsExamined, executionsPerDay, shareOfTime }: JoinCost,
  documents: number,
  limits: Limits,
): Severity | null {
  const examined = documentsExamined ?? documents;
  const lines = {
    info: limits.documents,
    warning: limits.warning,
    error: documentsExamined === null ? Infinity : limits.error,
  };
  const bySize = severityOf(examined, lines);
  if (documents < limits.documents) return bySize === 'warning' || bySize === 'error' ? 'info' : null;
  const byTime = (shareOfTime ?? 0) >= limits.shareOfTime ? 'warning' : 'info';
  const severity = bySize === 'error' || bySize === 'warning' ? bySize : byTime;
  const isRare = executionsPerDay !== null && executionsPerDay < limits.perDay;
  return isRare ? (lowered(severity) ?? 'info') : severity;
}

/** If only a view's definition shows the join, nothing shows that the view is read. */
function confidenceIn(joins: JoinedField['joins'], { executions }: JoinCost): Confidence {
  const isCut = joins.every(({ use }) => use.operation?.shape.truncated === true);
  return executions === null || isCut ? 'medium' : 'high';
}

function whatJoins(joins: JoinedField['joins'], { executions }: JoinCost): string {
  const sources = [...new Set(joins.map(({ use }) => joinSource(use)))];
  const names = sources.length > NAMED ? `${formatCount(sources.length)} collections` : sources.join(' and ');
  const stages = [...new Set(joins.map(({ use }) => `\`${use.join.stage}\``))].join(' and ');
  if (executions === null)
    return `The ${sources.length === 1 ? 'view' : 'views'} ${names} ${sources.length === 1 ? 'joins' : 'join'}`;
  return `${stages} from ${names} joins`;
}

function whatItCosts({ executions, documentsExamined, isHashJoin }: JoinCost, { count, unit }: Scan): string {
  const all = `all ${plural(count, unit)}`;
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
  { count, unit }: Scan,
  { collections }: JoinedCluster,
): FindingEvidence {
  const storage = collections.get(namespace)?.storage;
  const figures = {
    ...(unit === 'bucket' ? { foreignBuckets: count } : { foreignDocuments: count }),
    foreignSize: storage?.present === true ? storage.value.size : null,
    executions: cost.executions,
    executionsPerDay: cost.executionsPerDay === null ? null : Math.round(cost.executionsPerDay),
    documentsExamined: cost.documentsExamined === null ? null : Math.round(cost.documentsExamined),
    averageMs: cost.averageMs,
    shareOfTime: cost.shareOfTime,
    strategy: cost.executions === null ? null : cost.isHashJoin ? 'hash join' : 'scan for each document',
    joinedFrom: [...new Set(joins.map(({ use }) => joinSource(use)))],
  };
  return { source: cost.source, window: cost.window, ...figures };
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
