import { databaseOf, nameOf } from '../namespace.js';
import type { PipelineShape } from '../workload/shapes/shape.js';

interface Meant {
  readonly collection: string | null;
  readonly database: string | null;
}

/** Whether any of these parts of the source may mean a namespace. */
export function isMeantBy(namespace: string, parts: readonly Meant[]): boolean {
  return parts.some(
    ({ collection, database }) =>
      collection === nameOf(namespace) && (database === null || database === databaseOf(namespace)),
  );
}

/** The namespace that a part of the source means; null if none or several of these can be meant. */
export function meantNamespace(of: Meant, namespaces: Iterable<string>): string | null {
  const [only, ...others] = [...namespaces].filter((each) => isMeantBy(each, [of]));
  return only !== undefined && others.length === 0 ? only : null;
}

/** A pipeline of the source with the names of collections in a database, as those of recorded pipelines are. */
export function pipelineIn(database: string, pipeline: PipelineShape): PipelineShape {
  return JSON.parse(JSON.stringify(pipeline), (name: string, value: unknown) =>
    (name === 'from' || name === 'coll') && typeof value === 'string' && value.startsWith('.')
      ? database + value
      : value,
  ) as PipelineShape;
}
