import {
  type ClusterVerdict,
  defineClusterCheck,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../../src/check.js';
import { plural } from '../../src/format.js';
import type { Collection, IndexDescription } from '../../src/inventory/collection.js';
import { formatIndexKey } from '../../src/inventory/index-key.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { documentsHere, judgedAt, judgedAtText, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { withSimilar } from '../../src/judgement/queries/judged-query.js';
import { recordedQueries } from '../../src/judgement/queries/query-cost.js';
import { sizeFor } from '../../src/judgement/queries/query-size.js';
import { queryText } from '../../src/judgement/queries/query-text.js';
import { ERROR, ERROR_PER_DAY, SCAN_SIZE } from '../../src/judgement/queries/query-thresholds.js';
import { queryPath } from '../../src/profile/path-steps.js';
import { windowOf } from '../../src/workload/coverage/join-telling.js';
import { type LostIndex, lostIndexes } from './lost-indexes.js';
import { lostIndexRemedy } from './remedy.js';

const thresholds = {
  documents: {
    ...SCAN_SIZE,
    description: 'documents in production from which a warning is given; below, it is too small to tell',
  },
  error: ERROR,
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const queryWithoutItsIndex = defineClusterCheck({
  id: 'query-without-its-index',
  title: 'Query of production without its index',
  summary: 'queries of production that an index serves there, and no index of this database',
  appliesWhere: 'production',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  retiredThresholds: ['errorPerDay'],
  judge(cluster, limits) {
    return [
      ...workloadGaps(cluster.workload),
      ...unknownIndexes(cluster),
      ...lostIndexes(cluster).flatMap((lost) => verdictOn(lost, cluster, limits)),
    ];
  },
});

function verdictOn(lost: LostIndex, cluster: JoinedCluster, limits: Limits): ClusterVerdict[] {
  const { namespace, index, queries, hiddenHere, narrowedBy, isPlanned } = lost;
  const [first] = queries;
  const size = sizeFor(first);
  const { storage } = first.known;
  if (!storage.present) return [{ namespace, notJudged: storage.reason, detail: storage.detail }];
  if (size === null) return [];
  if (size.documents < limits.documents)
    return [{ namespace, ...tooSmallToTell(size, `run there by ${index.name}: ${withSimilar(lost)}`) }];
  const recorded = recordedQueries(queries, cluster.workload);
  const gone = fieldGoneHere(index, indexesHere(lost), first.known.collection);
  const { steps, proposes } = lostIndexRemedy(index, hiddenHere, first.known);
  const isCut = queries.every(({ operation }) => operation.shape.truncated === true);
  return [
    {
      namespace,
      path: index.name,
      ...(hiddenHere === null && { pathIs: 'missing-index' }),
      severity: severityFor(lost, size.documents, recorded.executionsPerDay, limits),
      confidence: isPlanned && !isCut ? 'high' : 'medium',
      message:
        `In production, \`${index.name}\` on ${formatIndexKey(index.key)} serves ${withSimilar(lost)} (${recorded.window}). ` +
        `${hiddenHere === null ? 'It is missing here' : 'Here it is hidden'}, and the other indexes do not serve them: ${costText(lost, size.documents)}.` +
        `${goneText(gone)}${judgedAtText(size, size.from === 'production' ? recorded.executionsPerDay : null)}`,
      restsOn: [recorded.source],
      evidence: {
        source: recorded.source,
        ...windowOf(recorded),
        executions: recorded.executions,
        executionsPerDay: recorded.executionsPerDay === null ? null : Math.round(recorded.executionsPerDay),
        collectionDocuments: size.recorded,
        ...documentsHere(size),
        key: { ...index.key },
        narrowedBy: narrowedBy?.name ?? null,
        fieldNotHere: gone?.path ?? null,
        fieldInItsPlace: gone?.renamedTo ?? null,
        queries: queries.map(queryText),
      },
      ...judgedAt(size),
      proposes: gone === null ? proposes : [],
      remedy: { steps: [...renamingSteps(gone), ...steps] },
    },
  ];
}

/** Without the index, an execution examines all documents, unless another one narrows them. */
function severityFor(
  { narrowedBy }: LostIndex,
  documents: number,
  executionsPerDay: number | null,
  { error }: Limits,
): Severity {
  if (narrowedBy !== null) return 'info';
  return documents >= error || documents * (executionsPerDay ?? 0) >= ERROR_PER_DAY ? 'error' : 'warning';
}

function costText({ narrowedBy }: LostIndex, documents: number): string {
  return narrowedBy === null
    ? `an execution then reads up to ${plural(documents, 'document')}`
    : `\`${narrowedBy.name}\` only narrows what is read`;
}

function goneText(gone: ReturnType<typeof fieldGoneHere>): string {
  if (gone === null) return '';
  const instead = gone.renamedTo === null ? '' : `, and an index here has \`${gone.renamedTo}\` in its place`;
  return ` No document here has \`${gone.path}\`${instead}: production's documents and queries still do.`;
}

function renamingSteps(gone: ReturnType<typeof fieldGoneHere>): RemedyStep[] {
  if (gone === null) return [];
  const to = gone.renamedTo === null ? 'its successor' : `\`${gone.renamedTo}\``;
  return [
    {
      text: `Rename the field in steps: write \`${gone.path}\` and ${to}, fill ${to} in the old documents, then change the queries. Until none asks by \`${gone.path}\`, keep its index.`,
    },
  ];
}

function indexesHere({ queries: [{ known }] }: LostIndex) {
  return known.indexes.present ? known.indexes.value : [];
}

/** One entry a collection whose indexes are known on one side only. */
function unknownIndexes({ collections }: JoinedCluster): ClusterVerdict[] {
  return [...collections.values()].flatMap(({ collection: { namespace, production }, indexes }): ClusterVerdict[] => {
    const there = production?.present === true ? production.value?.indexes : production;
    const unknown = [there, indexes].find((each) => each?.present === false);
    return unknown?.present === false ? [{ namespace, notJudged: unknown.reason, detail: unknown.detail }] : [];
  });
}

/** A field of an index that documents of production have, and none here. */
interface RenamedField {
  readonly path: string;
  /** The field that stands in its place in an index here; null if there is none. */
  readonly renamedTo: string | null;
}

/** The first field of an index that documents of production alone have; null if there is none, or it is not known. */
function fieldGoneHere(
  index: IndexDescription,
  here: readonly IndexDescription[],
  { production }: Collection,
): RenamedField | null {
  const fields = production?.present === true ? (production.value?.fields ?? null) : null;
  if (fields === null) return null;
  const gone = new Set(fields.onlyInProduction.map(queryPath));
  const added = new Set(fields.onlyHere.map(queryPath));
  const path = Object.keys(index.key).find((each) => gone.has(each));
  if (path === undefined) return null;
  const replacing = here.flatMap(({ key }) => fieldInPlace(path, Object.entries(index.key), Object.entries(key)));
  return { path, renamedTo: replacing.find((each) => added.has(each)) ?? null };
}

type KeyFields = readonly (readonly [string, number | string])[];

/** The field that a key has in place of one of another key; nothing if they differ in more. */
function fieldInPlace(path: string, key: KeyFields, other: KeyFields): readonly string[] {
  const isAlike = key.length === other.length && key.every(([, kind], position) => other[position]?.[1] === kind);
  const differing = other.flatMap(([field], position) => (key[position]?.[0] === field ? [] : [{ field, position }]));
  const [first, ...others] = differing;
  const isInPlace = first !== undefined && others.length === 0 && key[first.position]?.[0] === path;
  return isAlike && isInPlace ? [first.field] : [];
}
