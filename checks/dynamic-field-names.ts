import { defineCheck, type ObjectProfile, type Problem, type Severity } from '../src/check.js';
import { distributionSeverity, formatCount, sampleWindow } from '../src/helpers.js';

/** What the names are, for a message. Never a name itself. */
const PATTERN_TEXT = {
  number: 'numbers',
  objectId: 'ObjectIds',
  uuid: 'UUIDs',
  date: 'dates',
  email: 'e-mail addresses',
  mixed: 'names without a common pattern',
} as const;

/**
 * Names beyond which they are no stable set: nobody writes down so many. Far beyond it the count of different names is
 * too low to be compared with the names per object, which are exact: it saturates at 65,536.
 */
const MOST_NAMES_OF_A_SCHEMA = 10_000;

/** Objects from which a finding can be trusted in full. */
const OBJECTS_FOR_HIGH = 20;

export const dynamicFieldNames = defineCheck({
  id: 'dynamic-field-names',
  title: 'Field names that are data',
  summary: 'objects used as maps: their field names are ids, dates or other values',
  appliesTo: ['collection'],
  needs: ['documents', 'storage'],
  thresholds: {
    distinct: {
      default: 50,
      unit: 'fields',
      description: 'different field names from which names that are data are reported at all',
      source: 'judgement: fewer are a set that somebody could have written down',
    },
    stableRatio: {
      default: 2,
      unit: 'ratio',
      description:
        'different names over names per object up to which they are one stable set, such as languages or hours',
      source: 'judgement: objects that share most of their names have close to 1, a map keyed by ids has hundreds',
    },
    warning: {
      default: 200,
      unit: 'fields',
      description: 'fields per object from which a warning is given (an info where only single objects reach it)',
      source:
        '"a couple of hundred" on the many side: MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
    },
    error: {
      default: 1_000,
      unit: 'fields',
      description: 'fields per object from which an error is given (a warning where only single objects reach it)',
      source: 'judgement: the line of unbounded-array for embedded documents, which such an object is in disguise',
    },
    manyDistinct: {
      default: 1_000,
      unit: 'fields',
      description: 'different field names in the sample from which a warning is given, however few each object has',
      source:
        'judgement: no index can serve them one by one; a collection has at most 64 indexes (MongoDB manual, "Limits and Thresholds")',
    },
  },
  judge({ collection, documents, storage }, limits) {
    const { root, paths } = documents.profile;
    const objects = [{ path: null, object: root }, ...paths.map(({ path, object }) => ({ path, object }))];
    return objects.flatMap(({ path, object }): Problem[] => {
      if (object?.folded !== true || object.distinctFields < limits.distinct || isStable(object, limits.stableRatio))
        return [];
      const { fields, distinctFields, namePattern } = object;
      const byFields = distributionSeverity(fields, { info: Infinity, warning: limits.warning, error: limits.error });
      const byNames: Severity = distinctFields >= limits.manyDistinct ? 'warning' : 'info';
      const severity = byFields === null || byFields.severity === 'info' ? byNames : byFields.severity;
      const where = path === null ? `the documents of ${collection.name}` : `\`${path}\``;
      const kind = namePattern === null ? 'data' : PATTERN_TEXT[namePattern];
      const name = path?.replace(/(?:\[\])+$/, '') ?? null;
      return [
        {
          severity,
          confidence:
            namePattern !== null && namePattern !== 'mixed' && fields.count >= OBJECTS_FOR_HIGH ? 'high' : 'medium',
          path: name,
          message:
            `The field names of ${where} are ${kind}: at least ${formatCount(distinctFields)} different ones in ` +
            `${formatCount(fields.count)} objects, up to ${formatCount(fields.max)} in one. No index can be made for names that are not known.`,
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
          remedy: { text: name === null ? rootText(collection.name) : attributeText(name) },
        },
      ];
    });
  },
});

/** A set of names that most objects share is a wide schema, whatever the names look like. */
function isStable({ fields, distinctFields, namePattern }: ObjectProfile, stableRatio: number): boolean {
  if (distinctFields > MOST_NAMES_OF_A_SCHEMA || fields.median > MOST_NAMES_OF_A_SCHEMA) return false;
  const areKeys = namePattern === 'objectId' || namePattern === 'uuid' || namePattern === 'email';
  return !areKeys && fields.count > 1 && distinctFields <= stableRatio * fields.median;
}

function attributeText(path: string): string {
  return (
    `Turn \`${path}\` into an array of { k: <name>, v: <value> } (attribute pattern) with one index on "${path}.k" and "${path}.v"; ` +
    'where the entries can grow without limit, move them to a collection of their own, one document per entry. Until then a wildcard ' +
    `index on "${path}.$**" serves queries for single names.`
  );
}

function rootText(collection: string): string {
  return (
    `Store each entry of ${collection} as { k: <name>, v: <value> }, either as a document of its own with the _id of its parent, or in ` +
    'one array with an index on its k and v (attribute pattern). Until then a wildcard index on "$**" serves queries for single names.'
  );
}
