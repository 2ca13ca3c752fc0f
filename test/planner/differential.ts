import { BSON, BSONRegExp, type Db, type Document } from 'mongodb';
import pLimit from 'p-limit';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused } from '../../src/planner/access.js';
import { predicateOf } from '../../src/planner/filter-predicate.js';
import * as fc from '../support/fast-check.js';
import { difference, DIFFERENCES, type Difference, type DifferenceKind, namesWinner } from './difference.js';
import { type DrawnQuery, queryOf } from './drawn-query.js';
import { type ComparedReads, comparedReads, ReadsReport } from './estimates.js';
import { findOptions, type ServerAccess, serverAccess } from './server-access.js';
import { setUp, type Tried } from './tried.js';

const QUERIES_PER_COLLECTION = 50;
const SHRUNK_AT_MOST = 150;
const CONCURRENTLY = 4;

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
  readonly reads: ReadsReport;
}

/** Draws collections, each with one index, and queries, and compares what the model says with what the server does. */
export async function differential(
  database: Db,
  { pairs, seed, version }: { readonly pairs: number; readonly seed: number; readonly version: string },
): Promise<DifferentialReport> {
  const differing = Object.fromEntries(DIFFERENCES.map((kind) => [kind, 0])) as DifferentialReport['differing'];
  const report: DifferentialReport = {
    pairs: 0,
    used: 0,
    differing,
    losers: 0,
    groups: new Map(),
    reads: new ReadsReport(),
  };
  for (let at = 0; report.pairs < pairs; at += 1) {
    const own = seed + at;
    const tried = await setUp(database, own, { version });
    if (tried === null) continue;
    const limit = pLimit(CONCURRENTLY);
    const queries = fc.sample(queryOf(tried.drawn), {
      seed: own,
      numRuns: Math.min(QUERIES_PER_COLLECTION, pairs - report.pairs),
    });
    const compared = await Promise.all(
      queries.map((query, position) =>
        limit(() => compareReads(tried, query, QUERIES_PER_COLLECTION * own + position)),
      ),
    );
    for (const [position, comparison] of compared.entries()) {
      if (comparison !== null) await add(report, tried, comparison, { seed: own, path: String(position) });
    }
  }
  return report;
}

interface Comparison {
  readonly query: DrawnQuery;
  readonly access: ReturnType<typeof accessOf>;
  readonly server: ServerAccess;
  readonly found: Difference | null;
  /** What it reads; null if the model and the server differ, or if the index is not used. */
  readonly reads: ComparedReads | null;
}

/** Null if the server does not accept the query. */
async function compare({ database, index, collection, server }: Tried, query: DrawnQuery): Promise<Comparison | null> {
  const use = await serverAccess(database, 'drawn', query).catch(() => null);
  if (use === null) return null;
  const access = accessOf(index, collection, { ...query, filter: predicateOf(query.filter) }, server);
  return { query, access, server: use, found: difference(access, use), reads: null };
}

/** The same, with what it reads. */
async function compareReads(tried: Tried, query: DrawnQuery, seed: number): Promise<Comparison | null> {
  const comparison = await compare(tried, query);
  if (comparison === null || comparison.found !== null || isRefused(comparison.access)) return comparison;
  return { ...comparison, reads: await comparedReads(tried, query, seed) };
}

async function add(
  report: DifferentialReport,
  tried: Tried,
  { query, access, server, found, reads }: Comparison,
  draw: { readonly seed: number; readonly path: string },
): Promise<void> {
  report.pairs += 1;
  if (server.plans.length > 0) report.used += 1;
  if (reads !== null)
    report.reads.add(reads, `${textOf(tried.drawn.key)} ${textOf(tried.drawn.options)} ${textOf(findOptions(query))}`);
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
