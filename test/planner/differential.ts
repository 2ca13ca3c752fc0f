import { BSON, BSONRegExp, type Db, type Document } from 'mongodb';
import pLimit from 'p-limit';
import { describedIndex } from '../../src/evidence/indexes.js';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused, type PlannedCollection, type PlannedServer } from '../../src/planner/access.js';
import { predicateOf } from '../../src/planner/filter-predicate.js';
import * as fc from '../support/fast-check.js';
import { difference, DIFFERENCES, type Difference, type DifferenceKind, namesWinner } from './difference.js';
import { drawnDocuments, plannedCollection } from './drawn-documents.js';
import { type DrawnIndex, INDEX } from './drawn-index.js';
import { type DrawnQuery, queryOf } from './drawn-query.js';
import { findOptions, INDEX_NAME, type ServerAccess, serverAccess } from './server-access.js';

const QUERIES_PER_COLLECTION = 50;
const SHRUNK_AT_MOST = 150;
const CONCURRENTLY = 4;

const COLLECTION = fc.record({ seed: fc.nat(), count: fc.integer({ min: 100, max: 400 }), index: INDEX });

/** A collection with its index, on a server. */
interface Tried {
  readonly database: Db;
  readonly drawn: DrawnIndex;
  readonly index: IndexDescription;
  readonly collection: PlannedCollection;
  readonly server: PlannedServer;
}

/** Pairs of an index and a query that differ in the same way, with the smallest of them. */
export interface DifferenceGroup {
  readonly kind: DifferenceKind;
  count: number;
  readonly example: string;
}

export interface DifferentialReport {
  /** Compared pairs of an index and a query; less those that the server did not accept. */
  pairs: number;
  used: number;
  readonly differing: Record<DifferenceKind, number>;
  /** Where the server had several plans, and the model named one that lost. */
  losers: number;
  readonly groups: Map<string, DifferenceGroup>;
}

/** Draws collections, each with one index, and queries, and compares what the model says with what the server does. */
export async function differential(
  database: Db,
  { pairs, seed, version }: { readonly pairs: number; readonly seed: number; readonly version: string },
): Promise<DifferentialReport> {
  const differing = Object.fromEntries(DIFFERENCES.map((kind) => [kind, 0])) as DifferentialReport['differing'];
  const report: DifferentialReport = { pairs: 0, used: 0, differing, losers: 0, groups: new Map() };
  for (let at = 0; report.pairs < pairs; at += 1) {
    const own = seed + at;
    const tried = await setUp(database, own, { version });
    if (tried === null) continue;
    const limit = pLimit(CONCURRENTLY);
    const queries = fc.sample(queryOf(tried.drawn), {
      seed: own,
      numRuns: Math.min(QUERIES_PER_COLLECTION, pairs - report.pairs),
    });
    const compared = await Promise.all(queries.map((query) => limit(() => compare(tried, query))));
    for (const [position, comparison] of compared.entries()) {
      if (comparison !== null) await add(report, tried, comparison, { seed: own, path: String(position) });
    }
  }
  return report;
}

/** Null if the server cannot build the index over the documents. */
async function setUp(database: Db, seed: number, server: PlannedServer): Promise<Tried | null> {
  const [{ seed: documentSeed, count, index: drawn }] = fc.sample(COLLECTION, { seed, numRuns: 1 }) as [
    { seed: number; count: number; index: DrawnIndex },
  ];
  const documents = drawnDocuments(documentSeed, count);
  const collection = database.collection('drawn');
  await collection.drop();
  await collection.insertMany(documents as Document[]);
  try {
    await collection.createIndex(drawn.key, { ...drawn.options, name: INDEX_NAME });
  } catch {
    return null;
  }
  const listed = (await collection.listIndexes().toArray()).find(({ name }) => name === INDEX_NAME)!;
  const index = describedIndex('listIndexes', listed);
  // An array of a document that a partial index leaves out is none of its keys.
  const held = await collection.find(index.partialFilterExpression ?? {}).toArray();
  return { database, drawn, index, collection: plannedCollection(held), server };
}

interface Comparison {
  readonly query: DrawnQuery;
  readonly access: ReturnType<typeof accessOf>;
  readonly server: ServerAccess;
  readonly found: Difference | null;
}

/** Null if the server does not accept the query. */
async function compare({ database, index, collection, server }: Tried, query: DrawnQuery): Promise<Comparison | null> {
  const use = await serverAccess(database, 'drawn', query).catch(() => null);
  if (use === null) return null;
  const access = accessOf(index, collection, { ...query, filter: predicateOf(query.filter) }, server);
  return { query, access, server: use, found: difference(access, use) };
}

async function add(
  report: DifferentialReport,
  tried: Tried,
  { query, access, server, found }: Comparison,
  draw: { readonly seed: number; readonly path: string },
): Promise<void> {
  report.pairs += 1;
  if (server.plans.length > 0) report.used += 1;
  if (found === null) {
    if (!isRefused(access) && server.plans.length > 1 && !namesWinner(access, server)) report.losers += 1;
    return;
  }
  report.differing[found.kind] += 1;
  const signature = signatureOf(tried, query, found);
  const group = report.groups.get(signature);
  if (group !== undefined) group.count += 1;
  else {
    const example =
      report.groups.size < SHRUNK_AT_MOST ? await smallest(tried, { query, found }, draw) : { query, found };
    report.groups.set(signature, { kind: found.kind, count: 1, example: exampleText(tried, example) });
  }
}

interface Example {
  readonly query: DrawnQuery;
  readonly found: Difference;
}

/** The smallest query that fast-check finds on the same collection, with the same kind of difference. */
async function smallest(
  tried: Tried,
  drawn: Example,
  draw: { readonly seed: number; readonly path: string },
): Promise<Example> {
  let last = drawn;
  const agrees = async (query: DrawnQuery) => {
    const found = (await compare(tried, query))?.found;
    if (found?.kind !== drawn.found.kind) return true;
    last = { query, found };
    return false;
  };
  await fc.check(fc.asyncProperty(queryOf(tried.drawn), agrees), draw);
  return last;
}

function exampleText({ drawn }: Tried, { query, found }: Example): string {
  return `${textOf(drawn.key)} ${textOf(drawn.options)} ${textOf(findOptions(query))}\n    model:  ${found.model}\n    server: ${found.server}`;
}

function signatureOf({ drawn }: Tried, { filter, sort }: DrawnQuery, { kind, model }: Difference): string {
  const answer = kind === 'use' ? model.split(':')[0] : '';
  return [kind, drawn.kind, answer, [...operatorsOf(filter)].toSorted().join(' '), sort.length > 0 && 'sort']
    .filter(Boolean)
    .join(' | ');
}

/** Operators, and what is special of the values that they compare with. */
function operatorsOf(value: unknown): Set<string> {
  if (value === null) return new Set(['null']);
  if (value instanceof RegExp || value instanceof BSONRegExp) return new Set(['regex']);
  if (Array.isArray(value)) return new Set(value.flatMap((element) => [...operatorsOf(element)]));
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return new Set();
  return new Set(
    Object.entries(value).flatMap(([name, inner]) => [...(name.startsWith('$') ? [name] : []), ...operatorsOf(inner)]),
  );
}

const textOf = (value: unknown) =>
  BSON.EJSON.stringify(value as Document, (_, inner) => (inner instanceof RegExp ? String(inner) : inner), 0, {
    relaxed: true,
  });
