import {
  defineCheck,
  type Collection,
  type ObjectProfile,
  type Problem,
  type RemedyStep,
  type Severity,
} from '../src/check.js';
import {
  countAtLeast,
  distributionSeverity,
  formatCount,
  queryPath,
  sampleWindow,
  seenPart,
  shellStatement,
} from '../src/helpers.js';

/** What the names are, for a message. Never a name itself. */
const PATTERN_TEXT = {
  number: 'are numbers',
  objectId: 'are ObjectIds',
  uuid: 'are UUIDs',
  hex: 'are ids in hexadecimal',
  date: 'are dates',
  email: 'are e-mail addresses',
  mixed: 'have no common pattern',
} as const;

/**
 * Nobody writes a schema of more names. Far beyond it, the count of different names (which saturates at 65,536) is too low to
 * be compared with the names per object, which are exact.
 */
const MOST_NAMES_OF_A_SCHEMA = 10_000;

/** Objects from which a finding is of high confidence. */
const OBJECTS_FOR_HIGH = 20;

export const dynamicFieldNames = defineCheck({
  id: 'dynamic-field-names',
  title: 'Field names that are data',
  summary: 'objects used as maps: their field names are ids, dates or other values',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage'],
  thresholds: {
    distinct: {
      default: 50,
      unit: 'fields',
      description: 'different field names below which nothing is reported; of ids, from which a warning is given',
      source: 'judgement: somebody could have written down so few',
    },
    stableRatio: {
      default: 2,
      unit: 'ratio',
      description:
        'different names, divided by names per object, up to which they are one stable set, such as languages or hours',
      source: 'judgement: objects that share most names have about 1, a map keyed by ids has hundreds',
    },
    warning: {
      default: 200,
      unit: 'fields',
      description: 'fields per object from which a warning is given (an info if only single objects reach it)',
      source:
        '"a couple of hundred" on the many side: MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
    },
    error: {
      default: 1_000,
      unit: 'fields',
      description: 'fields per object from which an error is given (a warning if only single objects reach it)',
      source: 'judgement: the limit of unbounded-array; such an object is an array of embedded documents in disguise',
    },
    manyDistinct: {
      default: 1_000,
      unit: 'fields',
      description: 'different field names in the sample from which a warning is given, however few each object has',
      source:
        'judgement: they cannot be indexed one by one; a collection has at most 64 indexes (MongoDB manual, "Limits and Thresholds")',
    },
  },
  judge({ collection, documents, storage }, limits) {
    const { root, paths } = documents.profile;
    const seen = seenPart(documents, storage);
    const objects = [{ path: null, object: root }, ...paths.map(({ path, object }) => ({ path, object }))];
    return objects.flatMap(({ path, object }): Problem[] => {
      if (object?.folded !== true || object.distinctFields < limits.distinct || isStable(object, limits.stableRatio))
        return [];
      const { fields, distinctFields, namePattern } = object;
      const lines = { info: Infinity, warning: limits.warning, error: limits.error };
      const byFields = distributionSeverity(fields, lines, seen);
      const fewest = isIds(object) ? limits.distinct : limits.manyDistinct;
      const byNames: Severity = countAtLeast(distinctFields, seen) >= fewest ? 'warning' : 'info';
      const severity = byFields === null || byFields.severity === 'info' ? byNames : byFields.severity;
      const where = path === null ? `the documents of ${collection.name}` : `\`${path}\``;
      const kind = namePattern === null ? 'are data' : PATTERN_TEXT[namePattern];
      const name = path?.replace(/(?:\[\])+$/, '') ?? null;
      return [
        {
          severity,
          confidence:
            namePattern !== null && namePattern !== 'mixed' && fields.count >= OBJECTS_FOR_HIGH ? 'high' : 'medium',
          path: name,
          message:
            `The field names of ${where} ${kind}: at least ${formatCount(distinctFields)} different ones in ` +
            `${formatCount(fields.count)} objects, up to ${formatCount(fields.max)} in one. Names that are not known in advance cannot be indexed.`,
          evidence: {
            source: 'sample',
            window: sampleWindow(documents, storage),
            objects: fields.count,
            distinctFields,
            namePattern,
            median: fields.median,
            p99: fields.p99,
            max: fields.max,
            distribution: { unit: 'fields', buckets: [...fields.buckets] },
          },
          remedy: { steps: name === null ? rootSteps(collection) : attributeSteps(collection.namespace, name) },
        },
      ];
    });
  },
});

/** Ids become more with the data, whatever else the names may be. */
function isIds({ namePattern }: ObjectProfile): boolean {
  return namePattern === 'objectId' || namePattern === 'uuid' || namePattern === 'hex';
}

/** Names that most objects share are a wide schema, whatever they look like. */
function isStable(object: ObjectProfile, stableRatio: number): boolean {
  const { fields, distinctFields, namePattern } = object;
  if (distinctFields > MOST_NAMES_OF_A_SCHEMA || fields.median > MOST_NAMES_OF_A_SCHEMA) return false;
  const areKeys = isIds(object) || namePattern === 'email';
  return !areKeys && fields.count > 1 && distinctFields <= stableRatio * fields.median;
}

function attributeSteps(namespace: string, path: string): RemedyStep[] {
  const field = queryPath(path);
  const isNameable = !path.includes('*');
  const index = `{ ${JSON.stringify(`${field}.k`)}: 1, ${JSON.stringify(`${field}.v`)}: 1 }`;
  return [
    {
      text:
        `Turn \`${path}\` into an array of { k: <name>, v: <value> } (attribute pattern). If the entries can grow without limit, move them ` +
        'to their own collection instead, one document per entry.',
    },
    {
      text: 'Create one index for all names. The build scans the collection.',
      ...(isNameable && { code: shellStatement(namespace, 'createIndex', index) }),
    },
    ...(isNameable ? [wildcardStep(namespace, `${field}.$**`)] : []),
  ];
}

function wildcardStep(namespace: string, field: string): RemedyStep {
  return {
    text: 'Until then, a wildcard index serves queries for single names. Its build scans the collection. Drop it afterwards.',
    code: shellStatement(namespace, 'createIndex', `{ ${JSON.stringify(field)}: 1 }`),
  };
}

function rootSteps({ name, namespace }: Collection): RemedyStep[] {
  return [
    {
      text:
        `Store each entry of ${name} as { k: <name>, v: <value> } (attribute pattern): either as its own document with the _id of its ` +
        'parent, or in one array.',
    },
    { text: 'Index k and v together.' },
    wildcardStep(namespace, '$**'),
  ];
}
