import type { UnderstoodCode } from '../../src/check.js';
import { meantNamespace } from '../../src/code/meant-namespace.js';
import type { SourceLine } from '../../src/code/source-line.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { type UnservedJoin, unservedJoins } from '../../src/judgement/joins/unserved-joins.js';
import { databaseOf, nameOf } from '../../src/namespace.js';
import { joinsOf } from '../../src/workload/joins/joins-of.js';
import type { PipelineShape } from '../../src/workload/shapes/shape.js';

/** A join that no index serves, of one field; with its line if only the source has it. */
export type FoundJoin = Exclude<UnservedJoin, { readonly kind: 'unjudged' }> & { readonly line?: SourceLine };

export function isFound(join: UnservedJoin): join is FoundJoin {
  return join.kind !== 'unjudged';
}

/** The joins that the application's source makes and no index serves. */
export function sourceJoins(cluster: JoinedCluster & { readonly code?: UnderstoodCode }): FoundJoin[] {
  const { viewsByNamespace: views } = cluster.workload;
  const places = (cluster.code?.places ?? []).filter(
    ({ role, unlisted }) => role === 'application' && unlisted !== 'wrapper',
  );
  return places.flatMap((place) => {
    const namespace = meantNamespace(place, cluster.collections.keys());
    return (place.shapes ?? []).flatMap(({ pipeline, joins: lines = [] }) => {
      if (namespace === null || pipeline === undefined) return [];
      const joins = joinsOf(inDatabase(pipeline, databaseOf(namespace)), { namespace, views });
      const uses = joins.map((join) => ({ join, operation: null, view: null }));
      return unservedJoins(cluster, uses).flatMap((join): FoundJoin[] => {
        const line = lines.find(({ from }) => from === nameOf(join.use.join.foreign.namespace));
        return isFound(join) && line !== undefined ? [{ ...join, line }] : [];
      });
    });
  });
}

/** With the names of collections in a database, as those of recorded pipelines are. */
function inDatabase(pipeline: PipelineShape, database: string): PipelineShape {
  return JSON.parse(JSON.stringify(pipeline), (name: string, value: unknown) =>
    (name === 'from' || name === 'coll') && typeof value === 'string' && value.startsWith('.')
      ? database + value
      : value,
  ) as PipelineShape;
}
