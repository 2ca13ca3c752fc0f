import type { BsonType, PathProfile, RemedyStep } from '../../src/check.js';
import { convertingUpdate, isConvertible } from '../../src/judgement/documents/converting-update.js';
import { shellScan, spacedJson } from '../../src/judgement/shell-statement.js';
import { isQueryable, queryPath } from '../../src/profile/path-steps.js';
import { familyCounts, familyName, type TypeFamily } from '../../src/profile/type-families.js';
import { stepsOf } from '../../src/remedy.js';
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
  const ofFamily = (Object.entries(types) as [BsonType, number][]).filter(
    ([type]) => familyCounts({ [type]: 1 })[0]?.[0] === family,
  );
  return ofFamily.reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

function changingSteps(
  namespace: string,
  { path }: PathProfile,
  to: BsonType,
  from: readonly TypeFamily[],
): RemedyStep[] {
  const updates = from.map((family) => {
    const code = isConvertible(family, to) ? convertingUpdate(namespace, path, family, to) : null;
    return { family, code };
  });
  const others = updates.filter(({ code }) => code === null).map(({ family }) => familyName(family, 2));
  const which = others.length === from.length ? 'them' : `the ${others.join(' and ')}`;
  // The server refuses to change an _id.
  const isInId = path === '_id' || path.startsWith('_id.');
  const rewriting = isInId
    ? 'Insert those documents again with an _id of the other type, update what refers to them, and delete the old ones.'
    : isQueryable(path)
      ? `Rewrite ${which}, as the application means them.`
      : `Rewrite ${which} in the application. ${UNREACHED}`;
  return stepsOf(
    ...updates.flatMap(({ family, code }) => {
      const what = from.length === 1 ? 'them' : `the ${familyName(family, 2)}`;
      return code === null ? [] : [{ text: `Convert ${what}. ${CONVERTING}`, code }];
    }),
    ...(others.length === 0 ? [] : [rewriting]),
  );
}

function list(namespace: string, path: string, types: readonly string[]): string {
  const type = spacedJson(types.length === 1 ? types[0] : types);
  return shellScan(namespace, `{ ${JSON.stringify(queryPath(path))}: { $type: ${type} } }`);
}
