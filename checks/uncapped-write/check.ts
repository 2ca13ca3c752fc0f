import type { ClusterSubject, ClusterVerdict, UnderstoodCode } from '../../src/check.js';
import { isMeantBy, meantNamespace } from '../../src/code/meant-namespace.js';
import { distinctLines } from '../../src/code/source-line.js';
import { plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import type { JoinedCluster, JoinedCollection } from '../../src/judgement/joins/joined-cluster.js';
import { documentsHere, judgedAt, judgedSize, type JudgedSize } from '../../src/judgement/judged-size.js';
import { everyCondition } from '../../src/judgement/queries/conditions.js';
import { leftOutFields } from '../../src/judgement/queries/left-out-fields.js';
import { recordedQueries } from '../../src/judgement/queries/query-cost.js';
import { sizeFor } from '../../src/judgement/queries/query-size.js';
import { RETIRED_OF_OPERATIONS } from '../../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { defineWorstQueryCheck, type FoundQuery, textOf } from '../../src/judgement/queries/worst-query-check.js';
import { isObjectShape, fieldsOf } from '../../src/workload/shapes/shape.js';
import { DATA_NAME } from '../../src/workload/shapes/sort-shape.js';
import { addsText, cappingSteps, mayShorten, shortens, withoutPositions, type Written } from './writes.js';

/** A recorded write that adds to an array, or a key to an object, without an end. */
interface UncappedWrite extends FoundQuery, Written {
  /** Whether the source never caps the array, and a recorded read returns all of it. */
  readonly isReadWhole: boolean;
}

/**
 * A write that adds to an array, or a key made of data to an object, is a finding unless another write caps or empties it, or
 * enough documents are there for `unbounded-array` and `dynamic-field-names` to judge what it leads to.
 */
const recordedWrites = defineWorstQueryCheck({
  id: 'uncapped-write',
  title: 'Write without a cap',
  summary: 'writes that add elements to an array, or keys made of data, while few documents show how far that goes',
  lostByPseudonyms: 'keys that are data can no longer be recognized.',
  thresholds: {
    documents: {
      default: 100,
      unit: 'documents',
      description:
        'documents of the collection, or sampled ones with the array; from here on, unbounded-array and dynamic-field-names judge the data',
      source: 'judgement: the arrays of fewer documents are those of fixtures or of a rare kind, and say little',
    },
  },
  retiredThresholds: RETIRED_OF_OPERATIONS,
  find({ cluster, limits }) {
    const queries = queriesOf(cluster);
    const isRare = (query: Query, { path, adds }: Written) => {
      const { present = Infinity } = sizeFor(query) ?? {};
      return Math.min(present, adds === 'keys' ? Infinity : documentsWith(query, path)) < limits.documents;
    };
    return queries.flatMap((query): UncappedWrite[] => {
      const cost = recordedQueries([query], cluster.workload);
      const isKept = ({ path }: Written) =>
        !queries.some((other) => other.known === query.known && mayShorten(other.operation.shape, path));
      const isReadWhole = ({ path }: Written) =>
        cluster.code !== undefined &&
        !isCappedBySource(cluster, query.known.collection.namespace, path) &&
        queries.some((other) => other.known === query.known && readsWhole(other, path));
      return additionsOf(query)
        .filter((added) => isRare(query, added) && isKept(added))
        .map((added) => ({ query, cost, isReadWhole: isReadWhole(added), ...added }));
    });
  },
  path: ({ path }) => path,
  causedBy: ({ path }) => path,
  rank: ({ cost }) => cost.executions,
  severity: ({ adds, isReadWhole }) => (adds === 'keys' || isReadWhole ? 'warning' : 'info'),
  confidence: 'medium',
  message: (all) =>
    `${textOf(all)} (${all[0].cost.window}) ${addsText(all[0])}` +
    (all[0].isReadWhole && all[0].adds === 'elements' ? ' Recorded reads return all of it.' : ''),
  figures: ([{ adds }]) => ({ adds }),
  remedy: ({ path, adds, query: { known } }) => cappingSteps(known.collection.namespace, path, adds),
});

/** Writes of the source count if no recorded one is about the same. */
export const uncappedWrite: typeof recordedWrites = {
  ...recordedWrites,
  judge(cluster, limits) {
    const recorded = recordedWrites.judge(cluster, limits);
    return [...recorded, ...unrecordedWrites(cluster, recorded, limits.documents)];
  },
};

/** Whether a read returns an array of each document, however long it is. */
function readsWhole(query: Query, path: string): boolean {
  const [name = ''] = path.split(/[.[]/);
  return leftOutFields(query)?.every((each) => each !== path && each !== name) === true;
}

/** Sampled documents that have the array; infinite if none were sampled. */
function documentsWith({ known: { fieldTypes } }: Query, path: string): number {
  if (!fieldTypes.present) return Infinity;
  return fieldTypes.value.fields.find((field) => field.path === path || field.path === `${path}[]`)?.documents ?? 0;
}

function additionsOf({ operation: { shape }, conditions }: Query): Written[] {
  const { update } = shape;
  if (!isObjectShape(update) || shape.truncated === true) return [];
  const conditioned = everyCondition(conditions).map(({ path }) => path);
  const pushed = ['$push', '$addToSet'].flatMap((operator) =>
    fieldsOf(update[operator]).flatMap(([written, operand]): Written[] => {
      const path = withoutPositions(written);
      // A condition on a position of the array, or on its length, is a cap.
      const isCapped = conditioned.some((each) => /^\$|^$/.test(each) || each.startsWith(`${written}.`));
      return (isObjectShape(operand) && '$slice' in operand) || isCapped ? [] : [{ path, adds: 'elements' }];
    }),
  );
  const keyed = ['$set', '$inc', '$push', '$addToSet'].flatMap((operator) =>
    fieldsOf(update[operator]).flatMap(([written]): Written[] => {
      const names = written.split('.');
      const at = names.indexOf(DATA_NAME);
      return at < 1 ? [] : [{ path: withoutPositions(names.slice(0, at).join('.')), adds: 'keys' }];
    }),
  );
  return [...pushed.filter(({ path }) => !path.includes(DATA_NAME)), ...keyed];
}

type Cluster = ClusterSubject<'indexes' | 'storage' | 'fieldTypes', 'workload'>;

type Push = UnderstoodCode['pushes'][number];

const KEYS = `.${DATA_NAME}`;

/** Writes of the source, but for those about which `recorded` has a verdict. */
function unrecordedWrites(cluster: Cluster, recorded: readonly ClusterVerdict[], fewest: number) {
  const { code, collections } = cluster;
  if (code === undefined) return [];
  const found = code.pushes.flatMap((push) => {
    const namespace = push.role === 'application' ? meantNamespace(push, collections.keys()) : null;
    return namespace === null ? [] : [{ push, namespace, ...writtenBy(push) }];
  });
  const places = groupedBy(found, ({ namespace, path }) => JSON.stringify([namespace, path]));
  return [...places.values()].flatMap((all): ClusterVerdict[] => {
    const [{ namespace, path, adds }] = all as [(typeof all)[number]];
    const known = collections.get(namespace);
    const isSaid = recorded.some((one) => 'path' in one && one.namespace === namespace && one.path === path);
    const isCapped = all.some(({ push }) => push.isCapped) || isShortened(cluster, namespace, path);
    const count = known?.storage.present === true ? known.storage.value.count : null;
    if (known?.collection.kind !== 'collection' || count === null || isSaid || isCapped) return [];
    const size = judgedSize(known.collection, count);
    if (!isUnseen(known, { path, adds }, size, fewest)) return [];
    const lines = distinctLines(all.map(({ push }) => push));
    return [
      {
        namespace,
        path,
        causedBy: path,
        severity: 'info',
        confidence: 'low',
        message: `The source ${addsText({ path, adds })} No recording has seen it.`,
        evidence: {
          source: 'source code',
          window: plural(lines.length, 'place'),
          adds,
          collectionDocuments: size.present,
          ...documentsHere(size),
        },
        restsOn: ['source code'],
        locations: lines.map(({ file, line }) => ({ file, line, of: 'push', certain: true })),
        ...judgedAt(size),
        remedy: { steps: cappingSteps(namespace, path, adds) },
      },
    ];
  });
}

function writtenBy({ path }: Push): Written {
  const isKey = path.endsWith(KEYS);
  return { path: withoutPositions(isKey ? path.slice(0, -KEYS.length) : path), adds: isKey ? 'keys' : 'elements' };
}

function isCappedBySource(cluster: JoinedCluster, namespace: string, path: string): boolean {
  const capped = (cluster.code?.pushes ?? []).filter((push) => push.isCapped && writtenBy(push).path === path);
  return isMeantBy(namespace, capped) || isShortened(cluster, namespace, path);
}

/** Whether any write of the source or a recorded one empties, replaces or caps it. */
function isShortened(
  { code, collections, workload }: Pick<JoinedCluster, 'code' | 'collections' | 'workload'>,
  namespace: string,
  path: string,
): boolean {
  const places = (code?.places ?? []).filter((place) => meantNamespace(place, collections.keys()) === namespace);
  const written = places.flatMap(({ shapes }) => (shapes ?? []).flatMap(({ update }) => update ?? []));
  return (
    written.some((update) => update === 'replacement' || shortens(update.shape, path)) ||
    workload.operations.some(({ shape }) => shape.namespace === namespace && mayShorten(shape, path))
  );
}

/** Whether the data does not show how far it goes: too few documents are here, or none has the field yet. */
function isUnseen(
  { collection: { production }, fieldTypes }: JoinedCollection,
  { path, adds }: Written,
  { present }: JudgedSize,
  fewest: number,
): boolean {
  const types = fieldTypes.present ? fieldTypes.value.fields.find((field) => field.path === path)?.types : undefined;
  // In an array, the key is a position.
  if (!fieldTypes.present || (adds === 'keys' && types?.array !== undefined)) return false;
  const joined = production?.present === true ? production.value : null;
  const isNew = joined?.fields?.onlyHere.includes(path) ?? false;
  return types === undefined || isNew || (joined === null && present < fewest);
}
