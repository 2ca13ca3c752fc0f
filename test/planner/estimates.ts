import { SeededRandom } from '../../src/demo/seeded-random.js';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused } from '../../src/planner/access.js';
import { predicateOf } from '../../src/planner/filter-predicate.js';
import type { Share } from '../../src/planner/held-values.js';
import { type Reads, readsOf } from '../../src/planner/reads.js';
import { askingForHeld } from './asked-values.js';
import { namesWinner } from './difference.js';
import type { DrawnQuery } from './drawn-query.js';
import { type ServerAccess, serverAccess } from './server-access.js';
import type { Tried } from './tried.js';

/** Executions of a query, each with values of another document: an estimate is a mean over them. */
export const EXECUTIONS = 8;
/** By this factor an estimate may be off. */
export const FACTOR = 2;
/** Or by so many documents or keys, on average: of collections of 100 to 400 documents, some values have fewer. */
export const FEW = 3;

export const FIGURES = ['documents', 'keys'] as const;
export type Figure = (typeof FIGURES)[number];

/** What the model estimates and the server counted, a mean of several executions. */
export interface ComparedFigure {
  readonly estimate: number;
  readonly counted: number;
  readonly isNear: boolean;
}

/** Null for what the sample does not tell. */
export type ComparedReads = Readonly<Record<Figure, ComparedFigure | null>>;

/** Share of the stated estimates that have to be near. */
export const ESTIMATES_NEAR = 0.95;
const EXAMPLES = 10;

/** How near estimates are to what the server counted. */
export class ReadsReport {
  /** Queries that read by the plan that the model names. */
  compared = 0;
  readonly figures: Readonly<Record<Figure, { stated: number; near: number }>> = {
    documents: { stated: 0, near: 0 },
    keys: { stated: 0, near: 0 },
  };
  /** Some that are not near. */
  readonly far: string[] = [];

  add(reads: ComparedReads, query: string): void {
    this.compared += 1;
    for (const figure of FIGURES) {
      const compared = reads[figure];
      if (compared === null) continue;
      this.figures[figure].stated += 1;
      if (compared.isNear) this.figures[figure].near += 1;
      else if (this.far.length < EXAMPLES)
        this.far.push(`${compared.counted} ${figure}, estimated ${compared.estimate.toFixed(1)}: ${query}`);
    }
  }

  /** The share of the stated estimates that are near. */
  near(figure: Figure): number {
    return this.figures[figure].near / Math.max(1, this.figures[figure].stated);
  }
}

/** Compares what the model says that a query reads with what the server reads; null if it mostly reads by another plan. */
export async function comparedReads(tried: Tried, query: DrawnQuery, seed: number): Promise<ComparedReads | null> {
  const random = new SeededRandom(seed);
  const executions: { readonly reads: Reads; readonly server: ServerAccess }[] = [];
  for (let at = 0; at < EXECUTIONS; at += 1) {
    const asked = { ...query, filter: askingForHeld(query.filter, tried.documents, random) };
    // Some values are not accepted: there is no sort by two arrays side by side.
    const server = await serverAccess(tried.database, 'drawn', asked).catch(() => null);
    const reads = server === null ? null : readsBy(tried, asked, server);
    if (server !== null && reads !== null) executions.push({ reads, server });
  }
  if (executions.length <= EXECUTIONS / 2) return null;
  return {
    documents: comparedFigure(executions.map(({ reads, server }) => [reads.documents, server.documentsExamined])),
    keys: comparedFigure(executions.map(({ reads, server }) => [reads.keys, server.keysExamined])),
  };
}

/** Null if the server does not do what the model says, whose estimate is of something else. */
function readsBy(
  { index, collection, fieldTypes, documents, server }: Tried,
  { filter, sort, skip, limit, returns, collation }: DrawnQuery,
  plans: ServerAccess,
): Reads | null {
  const query = { filter: predicateOf(filter), sort, returns, collation };
  const access = accessOf(index, collection, query, server);
  const isEmpty = plans.plans[0]?.scans.some((scan) => Object.values(scan).includes('empty'));
  if (isRefused(access) || isEmpty === true || !namesWinner(access, plans)) return null;
  const wanted = limit === 0 ? null : skip + limit;
  return readsOf(access, { query, fieldTypes, documents: documents.length, listed: null, wanted });
}

function comparedFigure(executions: readonly (readonly [Share | null, number])[]): ComparedFigure | null {
  const estimates = executions.flatMap(([stated]) => (stated === null ? [] : [stated.estimate]));
  if (estimates.length < executions.length) return null;
  const [estimate, counted] = [mean(estimates), mean(executions.map(([, each]) => each))];
  const isNear = Math.abs(estimate - counted) <= FEW || (estimate <= FACTOR * counted && counted <= FACTOR * estimate);
  return { estimate, counted, isNear };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
