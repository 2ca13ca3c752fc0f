import {
  convertingUpdate,
  familyCounts,
  fieldName,
  formatCount,
  formatShare,
  isConvertible,
  queryPath,
  sampleWindow,
  shellCollection,
  typeMixture,
  withoutElements,
  type TypeFamily,
  type TypeMixture,
} from '../src/helpers.js';
import { defineCheck, type BsonType, type PathProfile, type Problem } from '../src/check.js';

type Judged = Omit<Problem, 'evidence'> & {
  readonly evidence: Readonly<Record<string, number | Record<string, number>>>;
};

export const mixedTypes = defineCheck({
  id: 'mixed-types',
  title: 'Mixed types in one field',
  summary: 'a field with values of types that never compare equal, such as dates and strings',
  appliesTo: ['collection'],
  needs: ['documents', 'storage'],
  thresholds: {
    strayShare: {
      default: 0.05,
      unit: 'share',
      description: 'share of the values up to which a type is a stray, and not a second shape of the documents',
      source: 'judgement: what nobody intends is rare; the kinds of a polymorphic collection are not',
    },
    values: {
      default: 20,
      unit: 'values',
      description: 'values of the field below which it is not judged',
      source: 'judgement: at the share above, one in twenty is the first that can be a stray',
    },
  },
  judge({ collection, documents, storage }, { strayShare, values }) {
    const { profile } = documents;
    const window = sampleWindow(documents, storage);
    return profile.paths
      .filter((path) => path.occurrences >= values && fieldName(path.path) !== '*')
      .flatMap((path): Problem[] => {
        const mixture = typeMixture(path, profile, strayShare);
        const judged =
          mixture === null
            ? decimalProblem(collection.namespace, path)
            : mixtureProblem(collection.namespace, path, mixture);
        return judged === null ? [] : [{ ...judged, evidence: { source: 'sample', window, ...judged.evidence } }];
      });
  },
});

function mixtureProblem(
  namespace: string,
  path: PathProfile,
  { families, values, inMinority, isStray, intent }: TypeMixture,
): Judged | null {
  if (intent === 'meant') return null;
  const field = withoutElements(path.path);
  const listed = families.map(([family, count]) => `${formatCount(count)} ${nameOf(family, count)}`).join(', ');
  const share = inMinority / values;
  return {
    severity: intent === 'not meant' ? 'warning' : 'info',
    confidence: confidenceOf(intent, inMinority),
    path: field,
    message:
      `${field === path.path ? 'Values' : 'Elements'} of \`${field}\` are not of one type: ${listed}. A query, a range, a sort or a join ` +
      `by a value of one type silently passes over the other${isStray ? `, here ${formatShare(share)} of the values` : ''}.`,
    evidence: { types: { ...path.types } as Record<string, number>, values, minorityShare: share, inMinority },
    remedy: { text: remedyText(namespace, path, families) },
  };
}

function confidenceOf(intent: TypeMixture['intent'], inMinority: number): Problem['confidence'] {
  if (intent === 'perhaps meant') return 'low';
  return inMinority === 1 ? 'medium' : 'high';
}

/** 0.1 as a decimal is not the 0.1 of a double, though both are numbers. */
function decimalProblem(namespace: string, path: PathProfile): Judged | null {
  const { double = 0, decimal = 0 } = path.types;
  const { count = 0, whole = 0 } = path.values?.numbers ?? {};
  if (double === 0 || decimal === 0 || count === whole) return null;
  const field = withoutElements(path.path);
  return {
    severity: 'info',
    confidence: 'high',
    path: field,
    message:
      `\`${field}\` holds ${formatCount(decimal)} decimals and ${formatCount(double)} doubles, some of them with a fraction: 0.1 as a double ` +
      'does not equal 0.1 as a decimal, so that queries miss it and sums are inexact.',
    evidence: {
      types: { ...path.types } as Record<string, number>,
      values: path.occurrences,
      withFraction: count - whole,
    },
    remedy: {
      text: `Convert the doubles to decimals, rounded to the digits that are meant: ${convertingUpdate(namespace, path.path, 'double', 'decimal') ?? list(namespace, path.path, 'double')}.`,
    },
  };
}

function nameOf(family: TypeFamily, count: number): string {
  const names: Partial<Record<TypeFamily, string>> = {
    bool: 'boolean',
    binData: 'binary value',
    regex: 'regular expression',
    objectId: 'ObjectId',
  };
  return `${names[family] ?? family}${count === 1 ? '' : 's'}`;
}

function remedyText(namespace: string, path: PathProfile, families: TypeMixture['families']): string {
  const [[wanted] = ['string' as const], ...others] = families;
  const strays = others.map(([family]) => family);
  return (
    `Find what writes the ${strays.map((family) => nameOf(family, 2)).join(' and ')} and correct it, look at those values, then ` +
    `${changeText(namespace, path, commonestType(path, wanted), strays[0] ?? 'string')}. Keep it so with a validator (see missing-validator). Where ` +
    'different kinds of documents are meant, let a field say of which kind each is, and give their fields different names.'
  );
}

function commonestType({ types }: PathProfile, family: TypeFamily): BsonType {
  const ofFamily = (Object.entries(types) as [BsonType, number][]).filter(
    ([type]) => familyCounts({ [type]: 1 })[0]?.[0] === family,
  );
  return ofFamily.reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

function changeText(namespace: string, { path }: PathProfile, to: BsonType, from: TypeFamily): string {
  const update = isConvertible(from, to) ? convertingUpdate(namespace, path, from, to) : null;
  if (update !== null) return `convert them: ${update}, which leaves what it can't convert as it is`;
  const values = list(namespace, path, from);
  // The server refuses to change one.
  const isInId = path === '_id' || path.startsWith('_id.');
  if (isInId)
    return `insert those documents anew, with an _id of the other type and together with what refers to them, and delete the old ones: ${values}`;
  return `write them anew, as the application means them: ${values}`;
}

function list(namespace: string, path: string, type: string): string {
  return `\`${shellCollection(namespace)}.find({ ${JSON.stringify(queryPath(path))}: { $type: ${JSON.stringify(type)} } })\``;
}
