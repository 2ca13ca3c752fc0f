import {
  type Collection,
  defineCheck,
  type DocumentProfile,
  type IndexDescription,
  type RemedyStep,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { judgedAt, judgedAtText, judgedSize, sizesUnknown } from '../src/judgement/judged-size.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import type { BsonType, PathProfile, TypeCounts } from '../src/profile/document-profile.js';
import { fieldName } from '../src/profile/path-steps.js';
import { familyCounts } from '../src/profile/type-families.js';

const MOST_NAMED = 20;

/** Fields by which an object mapper marks what it writes, after its own schema: Mongoose, Spring Data, MongoEngine. */
const MARKS_OF_MAPPERS: ReadonlyMap<string, string> = new Map([
  ['__v', 'int'],
  ['_class', 'string'],
  ['_cls', 'string'],
]);

const ADVICE_FOR_ALL: readonly RemedyStep[] = stepsOf(
  'Decide where the schema is kept. If a single application writes and validates everything, that is enough.',
  'Otherwise add a validator to each collection, beginning with those that scripts, imports or several applications write. ' +
    'With --include and one collection, mongolint prints its validator.',
);

/**
 * Sampled documents from which a shape is known. Judgement: 13 % of such samples miss that one document in fifty lacks a
 * field.
 */
const FEWEST_SAMPLED = 100;

/** Most fields that the suggested schema names. Judgement: so many can still be reviewed. */
const MOST_FIELDS = 100;

export const missingValidator = defineCheck({
  id: 'missing-validator',
  title: 'No validator for a stable shape',
  summary: 'documents that all have the same shape, with no validator that keeps it so',
  optional: true,
  appliesTo: ['collection'],
  needs: ['documents', 'storage', 'indexes'],
  thresholds: {
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents of the collection, at least',
      source:
        'judgement: "most useful for an established application" (MongoDB manual, "Schema Validation"); few documents can be checked by hand',
    },
    presence: {
      default: 0.95,
      unit: 'share',
      description: 'share of documents that have a field of the shape, at least',
      source: 'judgement: optional fields are part of most shapes',
    },
    stableShare: {
      default: 0.9,
      unit: 'share',
      description: 'share of all top-level fields that belong to the shape, at least',
      source: 'judgement: with more optional fields, the documents are of several kinds',
    },
  },
  retiredThresholds: ['sampled', 'schemaFields'],
  judge({ collection, documents, storage, indexes }, limits) {
    const { profile } = documents;
    if (isGuarded(collection) || areShortLived(indexes) || isMapped(profile, limits.presence)) return [];
    if (storage.count === null) return [sizesUnknown(collection.namespace)];
    const size = judgedSize(collection, storage.count);
    if (size.documents < limits.documents || profile.documents < FEWEST_SAMPLED) return [];
    const stable = stableShare(profile, limits.presence);
    if (stable === null || stable < limits.stableShare) return [];
    if (collection.optionsUnknown === true) {
      return [
        {
          notJudged: 'privilege',
          nothingJudged: true,
          detail: `whether ${collection.namespace} has a validator is unknown, because its options are not listed. Grant the privilege listCollections on ${collection.database}.`,
        },
      ];
    }
    const schema = documentSchema(profile, { fields: MOST_FIELDS, objects: FEWEST_SAMPLED });
    const required = schema.required ?? [];
    return [
      {
        severity: 'info',
        confidence: 'medium',
        path: null,
        message:
          `The documents have one shape (${plural(required.length, 'field')} in all of them, one type for each), but no validator ` +
          `protects it. The first faulty release, import or shell session can change it unnoticed.${judgedAtText(size)}`,
        ...judgedAt(size),
        restsOn: ['sample'],
        evidence: {
          source: 'sample and listCollections',
          window: sampleWindow(documents, storage),
          documents: storage.count,
          requiredFields: required.slice(0, MOST_NAMED),
          stableShare: stable,
          averageDocumentSize: storage.averageDocumentSize ?? profile.bytes / profile.documents,
        },
        adviceForAll: ADVICE_FOR_ALL,
        remedy: {
          steps: stepsOf(
            'Review the schema below: remove fields that are required only by chance.',
            {
              text:
                `Add it as a validator. ${formatCount(profile.documents)} sampled documents satisfy it. It only warns: documents that differ ` +
                'are written, and the server logs them in full. collMod briefly locks the collection.',
              command: {
                db: collection.database,
                command: {
                  collMod: collection.name,
                  validator: { $jsonSchema: schema },
                  validationLevel: 'moderate',
                  validationAction: 'warn',
                },
              },
            },
            'Check the server log for id 20294. It contains whole documents: restrict who may read it.',
            'When the log stays empty, add the rules of the application (enum, minimum, pattern) and set validationAction to "error". ' +
              'Then writes that differ fail.',
          ),
        },
      },
    ];
  },
});

/** True if there is a validator, or the shape is fixed elsewhere: a capped log, a driver's files. */
function isGuarded({ validator, capped, name }: Collection): boolean {
  const isValidated = validator !== undefined && Object.keys(validator).length > 0;
  return isValidated || capped !== undefined || /\.(?:files|chunks)$/.test(name);
}

/** Share of the top-level fields that belong to the shape; null if a field has several types, or names are data. */
function stableShare({ root, paths, limits }: DocumentProfile, presence: number): number | null {
  if (root.folded || limits.length > 0) return null;
  if (paths.some(({ path, types }) => fieldName(path) !== '*' && familyCounts(types).length > 1)) return null;
  const top = paths.filter(({ parent }) => parent === null);
  const all = top.reduce((sum, { occurrences }) => sum + occurrences, 0);
  const regular = top
    .filter((path) => path.presence >= presence)
    .reduce((sum, { occurrences }) => sum + occurrences, 0);
  return all === 0 ? null : regular / all;
}

/** What expires takes its faults with it. */
function areShortLived(indexes: readonly IndexDescription[]): boolean {
  return indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
}

/** The application has a schema, and what it writes bears the mark of it. */
function isMapped({ paths }: DocumentProfile, presence: number): boolean {
  return paths.some(({ path, types, presence: share }) => {
    const type = MARKS_OF_MAPPERS.get(path);
    return type !== undefined && share >= presence && Object.keys(types).every((one) => one === type);
  });
}

type DocumentSchema = {
  bsonType?: string | string[];
  required?: string[];
  properties?: Record<string, DocumentSchema>;
  items?: DocumentSchema;
};

interface SchemaLimits {
  readonly fields: number;
  /** Fewest objects from which a field that all of them have is required. */
  readonly objects: number;
}

/** The schema of the profiled documents. It omits dynamic field names, and allows further fields. */
export function documentSchema({ paths, documents }: DocumentProfile, limits: SchemaLimits): DocumentSchema {
  const byParent = groupedBy(paths, ({ parent }) => parent);
  const levels = levelsWithin(paths, limits.fields);
  const children = (parent: string | null) => (byParent.get(parent) ?? []).filter(({ depth }) => depth <= levels);
  const objectSchema = (parent: string | null, objects: number): Pick<DocumentSchema, 'required' | 'properties'> => {
    const fields = children(parent).filter(({ path }) => isNameable(path));
    const required =
      objects < limits.objects
        ? []
        : fields.filter(({ presence }) => presence === 1).map(({ path }) => fieldName(path));
    return {
      ...(required.length > 0 && { required }),
      ...(fields.length > 0 && {
        properties: Object.fromEntries(fields.map((field) => [fieldName(field.path), valueSchema(field)])),
      }),
    };
  };
  const valueSchema = ({ path, types, object, array }: PathProfile): DocumentSchema => {
    const elements = array === undefined ? undefined : children(path).find((child) => child.path === `${path}[]`);
    return {
      bsonType: bsonTypes(types),
      ...(object !== undefined && !object.folded && objectSchema(path, object.fields.count)),
      ...(elements !== undefined && { items: valueSchema(elements) }),
    };
  };
  return { bsonType: 'object', ...objectSchema(null, documents) };
}

function levelsWithin(paths: readonly PathProfile[], most: number): number {
  const depths = [...new Set(paths.map(({ depth }) => depth))].sort((a, b) => a - b);
  const fitting = depths.filter((depth) => paths.filter((path) => path.depth <= depth).length <= most);
  return fitting.at(-1) ?? 1;
}

/** A validator can't name a field with a dot in its name or a dollar in front. Names that are data are never printed. */
function isNameable(path: string): boolean {
  const name = fieldName(path);
  return !path.endsWith('[]') && name !== '*' && name !== '' && !name.startsWith('$') && !name.includes('.');
}

const WHOLE_OR_FRACTION: ReadonlySet<BsonType> = new Set(['int', 'long', 'double']);

/** Drivers write a whole number as int, long or double as it comes, so one of these stands for all. */
function bsonTypes(types: TypeCounts): string | string[] {
  const seen = (Object.entries(types) as [BsonType, number][]).filter(([, count]) => count > 0).map(([type]) => type);
  const isNumber = seen.some((type) => WHOLE_OR_FRACTION.has(type));
  const names = isNumber
    ? ['number', ...seen.filter((type) => !WHOLE_OR_FRACTION.has(type) && type !== 'decimal')]
    : seen;
  const [only, ...others] = names;
  return only !== undefined && others.length === 0 ? only : names;
}
