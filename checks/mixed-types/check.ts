import { formatCount, formatShare } from '../../src/format.js';
import { convertingUpdate, isConvertible } from '../../src/judgement/documents/converting-update.js';
import { lookForTypes } from './look-for-types.js';
import { typeMixture, type TypeMixture } from './type-mixture.js';
import { seenPart, shareWithin, STATED_RISK, type SeenPart } from '../../src/judgement/margins.js';
import { bySample } from '../../src/judgement/severity-lines.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { SCAN_COST, shellScan } from '../../src/judgement/shell-statement.js';
import { fieldName, isQueryable, queryPath, withoutElements } from '../../src/profile/path-steps.js';
import { familyCounts, type TypeFamily } from '../../src/profile/type-families.js';
import {
  defineCheck,
  type BsonType,
  type DocumentProfile,
  type PathProfile,
  type Problem,
  type RemedyStep,
} from '../../src/check.js';

/** Of a sample; a collection that was read whole shows a habit by two. */
const STRAYS_FOR_HIGH = 5;

type Judged = Omit<Problem, 'evidence'> & {
  readonly evidence: Readonly<Record<string, number | number[] | Record<string, number>>>;
};

export const mixedTypes = defineCheck({
  id: 'mixed-types',
  title: 'Mixed types in one field',
  summary: 'a field whose values have types that never compare equal, such as dates and strings',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage'],
  lostByPseudonyms:
    'fields that hold any type by design, such as `value` beside `key`, were not recognized and may be reported.',
  thresholds: {
    strayShare: {
      default: 0.05,
      unit: 'share',
      description: 'share of the values up to which a type is a stray, not a second shape of the documents',
      source: 'judgement: mistakes are rare, the kinds of a polymorphic collection are not',
    },
    values: {
      default: 20,
      unit: 'values',
      description: 'values of the field below which it is not judged',
      source: 'judgement: at the share above, at least twenty values are needed for one stray',
    },
  },
  judge({ collection, documents, storage }, { strayShare, values }) {
    const { profile } = documents;
    const window = sampleWindow(documents, storage);
    const seen = seenPart(documents, storage);
    return profile.paths
      .filter((path) => path.occurrences >= values && fieldName(path.path) !== '*')
      .flatMap((path): Problem[] => {
        const judged = bySample(seen, (part) => {
          const mixture = typeMixture(path, profile, strayShare, part);
          return mixture === null
            ? decimalProblem(collection.namespace, path)
            : mixtureProblem(collection.namespace, path, mixture, part, profile);
        });
        return judged === null ? [] : [{ ...judged, evidence: { source: 'sample', window, ...judged.evidence } }];
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
  const listed = families.map(([family, count]) => `${formatCount(count)} ${nameOf(family, count)}`).join(', ');
  const share = inMinority / values;
  const [, ...strays] = families.map(([family]) => family);
  const lookFor = isStray ? lookForTypes(path, profile, strays) : undefined;
  // One document may hold all strays of an array.
  const isOnePerDocument = field === path.path && !path.path.includes('[]');
  const documentsShowing = isOnePerDocument ? inMinority : Math.min(1, inMinority);
  const isSampled = seen.share < 1 && isOnePerDocument;
  const range = isSampled ? { minorityShareRange: [...shareWithin(inMinority, values, seen, STATED_RISK)] } : {};
  return {
    severity: intent === 'not meant' ? 'warning' : 'info',
    confidence: confidenceOf(intent, inMinority, seen),
    path: field,
    message:
      `${field === path.path ? 'Values' : 'Elements'} of \`${field}\` have several types: ${listed}. Queries, ranges, sorts and joins by ` +
      `values of one type silently skip the others${isStray ? `, here ${formatShare(share)} of the values` : ''}.`,
    evidence: {
      types: { ...path.types } as Record<string, number>,
      values,
      minorityShare: share,
      ...range,
      inMinority,
      documentsShowing,
    },
    ...(lookFor !== undefined && { lookFor }),
    remedy: { steps: remedySteps(namespace, path, families) },
  };
}

function confidenceOf(intent: TypeMixture['intent'], inMinority: number, { share }: SeenPart): Problem['confidence'] {
  if (intent === 'perhaps meant') return 'low';
  return inMinority < (share === 1 ? 2 : STRAYS_FOR_HIGH) ? 'medium' : 'high';
}

/** Both are numbers, but 0.1 as a decimal does not equal 0.1 as a double. */
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
      `\`${field}\` holds ${formatCount(decimal)} decimals and ${formatCount(double)} doubles, some of them with a fraction. 0.1 as a double ` +
      'does not equal 0.1 as a decimal: queries miss values, and sums are inexact.',
    evidence: {
      types: { ...path.types } as Record<string, number>,
      values: path.occurrences,
      withFraction: count - whole,
    },
    remedy: { steps: decimalSteps(namespace, path.path) },
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

function decimalSteps(namespace: string, path: string): RemedyStep[] {
  return [
    { text: 'Change the application to write decimals, rounded to the digits that the field means.' },
    storedDoublesStep(namespace, path),
  ];
}

function storedDoublesStep(namespace: string, path: string): RemedyStep {
  const update = convertingUpdate(namespace, path, 'double', 'decimal');
  if (update !== null) return { text: `Convert the stored doubles. ${CONVERTING}`, code: update };
  if (!isQueryable(path)) return { text: `Rewrite the stored doubles as decimals in the application. ${UNREACHED}` };
  return {
    text: `Rewrite the stored doubles as decimals. First list them. ${SCAN_COST}`,
    code: list(namespace, path, ['double']),
  };
}

const UNREACHED = 'A query does not find values at this path, so read the documents there.';

/** What an update of all documents costs. */
const CONVERTING =
  'The update scans the collection, and cannot be undone: back up first. It keeps values that it cannot convert.';

function remedySteps(namespace: string, path: PathProfile, families: TypeMixture['families']): RemedyStep[] {
  const [[wanted] = ['string' as const], ...others] = families;
  const strays = others.map(([family]) => family);
  const isListed = isQueryable(path.path);
  return [
    {
      text: `Find the code that writes the ${strays.map((family) => nameOf(family, 2)).join(' and ')}, and correct it.`,
    },
    ...(isListed
      ? [{ text: 'Look at these values. This scans the collection.', code: list(namespace, path.path, strays) }]
      : []),
    ...changingSteps(namespace, path, commonestType(path, wanted), strays),
    {
      text: `${isListed ? 'Check: the list is empty. ' : ''}Then add a validator that keeps it so (see missing-validator).`,
    },
    {
      text: 'If the documents are of different kinds on purpose: name the kind in a field, and give their fields different names.',
    },
  ];
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
  const updates = from.map((family) =>
    isConvertible(family, to)
      ? { family, code: convertingUpdate(namespace, path, family, to) }
      : { family, code: null },
  );
  const others = updates.filter(({ code }) => code === null).map(({ family }) => nameOf(family, 2));
  const which = others.length === from.length ? 'them' : `the ${others.join(' and ')}`;
  // The server refuses to change an _id.
  const isInId = path === '_id' || path.startsWith('_id.');
  const rewriting = isInId
    ? 'Insert those documents again with an _id of the other type, update what refers to them, and delete the old ones.'
    : isQueryable(path)
      ? `Rewrite ${which}, as the application means them.`
      : `Rewrite ${which} in the application. ${UNREACHED}`;
  return [
    ...updates.flatMap(({ family, code }) => {
      const what = from.length === 1 ? 'them' : `the ${nameOf(family, 2)}`;
      return code === null ? [] : [{ text: `Convert ${what}. ${CONVERTING}`, code }];
    }),
    ...(others.length === 0 ? [] : [{ text: rewriting }]),
  ];
}

function list(namespace: string, path: string, types: readonly string[]): string {
  const type =
    types.length === 1 ? JSON.stringify(types[0]) : `[${types.map((each) => JSON.stringify(each)).join(', ')}]`;
  const filter = `{ ${JSON.stringify(queryPath(path))}: { $type: ${type} } }`;
  return shellScan(namespace, filter);
}
