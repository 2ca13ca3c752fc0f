import type { Join, NotTraced } from '../../src/workload/joins/join.js';

/** A join that searches by a field of what the one before it has joined. */
export interface ChainedJoin {
  readonly foreign: string;
  readonly path: string;
}

/** The longest chain of joins in a pipeline; empty if it makes none. Joins within a `$lookup` count as well. */
export function joinChain(joins: readonly Join[]): readonly ChainedJoin[] {
  const ending: { readonly join: Join; readonly chain: readonly ChainedJoin[] }[] = [];
  for (const join of joins) {
    const foreign = join.foreign.base;
    const path = firstPath(join);
    const chains = ending.flatMap(({ join: earlier, chain }) => {
      const joinedPath = pathFrom(earlier, join);
      return joinedPath === null ? [] : [[...chain, { foreign, path: joinedPath }]];
    });
    const chain = longest([...(path === null ? [] : [[{ foreign, path }]]), ...chains]);
    if (chain.length > 0) ending.push({ join, chain });
  }
  return longest(ending.map(({ chain }) => chain));
}

const MADE: ReadonlySet<NotTraced> = new Set(['computed', 'opaque-stage']);

function firstPath({ keys }: Join): string | null {
  const traced = keys.flatMap(({ operator, local: { origin } }) =>
    operator === '$eq' && origin.traced ? [origin.path] : [],
  );
  return traced[0] ?? null;
}

/** The field of what the earlier join has joined by which this one searches; null if it searches by another. */
function pathFrom(earlier: Join, { at, keys, source }: Join): string | null {
  const isWithin = levelOf(at) === `${earlier.at}.$lookup.`;
  if (!isWithin && (levelOf(at) !== levelOf(earlier.at) || source.base !== earlier.source.base)) return null;
  const inside = `${earlier.as}.`;
  for (const { operator, local } of keys) {
    const { origin, written } = local;
    if (operator !== '$eq') continue;
    const isNamed = !isWithin && earlier.as !== null && (written ?? '').startsWith(inside);
    // Made one document of the array by an expression, under the same name.
    if (!origin.traced && MADE.has(origin.because) && isNamed) return (written as string).slice(inside.length);
    if (!origin.traced || origin.namespace !== earlier.foreign.base) continue;
    // A collection that joins itself: the field may be of the outer document.
    if (isWithin || isNamed || earlier.foreign.base !== source.base) return origin.path;
  }
  return null;
}

/** The pipeline around a stage, as part of its path; that of a view is continued by the pipeline on it. */
function levelOf(at: string): string {
  return at.replace(/(?:view\.)?\d+$/, '');
}

function longest(chains: readonly (readonly ChainedJoin[])[]): readonly ChainedJoin[] {
  return chains.reduce((most, chain) => (chain.length > most.length ? chain : most), []);
}
