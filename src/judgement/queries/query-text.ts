import { everyCondition } from './conditions.js';
import type { Query } from './query.js';

/** What a query asks, in words and without values: "find by `status` ($eq), `total` ($gt), sorted by `at`". */
export function queryText({ operation, conditions, sort }: Query): string {
  const operators = new Map<string, Set<string>>();
  for (const { path, operator } of everyCondition(conditions)) {
    operators.set(path, (operators.get(path) ?? new Set()).add(operator));
  }
  const asked = [...operators].map(([path, used]) =>
    path === '' ? [...used].join(', ') : `\`${path}\` (${[...used].join(', ')})`,
  );
  const by = asked.length === 0 ? '' : ` by ${asked.join(', ')}`;
  const order =
    sort.length === 0
      ? ''
      : `, sorted by ${sort.map(([path, direction]) => `\`${path}\`${direction === -1 ? ' descending' : ''}`).join(', ')}`;
  return `${operation.shape.kind}${by}${order}`;
}
