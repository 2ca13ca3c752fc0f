import type { ClusterSubject, ClusterVerdict, UnderstoodCode } from '../../src/check.js';
import { meantNamespace } from '../../src/code/meant-namespace.js';
import { distinctLines } from '../../src/code/source-line.js';
import { plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import type { JoinedCollection } from '../../src/judgement/joins/joined-cluster.js';
import { documentsHere, judgedAt, judgedSize, type JudgedSize } from '../../src/judgement/judged-size.js';
import { DATA_NAME } from '../../src/workload/shapes/sort-shape.js';
import { cappingSteps, mayShorten, shortens, withoutPositions, type Written } from './writes.js';

type Cluster = ClusterSubject<'indexes' | 'storage' | 'fieldTypes', 'workload'>;
type Push = UnderstoodCode['pushes'][number];

const KEYS = `.${DATA_NAME}`;

/**
 * Writes of the source that add without an end to what the data does not show yet: in a collection of a few documents, or at
 * a path that no document has.
 *
 * @param recorded what is said of recorded writes
 */
export function unrecordedWrites(
  cluster: Cluster,
  recorded: readonly ClusterVerdict[],
  fewest: number,
): ClusterVerdict[] {
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
    const size = known === undefined ? null : sizeOf(known);
    if (known === undefined || size === null || isSaid || isCapped) return [];
    const unseen = whyUnseen(known, { path, adds }, size, fewest);
    if (unseen === null) return [];
    const pushes = all.map(({ push }) => push);
    return [verdictOn({ namespace, path, adds }, pushes, unseen, size)];
  });
}

function writtenBy({ path }: Push): Written {
  const isKey = path.endsWith(KEYS);
  return { path: withoutPositions(isKey ? path.slice(0, -KEYS.length) : path), adds: isKey ? 'keys' : 'elements' };
}

function sizeOf({ collection, storage }: JoinedCollection): JudgedSize | null {
  const count = storage.present ? storage.value.count : null;
  return count === null || collection.kind !== 'collection' ? null : judgedSize(collection, count);
}

/** Whether any write of the source or a recorded one empties, replaces or caps it. */
function isShortened({ code, collections, workload }: Cluster, namespace: string, path: string): boolean {
  const written = (code?.places ?? []).flatMap((place) =>
    meantNamespace(place, collections.keys()) === namespace ? (place.shapes ?? []).map(({ update }) => update) : [],
  );
  return (
    written.some((update) => update === 'replacement' || (update !== undefined && shortens(update.shape, path))) ||
    workload.operations.some(({ shape }) => shape.namespace === namespace && mayShorten(shape, path))
  );
}

/** Why the data does not tell how far it goes, for a message; null if it does, or if it is not known. */
function whyUnseen(
  { collection: { production }, fieldTypes }: JoinedCollection,
  { path, adds }: Written,
  { present }: JudgedSize,
  fewest: number,
): string | null {
  if (!fieldTypes.present) return null;
  const joined = production?.present === true ? production.value : null;
  // A field that no document of production has.
  const isNew = joined?.fields?.onlyHere.includes(path) ?? false;
  const types = fieldTypes.value.fields.find((field) => field.path === path)?.types ?? null;
  // Of an array, the key is a position.
  if (adds === 'keys' && types?.array !== undefined) return null;
  if (types !== null && !isNew && (joined !== null || present >= fewest)) return null;
  if (joined === null && present < fewest) return 'Too few documents are here to tell how far that goes.';
  return `No sampled document${joined === null ? '' : ' of production'} has it yet, so how far that goes is not known.`;
}

function verdictOn(
  { namespace, path, adds }: Written & { readonly namespace: string },
  pushes: readonly Push[],
  unseen: string,
  size: JudgedSize,
): ClusterVerdict {
  const lines = distinctLines(pushes);
  const what =
    adds === 'keys'
      ? `The source writes keys below \`${path}\` that are only known when it runs: the document gets one for each value, and no index can hold them.`
      : `The source adds to \`${path}\`, and nothing in it caps or empties it.`;
  return {
    namespace,
    path,
    causedBy: path,
    severity: 'info',
    confidence: 'low',
    message: `${what} ${unseen} No recording has seen this operation.`,
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
  };
}
