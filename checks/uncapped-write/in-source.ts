import type { ClusterSubject, ClusterVerdict, UnderstoodCode } from '../../src/check.js';
import { meantNamespace } from '../../src/code/meant-namespace.js';
import { distinctLines } from '../../src/code/source-line.js';
import { plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import type { JoinedCollection } from '../../src/judgement/joins/joined-cluster.js';
import { documentsHere, judgedAt, judgedSize, type JudgedSize } from '../../src/judgement/judged-size.js';
import { DATA_NAME } from '../../src/workload/shapes/sort-shape.js';
import { addsText, cappingSteps, mayShorten, shortens, withoutPositions, type Written } from './writes.js';

type Cluster = ClusterSubject<'indexes' | 'storage' | 'fieldTypes', 'workload'>;
type Push = UnderstoodCode['pushes'][number];

const KEYS = `.${DATA_NAME}`;

/** Writes of the source, but for those about which `recorded` has a verdict. */
export function unrecordedWrites(cluster: Cluster, recorded: readonly ClusterVerdict[], fewest: number) {
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

/** Whether any write of the source or a recorded one empties, replaces or caps it. */
function isShortened({ code, collections, workload }: Cluster, namespace: string, path: string): boolean {
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
