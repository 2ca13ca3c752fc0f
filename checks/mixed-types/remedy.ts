import type { BsonType, PathProfile, RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { convertingUpdate, isConvertible } from '../../src/judgement/documents/converting-update.js';
import { shellScan, spacedJson } from '../../src/judgement/shell-statement.js';
import { isQueryable, queryPath } from '../../src/profile/path-steps.js';
import { familyName, type TypeFamily, typesOfFamily } from '../../src/profile/type-families.js';
import type { TypeMixture } from './type-mixture.js';

const UNREACHED = 'A query does not find values at this path, so read the documents there.';

/** What an update of all documents costs. */
const CONVERTING =
  'The update scans the collection, and cannot be undone: back up first. It keeps values that it cannot convert.';

export function remedySteps(namespace: string, path: PathProfile, families: TypeMixture['families']): RemedyStep[] {
  const [[wanted] = ['string' as const], ...others] = families;
  const strays = others.map(([family]) => family);
  const isListed = isQueryable(path.path);
  return stepsOf(
    `Find the code that writes the ${strays.map((family) => familyName(family, 2)).join(' and ')}, and correct it.`,
    ...(isListed
      ? [{ text: 'Look at these values. This scans the collection.', code: list(namespace, path.path, strays) }]
      : []),
    ...changingSteps(namespace, path, commonestType(path, wanted), strays),
    `${isListed ? 'Check: the list is empty. ' : ''}Then add a validator that keeps it so (see missing-validator).`,
    'If the documents are of different kinds on purpose: name the kind in a field, and give their fields different names.',
  );
}

function commonestType({ types }: PathProfile, family: TypeFamily): BsonType {
  const ofFamily = typesOfFamily(family).toSorted((one, other) => (types[other] ?? 0) - (types[one] ?? 0));
  return ofFamily[0] as BsonType;
}

function changingSteps(
  namespace: string,
  { path }: PathProfile,
  to: BsonType,
  from: readonly TypeFamily[],
): RemedyStep[] {
  const updates = from.flatMap((family) => {
    const code = isConvertible(family, to) ? convertingUpdate(namespace, path, family, to) : null;
    return code === null ? [] : [{ text: `Convert the ${familyName(family, 2)}. ${CONVERTING}`, code }];
  });
  // The server refuses to change an _id.
  const rewriting =
    path === '_id' || path.startsWith('_id.')
      ? 'Insert those documents again with an _id of the other type, update what refers to them, and delete the old ones.'
      : `Rewrite ${updates.length === 0 ? 'them' : 'the others'}${isQueryable(path) ? ', as the application means them.' : ` in the application. ${UNREACHED}`}`;
  return stepsOf(...updates, ...(updates.length === from.length ? [] : [rewriting]));
}

function list(namespace: string, path: string, types: readonly string[]): string {
  const type = spacedJson(types.length === 1 ? types[0] : types);
  return shellScan(namespace, `{ ${JSON.stringify(queryPath(path))}: { $type: ${type} } }`);
}
