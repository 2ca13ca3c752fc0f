import {
  type BsonType,
  defineCheck,
  type DocumentProfile,
  type PathProfile,
  type Problem,
  type RemedyStep,
} from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount, formatShare } from '../../src/format.js';
import { convertingUpdate, isConvertible } from '../../src/judgement/documents/converting-update.js';
import { bySample, seenPart, type SeenPart, shareWithin, STATED_RISK } from '../../src/judgement/margins.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { shellScan, spacedJson } from '../../src/judgement/shell-statement.js';
import { fieldName, isQueryable, queryPath, withoutElements } from '../../src/profile/path-steps.js';
import { familyName, type TypeFamily, typesOfFamily } from '../../src/profile/type-families.js';
import { typeMixture, type TypeMixture } from './type-mixture.js';

/** For a sample; a collection that was read whole shows a habit by two. */
const STRAYS_FOR_HIGH = 5;

type Judged = Omit<Problem, 'evidence'> & {
  readonly evidence: Readonly<Record<string, number | number[] | Record<string, number>>>;
};

/**
 * A field is a finding if its values are of families that never compare equal, unless names beside it say that it holds any
 * value. Few of another type are strays, and so a warning; a discriminator, a version or embedded objects make it an info.
 */
export const mixedTypes = defineCheck({
  id: 'mixed-types',
  title: 'Mixed types in one field',
  summary: 'a field whose values have types that never compare equal, such as dates and strings',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage'],
  lostByPseudonyms: 'fields that hold any type by design were not recognized and may be reported.',
  thresholds: {
    strayShare: {
      default: 0.05,
      unit: 'share',
      description: 'share of the values, at most, of a stray type; more are a second shape',
      source: 'judgement: mistakes are rare, the kinds of a polymorphic collection are not',
    },
    values: {
      default: 20,
      unit: 'values',
      description: 'values of the field, at least',
      source: 'judgement: at the share above, at least twenty values are needed for one stray',
    },
  },
  judge({ collection, documents, storage }, { strayShare, values }) {
    const { profile } = documents;
    const window = sampleWindow(documents, storage);
    return profile.paths
      .filter((path) => path.occurrences >= values && fieldName(path.path) !== '*')
      .flatMap((path): Problem[] => {
        const judged = bySample(seenPart(documents, storage), (part) => {
          const mixture = typeMixture(path, profile, strayShare, part);
          return mixture === null ? null : mixtureProblem(collection.namespace, path, mixture, part, profile);
        });
        return judged === null
          ? []
          : [{ ...judged, restsOn: ['sample'], evidence: { source: 'sample', window, ...judged.evidence } }];
      });
  },
});

function mixtureProblem(
  namespace: string,
  path: PathProfile,
  { families, values, inMinority, isStray, intent }: TypeMixture,
  seen: SeenPart,
  profile: DocumentProfile,
): Judged | null {
  if (intent === 'meant') return null;
  const field = withoutElements(path.path);
  const listed = families.map(([family, count]) => `${formatCount(count)} ${familyName(family, count)}`).join(', ');
  const strays = families.slice(1).map(([family]) => family);
  const lookFor = isStray ? lookForTypes(path, profile, strays) : undefined;
  // One document may hold all strays of an array.
  const isOnePerDocument = field === path.path && !path.path.includes('[]');
  const documentsShowing = isOnePerDocument ? inMinority : Math.min(1, inMinority);
  return {
    severity: intent === 'not meant' ? 'warning' : 'info',
    confidence:
      intent === 'perhaps meant' ? 'low' : inMinority < (seen.share === 1 ? 2 : STRAYS_FOR_HIGH) ? 'medium' : 'high',
    path: field,
    message:
      `${field === path.path ? 'Values' : 'Elements'} of \`${field}\` have several types: ${listed}. Queries, ranges, sorts and joins by ` +
      `values of one type silently skip the others${isStray ? `, here ${formatShare(inMinority / values)} of the values` : ''}.`,
    evidence: {
      types: { ...path.types } as Record<string, number>,
      values,
      minorityShare: inMinority / values,
      ...(seen.share < 1 &&
        isOnePerDocument && { minorityShareRange: [...shareWithin(inMinority, values, seen, STATED_RISK)] }),
      inMinority,
      documentsShowing,
    },
    ...(lookFor !== undefined && { lookFor }),
    remedy: { steps: remedySteps(namespace, path, families) },
  };
}

/**
 * What shows values of these families at a path. Undefined if no query finds them, or if it finds those of another path as
 * well: with `$type`, the elements of an array count as values of its field.
 */
function lookForTypes({ path }: PathProfile, { paths }: DocumentProfile, of: TypeFamily[]): Problem['lookFor'] {
  const field = queryPath(path);
  const isAmbiguous = paths.filter((each) => queryPath(each.path) === field).length > 1;
  return isAmbiguous || !isQueryable(path) ? undefined : { path: field, types: of.flatMap(typesOfFamily).sort() };
}

const UNREACHED = 'A query does not find values at this path, so read the documents there.';

/** What an update of all documents costs. */
const CONVERTING =
  'The update scans the collection, and cannot be undone: back up first. It keeps values that it cannot convert.';

function remedySteps(namespace: string, path: PathProfile, families: TypeMixture['families']): RemedyStep[] {
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
