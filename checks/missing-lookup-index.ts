import {
  type ClusterVerdict,
  defineClusterCheck,
  type Problem,
  type Severity,
  type ThresholdValues,
  type UnderstoodCode,
} from '../src/check.js';
import { meantNamespace, pipelineIn } from '../src/code/meant-namespace.js';
import { distinctLines, lineText, type SourceLine } from '../src/code/source-line.js';
import { stepsOf } from '../src/finding/remedy.js';
import { inWords, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { adviceOn } from '../src/judgement/advice/collection-advice.js';
import { proposalsFor } from '../src/judgement/advice/needed-index.js';
import { indexSteps } from '../src/judgement/indexes/index-steps.js';
import { type JoinCost, joinCosts } from '../src/judgement/joins/join-cost.js';
import { unusableIndexes } from '../src/judgement/joins/join-indexes.js';
import { cutAggregates, type JoinedCluster, type JoinedCollection } from '../src/judgement/joins/joined-cluster.js';
import {
  needsOfJoins,
  type UnindexableJoin,
  type UnindexedJoin,
  type UnservedJoin,
  unservedJoins,
} from '../src/judgement/joins/unserved-joins.js';
import { workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import {
  atJudgedSize,
  documentsHere,
  judgedAt,
  judgedAtText,
  type JudgedSize,
  tooSmallToTell,
} from '../src/judgement/judged-size.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { ERROR, ERROR_PER_DAY, SCAN_SIZE, WARNING } from '../src/judgement/queries/query-thresholds.js';
import { databaseOf, nameOf } from '../src/namespace.js';
import { joinSource } from '../src/workload/coverage/recording.js';
import { joinsOf } from '../src/workload/joins/joins-of.js';

/** Collections and lines that the message names; the finding has all. */
const NAMED = 3;

const thresholds = {
  documents: {
    ...SCAN_SIZE,
    description: 'documents of the foreign collection, for a warning; a smaller one is not judged',
  },
  error: ERROR,
} as const;

type Limits = ThresholdValues<typeof thresholds>;

/** A join that no index serves, of one field; with its line if only the source has it. */
type FoundJoin = Exclude<UnservedJoin, { readonly kind: 'unjudged' }> & { readonly line?: SourceLine };

/**
 * A join is a finding if no index of the foreign collection serves any of its keys. All joins by one foreign field are one
 * finding: recorded ones come before those of views, and these before those of the source alone. It is a warning from
 * `documents` foreign documents on, whatever it costs today: without the index, an execution reads the collection once at least.
 * What the server counts makes it an error. A smaller collection is an info if much is examined, and else too small to tell.
 */
export const missingLookupIndex = defineClusterCheck({
  id: 'missing-lookup-index',
  title: 'Missing index on a joined field',
  summary: 'a `$lookup` or `$graphLookup` whose foreign field no usable index serves',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  retiredThresholds: ['manyExamined', 'errorPerDay'],
  judge(cluster, limits) {
    const recorded = unservedJoins(cluster);
    const costOf = joinCosts(recorded, cluster);
    const known = new Set(recorded.map(fieldOf));
    const inSource = sourceJoins(cluster).filter((join) => !known.has(fieldOf(join)));
    const fields = groupedBy<string, FoundJoin>([...recorded.filter(isFound), ...inSource], fieldOf);
    return [
      ...workloadGaps(cluster.workload, 'operations and views'),
      ...cutAggregates(cluster),
      ...[...fields.values()].flatMap((joins) => verdictOn(joins, costOf(joins), cluster, limits)),
      ...unjudged(recorded),
    ];
  },
});

function fieldOf({ namespace, ...join }: UnservedJoin): string {
  return JSON.stringify([namespace, 'path' in join ? join.path : null]);
}

function verdictOn(
  joins: readonly FoundJoin[],
  cost: JoinCost,
  cluster: JoinedCluster,
  limits: Limits,
): ClusterVerdict[] {
  const [{ namespace, path }] = joins as [FoundJoin];
  const known = cluster.collections.get(namespace);
  const { size, servedInProductionBy: served, documentsExamined, executionsPerDay, ...figures } = cost;
  const storage = known?.storage;
  if (storage?.present === false) return [{ namespace, notJudged: storage.reason, detail: storage.detail }];
  if (known === undefined || storage === undefined || size === null) return [];
  const sources = [...new Set(joins.map(({ use }) => joinSource(use)))];
  const lines = distinctLines(joins.flatMap(({ line }) => line ?? []));
  const seenIn = `${cost.executions === null ? 'in the definition of' : 'from'} ${namesOf(sources, 'collection')}`;
  const what = whatJoins(joins, lines.length > 0 ? `at ${namesOf(lines.map(lineText), 'place')}` : seenIn);
  const areCut = joins.every(({ use }) => use.operation?.shape.truncated === true);
  const severity = severityFor(cost, size, limits);
  if (severity === null) return [{ namespace, ...tooSmallToTell(size, `${what}, without an index`) }];
  const { why, ...remedy } = whyAndRemedy(joins, known, cluster);
  const examined = documentsExamined === null ? null : Math.round(documentsExamined);
  return [
    {
      namespace,
      path,
      severity,
      // If only a view's definition or the source shows the join, nothing shows that it runs.
      confidence: cost.executions === null || areCut ? 'medium' : 'high',
      message: [
        `${what}. ${why}`,
        ...onlyIf(served !== null, `Production has the index ${served} for it.`),
        scanText(size, examined, executionsPerDay),
        ...onlyIf(lines.length > 0, 'No recording has seen this operation, so how often it runs is unknown.'),
      ].join(' '),
      restsOn: [cost.source],
      evidence: {
        ...(size.unit === 'bucket' ? { foreignBuckets: size.present } : { foreignDocuments: storage.value.count }),
        ...documentsHere(size),
        foreignSize: storage.value.size,
        ...figures,
        executionsPerDay: executionsPerDay === null ? null : Math.round(executionsPerDay),
        documentsExamined: examined,
        joinedFrom: sources,
      },
      ...judgedAt(size),
      ...(lines.length > 0
        ? { locations: lines.map(({ file, line }) => ({ file, line, of: 'join', certain: true })) }
        : { operations: joins.flatMap(({ use }) => use.operation ?? []) }),
      ...remedy,
    },
  ];
}

function namesOf(names: readonly string[], noun: string): string {
  return names.length > NAMED ? plural(names.length, noun) : inWords(names);
}

/** "`$lookup` from shop.orders joins shop.payments by `order`". */
function whatJoins(joins: readonly FoundJoin[], where: string): string {
  const [{ namespace, path }] = joins as [FoundJoin];
  const stages = [...new Set(joins.map(({ use }) => `\`${use.join.stage}\``))].join(' and ');
  return `${stages} ${where} joins ${namespace}${path === null ? '' : ` by \`${path}\``}`;
}

function scanText(size: JudgedSize, examined: number | null, executionsPerDay: number | null): string {
  const average = examined === null ? '' : `: ${plural(examined, size.unit)} examined per execution on average`;
  // What was recorded in a build says nothing of a day.
  const judged = judgedAtText(size, size.from === 'production' ? executionsPerDay : null);
  return `Each execution reads all ${plural(size.recorded, size.unit)}, once per outer document or once into a hash table${average}.${judged}`;
}

/** Null if the collection is too small to tell. */
function severityFor(
  { documentsExamined, executionsPerDay, servedInProductionBy }: JoinCost,
  size: JudgedSize,
  limits: Limits,
): Severity | null {
  if (size.documents < limits.documents) return (documentsExamined ?? 0) >= WARNING.default ? 'info' : null;
  // Without the index, an execution reads the collection once at least.
  const examined = servedInProductionBy === null ? atJudgedSize(documentsExamined ?? 0, size) : size.documents;
  const perDay = examined * (executionsPerDay ?? 0);
  return examined >= limits.error || perDay >= ERROR_PER_DAY ? 'error' : 'warning';
}

/** One entry per collection. */
function unjudged(joins: readonly UnservedJoin[]): ClusterVerdict[] {
  const unknown = joins.flatMap((join) => (join.kind === 'unjudged' ? [[join.namespace, join.absent] as const] : []));
  return [...new Map(unknown)].map(([namespace, { reason, detail }]) => ({ namespace, notJudged: reason, detail }));
}

const REASON = 'The joins then look up the few documents that they need.';

const REWRITTEN = 'Run mongolint again once the application uses the new join: it may then need an index.';

/** Why no index serves the joins of one field, and what to do: an index, a rewrite, or both. */
function whyAndRemedy(
  joins: readonly (UnindexedJoin | UnindexableJoin)[],
  known: JoinedCollection,
  cluster: JoinedCluster,
): Pick<Problem, 'remedy' | 'proposes' | 'proposesInPart'> & { why: string } {
  const unindexed = joins.filter((join) => join.kind === 'unindexed');
  const [first] = unindexed;
  const obstacle = joins.find((join) => join.kind === 'unindexable')?.obstacle;
  const rewritten = obstacle === undefined ? [] : stepsOf(obstacle.instead, REWRITTEN);
  if (first === undefined)
    return { why: `No index can serve this join: ${obstacle?.because}.`, remedy: { steps: rewritten } };
  const [near] = unusableIndexes(first.use, first.keys[0], cluster);
  const here =
    near === undefined
      ? 'No index there serves it.'
      : `The index ${near.index.name} does not serve it: ${near.because}.`;
  const why = obstacle === undefined ? here : `${here} No index can serve some of the joins: ${obstacle.because}.`;
  const others = obstacle === undefined ? [] : stepsOf('Rewrite the other joins, as follows.', ...rewritten);
  if (first.path === '_id')
    return { why, remedy: { steps: stepsOf('A second index on `_id` would serve it no better.', ...others) } };
  const advice = adviceOn(first.namespace, cluster);
  const indexes = needsOfJoins(unindexed, cluster).flatMap((need) => advice.indexesFor(need));
  const proposes = proposalsFor([...new Set(indexes)], known);
  return {
    why,
    remedy: { steps: [...indexSteps(proposes, REASON), ...others] },
    proposes,
    ...(others.length > 0 && { proposesInPart: true }),
  };
}

function isFound(join: UnservedJoin): join is FoundJoin {
  return join.kind !== 'unjudged';
}

/** The joins that the application's source makes and no index serves. */
function sourceJoins(cluster: JoinedCluster & { readonly code?: UnderstoodCode }): FoundJoin[] {
  const { viewsByNamespace: views } = cluster.workload;
  const places = (cluster.code?.places ?? []).filter(
    ({ role, unlisted }) => role === 'application' && unlisted !== 'wrapper',
  );
  return places.flatMap((place) => {
    const namespace = meantNamespace(place, cluster.collections.keys());
    return (place.shapes ?? []).flatMap(({ pipeline, joins: lines = [] }) => {
      if (namespace === null || pipeline === undefined) return [];
      const joins = joinsOf(pipelineIn(databaseOf(namespace), pipeline), { namespace, views });
      const uses = joins.map((join) => ({ join, operation: null, view: null }));
      return unservedJoins(cluster, uses).flatMap((join): FoundJoin[] => {
        const line = lines.find(({ from }) => from === nameOf(join.use.join.foreign.namespace));
        return isFound(join) && line !== undefined ? [{ ...join, line }] : [];
      });
    });
  });
}
