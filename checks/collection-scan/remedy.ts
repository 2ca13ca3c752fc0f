import type { RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { canBeFound, everyCondition } from '../../src/judgement/queries/conditions.js';
import type { QueryGroup } from '../../src/judgement/queries/query-groups.js';

export function withoutIndex({ queries: [query] }: QueryGroup): RemedyStep[] {
  // The queries could be served; it is only that the field has no name here.
  if (
    canBeFound(query.conditions) &&
    everyCondition(query.conditions).some(({ path }) => path.split('.').includes('*'))
  ) {
    return stepsOf(
      'The name of the field looks like data (`*` in the message) and is not kept, so no index can be proposed. If it is one of a few such names, index that field.',
      'If there are many such names, store them as { k: <name>, v: <value> } in an array with an index on both (attribute pattern). ' +
        'Or let a wildcard index serve them.',
    );
  }
  if (canBeFound(query.conditions) && query.conditions.alternatives.length > 0) {
    return stepsOf(
      'Each alternative of `$or` needs an index, in the order of the sort if there is one. Of one that finds a large part of the documents, none saves anything: add a condition to it that finds few, or sort by a stored field with a limit.',
    );
  }
  if (everyCondition(query.conditions).some(({ role }) => role === 'range')) {
    return stepsOf(
      'An index on what is asked for finds so many of the documents that it saves nothing. Add a condition that finds few.',
    );
  }
  const operators = [...new Set(everyCondition(query.conditions).map(({ operator }) => operator))].join(', ');
  return stepsOf(
    `No index finds documents by ${operators} as used here. Add a condition that an index can serve: an equality or a range. ` +
      'Or store what is asked for in a field of its own, and index that.',
  );
}
