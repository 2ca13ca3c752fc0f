import {
  type ClusterVerdict,
  defineClusterCheck,
  type IndexProposal,
  type RemedyStep,
  type ThresholdValues,
} from '../src/check.js';
import { sameIndex } from '../src/evidence-file/production/joined-collection.js';
import { stepsOf } from '../src/finding/remedy.js';
import { plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import type { IndexDescription } from '../src/inventory/collection.js';
import { formatIndexKey, isIdIndex, isVisible } from '../src/inventory/index-key.js';
import { byIndex } from '../src/judgement/advice/query-suggestions.js';
import { proposeIndexes } from '../src/judgement/indexes/index-proposal.js';
import { indexSteps } from '../src/judgement/indexes/index-steps.js';
import type { JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import { documentsHere, judgedAt, judgedAtText, tooSmallToTell } from '../src/judgement/judged-size.js';
import { isEmpty } from '../src/judgement/queries/conditions.js';
import { withSimilar } from '../src/judgement/queries/judged-query.js';
import { plannedFigures, recordedQueries } from '../src/judgement/queries/query-cost.js';
import { sizeFor } from '../src/judgement/queries/query-size.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { ERROR, ERROR_PER_DAY, SCAN_SIZE } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { accessOf } from '../src/planner/access-of.js';
import { isRefused } from '../src/planner/access.js';
import { queryPath } from '../src/profile/path-steps.js';
import { windowOf } from '../src/workload/coverage/recording.js';
import { keyText } from '../src/workload/shapes/sort-shape.js';

const thresholds = {
  documents: {
    ...SCAN_SIZE,
    description: 'documents in production, for a warning; fewer are not judged',
  },
  error: ERROR,
} as const;

/**
 * An index of production is a finding if recorded queries of production use it, and this database neither has it nor another
 * that serves them. They would then scan the collection at its size in production: a warning, an error from a million documents
 * per execution or a day, and an info if an index here still narrows what they read.
 */
export const queryWithoutItsIndex = defineClusterCheck({
  id: 'query-without-its-index',
  title: 'Query of production without its index',
  summary: 'queries of production that an index serves there, and no index of this database',
  appliesWhere: 'production',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  retiredThresholds: ['errorPerDay'],
  judge: (cluster, limits) => [
    ...workloadGaps(cluster.workload),
    ...unknownIndexes(cluster),
    ...lostIndexes(cluster).flatMap((lost) => verdictOn(lost, cluster, limits)),
  ],
});

/** Queries of production that an index serves there, and no index here. */
interface LostIndex {
  readonly namespace: string;
  readonly index: IndexDescription;
  readonly queries: readonly [Query, ...Query[]];
  readonly here: readonly IndexDescription[];
  /** An index here that still finds the documents by some of their conditions. */
  readonly narrowedBy: IndexDescription | null;
}

function verdictOn(
  lost: LostIndex,
  cluster: JoinedCluster,
  { documents: least, error }: ThresholdValues<typeof thresholds>,
): ClusterVerdict[] {
  const { namespace, index, queries, here, narrowedBy } = lost;
  const [first] = queries;
  const size = sizeFor(first);
  const { storage } = first.known;
  if (!storage.present) return [{ namespace, notJudged: storage.reason, detail: storage.detail }];
  if (size === null) return [];
  const { documents } = size;
  if (documents < least)
    return [{ namespace, ...tooSmallToTell(size, `run there by ${index.name}: ${withSimilar(lost)}`) }];
  const recorded = recordedQueries(queries, cluster.workload);
  const perDay = recorded.executionsPerDay;
  const isError = documents >= error || documents * (perDay ?? 0) >= ERROR_PER_DAY;
  const isServedBy = (other: IndexDescription) => sameIndex(other, index);
  const isHidden = here.some((each) => each.hidden && isServedBy(each));
  const gone = fieldGoneHere(lost);
  const wanted = { key: index.key, collation: index.collation ?? null, name: index.name, isServedBy };
  const proposes = isHidden || isPlain(index) ? proposeIndexes([wanted], first.known) : [];
  const isCut = queries.every(({ operation }) => operation.shape.truncated === true);
  const isPlanned = queries.some(({ operation }) => plannedFigures(operation) !== null);
  const cost =
    narrowedBy === null
      ? `an execution then reads up to ${plural(documents, 'document')}`
      : `\`${narrowedBy.name}\` only narrows what is read`;
  return [
    {
      namespace,
      path: index.name,
      ...(!isHidden && { pathIs: 'missing-index' }),
      severity: narrowedBy !== null ? 'info' : isError ? 'error' : 'warning',
      confidence: isPlanned && !isCut ? 'high' : 'medium',
      message:
        `In production, \`${index.name}\` on ${formatIndexKey(index.key)} serves ${withSimilar(lost)} (${recorded.window}). ` +
        `${isHidden ? 'Here it is hidden' : 'It is missing here'}, and the other indexes do not serve them: ${cost}.` +
        `${gone?.text ?? ''}${judgedAtText(size, size.from === 'production' ? perDay : null)}`,
      restsOn: [recorded.source],
      evidence: {
        source: recorded.source,
        ...windowOf(recorded),
        executions: recorded.executions,
        executionsPerDay: perDay === null ? null : Math.round(perDay),
        collectionDocuments: size.recorded,
        ...documentsHere(size),
        key: { ...index.key },
        narrowedBy: narrowedBy?.name ?? null,
        fieldNotHere: gone?.path ?? null,
        fieldInItsPlace: gone?.renamedTo ?? null,
        queries: queries.map(queryText),
      },
      ...judgedAt(size),
      operations: queries.map(({ operation }) => operation),
      proposes: gone === null ? proposes : [],
      remedy: { steps: [...(gone?.steps ?? []), ...keepingSteps(lost, proposes)] },
    },
  ];
}

/** One entry a collection whose indexes are known on one side only. */
function unknownIndexes({ collections }: JoinedCluster): ClusterVerdict[] {
  return [...collections.values()].flatMap(({ collection: { namespace, production }, indexes }): ClusterVerdict[] => {
    const there = production?.present === true ? production.value?.indexes : production;
    const unknown = [there, indexes].find((each) => each?.present === false);
    return unknown?.present === false ? [{ namespace, notJudged: unknown.reason, detail: unknown.detail }] : [];
  });
}

interface GoneField {
  readonly path: string;
  /** The field that an index here has in its place, the rest of its key being the same; null if there is none. */
  readonly renamedTo: string | null;
  readonly text: string;
  readonly steps: readonly RemedyStep[];
}

/** The first field of an index that documents of production alone have; null if there is none, or it is not known. */
function fieldGoneHere({ index, here, queries: [{ known }] }: LostIndex): GoneField | null {
  const { production } = known.collection;
  const { onlyInProduction = [], onlyHere = [] } = (production?.present === true && production.value?.fields) || {};
  const gone = new Set(onlyInProduction.map(queryPath));
  const path = Object.keys(index.key).find((each) => gone.has(each));
  if (path === undefined) return null;
  const keysHere = new Set(here.map(({ key }) => formatIndexKey(key)));
  const keyWith = (other: string) =>
    Object.fromEntries(Object.entries(index.key).map(([field, kind]) => [field === path ? other : field, kind]));
  const renamedTo = onlyHere.map(queryPath).find((other) => keysHere.has(formatIndexKey(keyWith(other)))) ?? null;
  const instead = renamedTo === null ? '' : `, and an index here has \`${renamedTo}\` in its place`;
  const to = renamedTo === null ? 'its successor' : `\`${renamedTo}\``;
  return {
    path,
    renamedTo,
    text: ` No document here has \`${path}\`${instead}: production's documents and queries still do.`,
    steps: stepsOf(
      `Rename the field in steps: write \`${path}\` and ${to}, fill ${to} in the old documents, then change the queries. Until none asks by \`${path}\`, keep its index.`,
    ),
  };
}

const KEEP = 'Production has it, so nothing is built there. Drop it only once no query needs it.';

function keepingSteps({ namespace, index }: LostIndex, proposes: readonly IndexProposal[]): readonly RemedyStep[] {
  if (proposes.length > 0) return indexSteps(proposes, KEEP);
  return stepsOf(
    `Keep the index \`${index.name}\` on ${formatIndexKey(index.key)} of ${namespace}, with its options in production. ${KEEP}`,
  );
}

/** Its key and its collation are all that there is: the file does not hold the values of filters. */
function isPlain({ unique, sparse, partialFilterExpression, expireAfterSeconds, key }: IndexDescription): boolean {
  const isOrdered = Object.values(key).every((kind) => typeof kind === 'number');
  return !unique && !sparse && partialFilterExpression === undefined && expireAfterSeconds === undefined && isOrdered;
}

function lostIndexes(cluster: JoinedCluster): LostIndex[] {
  const lost = queriesOf(cluster).flatMap((query) => lostBy(query, cluster).map((index) => ({ query, index })));
  const groups = groupedBy(lost, ({ query, index }) => JSON.stringify([query.known.collection.namespace, index.name]));
  return [...groups.values()].flatMap(([first, ...others]): LostIndex[] => {
    if (first === undefined) return [];
    const queries = [first.query, ...others.map(({ query }) => query)] as const;
    const { here } = indexesOf(first.query);
    const narrowing = queries.map((query) => here.find((index) => narrows(index, query)) ?? null);
    const narrowedBy = narrowing.includes(null) ? null : (narrowing[0] ?? null);
    return [{ namespace: first.query.known.collection.namespace, index: first.index, queries, here, narrowedBy }];
  });
}

/**
 * The indexes that a query uses in production, if they are all missing here and the others do not serve it: those that its
 * plans name, or, if no plan was recorded, those that alone would serve it.
 */
function lostBy(query: Query, cluster: JoinedCluster): readonly IndexDescription[] {
  const { here, there } = indexesOf(query);
  const plans = Object.keys(plannedFigures(query.operation)?.figures.planSummaries ?? {});
  const isServedBy = (indexes: readonly IndexDescription[]) =>
    !query.conditions.special && byIndex(query, indexes, cluster) === 'served';
  const isUsed = (index: IndexDescription) =>
    plans.length > 0 ? plans.some((plan) => plan.includes(keyText(index.key))) : isServedBy([index]);
  if (query.operation.recordedHere === true || isServedBy(here)) return [];
  const used = there.filter((index) => !isIdIndex(index) && isUsed(index));
  return used.some((index) => here.some((each) => isVisible(each) && sameIndex(each, index))) ? [] : used;
}

function narrows(index: IndexDescription, { conditions, collection, planned }: Query): boolean {
  const access = accessOf(index, collection, planned);
  if (isRefused(access)) return false;
  const kinds = access.scans.map(({ bounds }) => bounds[0]?.kind ?? 'all');
  return isEmpty(conditions) || kinds.every((kind) => kind === 'points' || kind === 'range');
}

function indexesOf({ known }: Query): Readonly<Record<'here' | 'there', readonly IndexDescription[]>> {
  const { collection, indexes } = known;
  const there = collection.production?.present === true ? collection.production.value?.indexes : undefined;
  if (!indexes.present || there?.present !== true) return { here: [], there: [] };
  return { here: indexes.value, there: there.value };
}
