import type { IndexDescription, RemedyStep } from '../../src/check.js';
import { sameIndex } from '../../src/evidence-file/production/joined-collection.js';
import { shellCollection } from '../../src/inventory/shell-collection.js';
import { spacedJson } from '../../src/judgement/shell-statement.js';

/** The indexes here that production does not have, under whichever name. */
export function newIndexes(
  here: readonly IndexDescription[],
  there: readonly IndexDescription[],
): readonly IndexDescription[] {
  return here.filter((index) => !there.some((each) => sameIndex(each, index)));
}

/** How mongosh builds an index; nothing for a partial one, whose filter may hold values. */
export function shellIndex(namespace: string, index: IndexDescription): Pick<RemedyStep, 'code'> {
  const { key, name, unique, sparse, collation, expireAfterSeconds, partialFilterExpression: filter } = index;
  if (filter !== undefined) return {};
  const options = {
    name,
    ...(unique && { unique }),
    ...(sparse && { sparse }),
    ...(collation !== undefined && { collation }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  };
  return { code: `${shellCollection(namespace)}.createIndex(${spacedJson(key)}, ${spacedJson(options)})` };
}
