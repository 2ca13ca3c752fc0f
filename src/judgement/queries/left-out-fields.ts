import { stageOf } from '../../workload/joins/references.js';
import type { ObjectShape } from '../../workload/shapes/shape.js';
import { shellStatement } from '../shell-statement.js';
import type { Query } from './query.js';
import { filterText, sortText } from './range-page.js';

/** Stages that change no document. */
const KEEPING = new Set(['$match', '$sort', '$limit', '$skip']);

/** The fields that a read of documents leaves out; null if it returns anything but whole documents without some fields. */
export function leftOutFields({ operation, known }: Query): readonly string[] | null {
  const { kind, namespace, pipeline = [], projection = {} } = operation.shape;
  // What a view returns, its readers did not write.
  if (namespace !== known.collection.namespace) return null;
  if (kind === 'find') return leftOutIn(projection);
  if (kind !== 'aggregate') return null;
  const left = pipeline.map(leftOutByStage);
  return left.includes(null) ? null : left.flatMap((each) => each ?? []);
}

function leftOutByStage(stage: ObjectShape): readonly string[] | null {
  const { name, body } = stageOf(stage);
  if (name === '$unset' && Array.isArray(body)) return (body as readonly string[]).map(String);
  return KEEPING.has(name) ? [] : null;
}

function leftOutIn(projection: ObjectShape): readonly string[] | null {
  const entries = Object.entries(projection);
  return entries.every(([, value]) => value === false) ? entries.map(([path]) => path) : null;
}

/** A projection for mongosh that leaves out fields: `{ "body": 0 }`. */
export function exclusion(paths: readonly string[]): string {
  return `{ ${paths.map((path) => `${JSON.stringify(path)}: 0`).join(', ')} }`;
}

/** The query as a find for mongosh, with a projection. */
export function projectedFind({ filters, sort, limited, known }: Query, projection: string): string {
  const find = shellStatement(known.collection.namespace, 'find', filterText(filters), projection);
  return `${find}${sort.length === 0 ? '' : `.sort(${sortText(sort)})`}${limited ? '.limit(limit)' : ''}`;
}
