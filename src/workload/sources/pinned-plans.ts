import type { Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause, skipReason } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import { absent, present, type Evidence } from '../../presence.js';
import { bestFigures } from '../operations/figures.js';
import { REJECTED, type PinnedPlans } from '../pinned-plans.js';
import { arrayOf } from '../shapes/placeholder.js';
import { hintText } from '../shapes/sort-shape.js';
import type { Operation } from '../workload.js';
import { readDocuments } from './raw-documents.js';

/** Collections whose index filters are read, a command each: those on which most was recorded. */
const MOST_FILTERED = 20;

/** The server keeps all query settings in one document. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Query settings (8.0) of the cluster, and index filters of one node: they are not kept when it restarts. The privilege to
 * read filters allows to set them as well, so `mongolint role` does not grant it: a user without it learns of none.
 */
export async function readPinnedPlans(
  reader: ClusterReader,
  collections: readonly Collection[],
  operations: readonly Operation[],
): Promise<Evidence<PinnedPlans>> {
  if (reader.capabilities.engine.name !== 'MongoDB')
    return absent('unsupported', 'reading query settings: only MongoDB has them.');
  try {
    const [settings, filters] = await Promise.all([
      querySettings(reader),
      indexFilters(reader, mostRecorded(collections, operations)),
    ]);
    return present({ indexes: [...settings.indexes, ...filters], rejected: settings.rejected });
  } catch (error) {
    return absentBecause(error, 'reading the query settings', 'querySettings on the cluster');
  }
}

/** Empty before 8.0, which has none. */
async function querySettings(reader: ClusterReader): Promise<PinnedPlans> {
  try {
    const stage = { $querySettings: { showDebugQueryShape: true } };
    const answers: Document[] = [];
    const end = await readDocuments(reader.aggregateDatabaseRaw('admin', [stage]), MOST_BYTES, (answer) => {
      if (answer !== null) answers.push(answer);
    });
    if (typeof end === 'object') throw end.error;
    return settingsIn(answers);
  } catch (error) {
    if (skipReason(error) === 'unsupported') return { indexes: [], rejected: [] };
    throw error;
  }
}

/** Source: MongoDB manual, "$querySettings". Hints are an array, or a document for one collection. */
export function settingsIn(answers: readonly Document[]): PinnedPlans {
  const indexes: PinnedPlans['indexes'][number][] = [];
  const rejected: PinnedPlans['rejected'][number][] = [];
  for (const { settings, debugQueryShape } of answers as readonly {
    settings?: Document;
    debugQueryShape?: Document;
  }[]) {
    const hints: unknown = settings?.['indexHints'] ?? [];
    for (const hint of (Array.isArray(hints) ? hints : [hints]) as Document[]) {
      const namespace = namespaceIn(hint['ns']);
      for (const index of arrayOf(hint['allowedIndexes'])) {
        const text = hintText(index);
        if (namespace !== null && text !== null) indexes.push({ namespace, hint: text, by: 'query settings' });
      }
    }
    const namespace = namespaceIn(debugQueryShape?.['cmdNs']);
    const command = REJECTED.find((name) => name === debugQueryShape?.['command']) ?? 'query';
    if (settings?.['reject'] === true && namespace !== null) rejected.push({ namespace, command });
  }
  return { indexes, rejected };
}

/** If the first is refused, the others are not asked for; else all at once, since over a network each round counts. */
async function indexFilters(
  reader: ClusterReader,
  [first, ...others]: readonly Collection[],
): Promise<PinnedPlans['indexes']> {
  const known = first === undefined ? null : await filtersOf(reader, first);
  if (known === null) return [];
  const further = await Promise.all(others.map((collection) => filtersOf(reader, collection)));
  return [known, ...further].flatMap((filters) => filters ?? []);
}

/** Null if the server refuses to tell. */
async function filtersOf(
  reader: ClusterReader,
  { database, name, namespace }: Collection,
): Promise<PinnedPlans['indexes'] | null> {
  try {
    return filtersIn(namespace, await reader.command(database, { planCacheListFilters: name }));
  } catch (error) {
    const reason = skipReason(error);
    if (reason === 'privilege' || reason === 'unsupported') return null;
    throw error;
  }
}

export function filtersIn(namespace: string, { filters }: Document): PinnedPlans['indexes'] {
  return (arrayOf(filters) as readonly Document[]).flatMap(({ indexes }) =>
    arrayOf(indexes).flatMap((index) => {
      const hint = hintText(index);
      return hint === null ? [] : [{ namespace, hint, by: 'an index filter' as const }];
    }),
  );
}

function mostRecorded(collections: readonly Collection[], operations: readonly Operation[]): readonly Collection[] {
  const executions = new Map<string, number>();
  for (const operation of operations) {
    const { namespace } = operation.shape;
    executions.set(namespace, (executions.get(namespace) ?? 0) + bestFigures(operation).figures.executions);
  }
  const of = ({ namespace }: Collection) => executions.get(namespace) ?? 0;
  return collections
    .filter((collection) => collection.kind === 'collection' && of(collection) > 0)
    .toSorted((one, other) => of(other) - of(one))
    .slice(0, MOST_FILTERED);
}

function namespaceIn(namespace: unknown): string | null {
  const { db, coll } = (namespace ?? {}) as { readonly db?: unknown; readonly coll?: unknown };
  return typeof db === 'string' && typeof coll === 'string' ? `${db}.${coll}` : null;
}
