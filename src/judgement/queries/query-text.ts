import { stageOf } from '../../workload/joins/references.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import type { TracedOperation } from '../../workload/traced-workload.js';
import { everyCondition } from './conditions.js';
import type { Query } from './query.js';

/** What a query asks, in words and without values: "find by `status`, `total` ($gt), sorted by `at`". */
export function queryText({ operation, conditions, sort }: Query): string {
  const operators = new Map<string, Set<string>>();
  for (const { path, operator } of everyCondition(conditions)) {
    operators.set(path, (operators.get(path) ?? new Set()).add(operator));
  }
  const asked = [...operators].map(([path, used]) => {
    const names = [...used].join(', ');
    if (path === '') return names;
    return names === '$eq' ? `\`${path}\`` : `\`${path}\` (${names})`;
  });
  const by = asked.length === 0 ? '' : ` by ${asked.join(', ')}`;
  const order =
    sort.length === 0
      ? ''
      : `, sorted by ${sort.map(([path, direction]) => `\`${path}\`${direction === -1 ? ' descending' : ''}`).join(', ')}`;
  return `${operation.shape.kind}${by}${order}`;
}

/** Paths of an update that are named. */
const MOST_PATHS = 3;

/**
 * What an operation does, in words and without values: its query, what it writes, and the stages that follow its query.
 *
 * @param query null if it is no query on a linted collection
 */
export function shapeText({ operation, view, stages }: TracedOperation, query: Query | null): string {
  const { kind, update } = operation.shape;
  const text = query === null ? kind : queryText(query);
  const written = isObjectShape(update)
    ? Object.entries(update).map(([operator, paths]) => writeText(operator, paths))
    : [];
  const names = stages.map(stageName).filter((name) => !(query !== null && PART_OF_QUERY.has(name)));
  return [
    text,
    ...(written.length > 0 ? [`: ${written.join(', ')}`] : []),
    ...(kind === 'aggregate' && names.length > 0 ? [`, then ${names.join(', ')}`] : []),
    ...(view === null ? [] : [`, through the view ${view.namespace}`]),
  ].join('');
}

const PART_OF_QUERY: ReadonlySet<string> = new Set(['$match', '$sort']);

/** "$lookup of shop.items". */
function stageName(stage: ObjectShape): string {
  const { name, body } = stageOf(stage);
  const from = isObjectShape(body) ? body['from'] : undefined;
  return typeof from === 'string' ? `${name} of ${from}` : name;
}

function writeText(operator: string, paths: Shape): string {
  if (!isObjectShape(paths)) return operator;
  const names = Object.keys(paths).map((path) => `\`${path}\``);
  const more = names.length > MOST_PATHS ? ` and ${names.length - MOST_PATHS} more` : '';
  return `${operator} ${names.slice(0, MOST_PATHS).join(', ')}${more}`;
}
