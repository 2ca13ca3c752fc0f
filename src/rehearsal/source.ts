import { BSON, type Document } from 'mongodb';
import pLimit from 'p-limit';
import type { Connection } from '../connect/connect.js';
import { errorName } from '../connect/server-error.js';
import type { KeptCollection } from '../evidence/source.js';
import { withExpectedSizes } from '../findings/expected-sizes.js';
import type { Collection } from '../inventory/collection.js';
import { takeInventory, type Inventory } from '../inventory/inventory.js';
import { namespaceFilter } from '../inventory/namespace-glob.js';
import { readStorage } from '../inventory/storage.js';
import { judgedSize } from '../judgement/judged-size.js';
import type { LintOptions } from '../lint/lint.js';
import { collectOptions } from '../lint/reading-options.js';
import { present } from '../presence.js';
import { DocumentProfiler } from '../profile/document-profiler.js';
import { fieldTypesOf } from '../profile/field-types.js';
import { readChosen } from '../profile/sampling/chosen-documents.js';
import { planSample } from '../profile/sampling/sample-plan.js';
import { collectReferences } from '../references/collect-references.js';
import { collectWorkload } from '../workload/collect-workload.js';
import { traceWorkload, type TracedOperation, type TracedWorkload } from '../workload/traced-workload.js';
import { joinedBy } from './commands.js';

/** The share of the looked-up values that must be found for a field to be a reference. Judgement. */
const REFERRING = 0.5;

/** Why an operation is not run whose collection is not linted. */
export const NOT_LINTED = 'its collection is not linted';

/** What is read of a collection: documents, which only the scratch server sees again, and its indexes. */
export interface SourceCollection {
  readonly collection: Collection;
  readonly documents: readonly Document[];
  /** As `listIndexes` has them, without the one of `_id`. */
  readonly indexes: readonly Document[];
  /** Documents that it has. */
  readonly count: number;
  /** At which it is judged. */
  readonly judged: number;
  readonly averageBytes: number;
  /** The types of its fields, and its sizes. */
  readonly known: KeptCollection;
}

/** A field that holds values of a field of another collection. */
export interface SourceLink {
  readonly from: { readonly namespace: string; readonly path: string };
  readonly to: { readonly namespace: string; readonly path: string };
}

/** What a rehearsal needs of the linted server. */
export interface Source {
  readonly workload: TracedWorkload;
  readonly collections: ReadonlyMap<string, SourceCollection>;
  /** Why a collection was not read, as half a sentence, by namespace. */
  readonly unread: ReadonlyMap<string, string>;
  readonly links: readonly SourceLink[];
}

/** Reads what was recorded, and of the collections that it reads the sample, the indexes, and what they refer to. */
export async function readSource(connection: Connection, options: LintOptions): Promise<Source> {
  const { reader, cluster } = connection;
  const { include = [], exclude = [], concurrency, logFiles } = collectOptions(options);
  const inventory = await takeInventory(reader, namespaceFilter({ include, exclude }), concurrency, cluster);
  const scope = { databases: inventory.databases, collections: inventory.known, logFiles };
  const workload = traceWorkload(await collectWorkload(reader, scope));
  const unread = new Map<string, string>();
  const read = new Map<string, SourceCollection>();
  const limit = pLimit(concurrency);
  const collections = readBy(workload.tracedOperations, inventory, unread);
  await Promise.all(
    collections.map((collection) =>
      limit(async () => {
        const of = await readCollection(connection, collection, options).catch((error: unknown) => errorName(error));
        if (typeof of === 'string') unread.set(collection.namespace, `its collection can't be read (${of})`);
        else if (of.documents.length === 0) unread.set(collection.namespace, 'its collection is empty');
        else read.set(collection.namespace, of);
      }),
    ),
  );
  const { references } = await collectReferences(
    reader,
    [...read.values()].map(({ known }) => known),
    concurrency,
  );
  const links = [
    ...workload.joinUses.flatMap(({ join }) => join.keys).flatMap(joinLink),
    ...references
      .filter(({ found, values, conversion }) => conversion === null && found >= REFERRING * values)
      .map(({ namespace, path, target }) => ({
        from: { namespace, path: path.replaceAll('[]', '') },
        to: { namespace: target, path: '_id' },
      })),
  ];
  return { workload, collections: read, unread, links: withoutChains(links) };
}

type JoinKey = TracedOperation['joins'][number]['keys'][number];

function joinLink({ operator, local, foreign }: JoinKey): SourceLink[] {
  const [from, to] = [local.origin, foreign.origin];
  if (operator !== '$eq' || !from.traced || !to.traced || from.conversion !== null || to.conversion !== null) return [];
  // A join that starts from the referenced side.
  return from.path === '_id' ? [{ from: to, to: from }] : [{ from, to }];
}

/** What is referred to refers to nothing by the same field: else values would be looked for in a circle. */
function withoutChains(links: readonly SourceLink[]): SourceLink[] {
  const kept = new Map<string, SourceLink>();
  const targets = new Set<string>();
  for (const link of links) {
    const [from, to] = [link.from, link.to].map(({ namespace, path }) => `${namespace} ${path}`) as [string, string];
    if (from === to || kept.has(from) || kept.has(to) || targets.has(from)) continue;
    kept.set(from, link);
    targets.add(to);
  }
  return [...kept.values()];
}

/** The collections that recorded operations read, and that can be built. */
function readBy(
  operations: readonly TracedOperation[],
  { collections }: Inventory,
  unread: Map<string, string>,
): Collection[] {
  const known = new Map(collections.map((collection) => [collection.namespace, collection]));
  const wanted = operations
    .filter(({ operation }) => operation.shape.kind !== 'insert')
    .flatMap(({ base, stages }) => [base, ...joinedBy(stages)]);
  return [...new Set(wanted)].flatMap((namespace) => {
    const collection = known.get(namespace);
    if (collection?.kind === 'collection') return [collection];
    unread.set(namespace, collection === undefined ? NOT_LINTED : `it is a ${collection.kind}`);
    return [];
  });
}

async function readCollection(
  { reader }: Connection,
  collection: Collection,
  options: LintOptions,
): Promise<SourceCollection> {
  const { bounds } = collectOptions(options);
  const { database, name, clustered } = collection;
  const storage = await readStorage(reader, collection);
  const known = storage.present ? storage.value : null;
  const count = known?.count ?? Number((await reader.command(database, { count: name }))['n']);
  const plan = planSample(known, count, bounds.sample, clustered);
  const profiler = new DocumentProfiler();
  const { method, documents } = await readChosen(reader, collection, plan, async (choice) => {
    const cursor = reader.aggregateRaw(database, name, choice.stages, { batchSize: plan.batchSize });
    const read: Document[] = [];
    try {
      while (await cursor.hasNext())
        for (const raw of cursor.readBufferedDocuments()) {
          profiler.add(raw);
          read.push(BSON.deserialize(raw, { promoteValues: false, bsonRegExp: true }));
        }
    } finally {
      await cursor.close();
    }
    return { method: choice.method, documents: read };
  });
  const sample = { method, complete: documents.length >= count, boundedBy: null, elapsed: 0 };
  const fieldTypes = fieldTypesOf({ sample, profile: profiler.profile() });
  const indexes = await reader.listIndexes(database, name);
  const sized = withExpectedSizes(options.expect ?? [])(collection);
  return {
    collection,
    documents,
    indexes: indexes.filter(({ key, clustered: isClustered }) => !isId(key) && isClustered !== true),
    count,
    judged: judgedSize(sized, count).documents,
    averageBytes: known?.averageDocumentSize ?? plan.documentBytes,
    known: { collection, evidence: { fieldTypes: present(fieldTypes), storage } },
  };
}

function isId(key: Document): boolean {
  return Object.keys(key).join() === '_id';
}
