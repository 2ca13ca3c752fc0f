import { defineCheck, type Collection, type DocumentProfile } from '../src/check.js';
import { documentSchema, familyCounts, fieldName, formatCount, plural, sampleWindow } from '../src/helpers.js';

/** Field names that the finding shows. */
const MOST_NAMED = 20;

export const missingValidator = defineCheck({
  id: 'missing-validator',
  title: 'No validator for a stable shape',
  summary: 'documents that all have the same shape, with nothing that keeps it so',
  appliesTo: ['collection'],
  needs: ['documents', 'storage'],
  thresholds: {
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents of the collection below which it is not judged',
      source:
        'judgement: "most useful for an established application" (MongoDB manual, "Schema Validation"); few documents are soon looked through',
    },
    sampled: {
      default: 100,
      unit: 'documents',
      description: 'sampled documents from which a shape is known',
      source: 'judgement: a field that one in fifty lacks is missed by 13 % of such samples',
    },
    presence: {
      default: 0.95,
      unit: 'share',
      description: 'share of the documents that must have a field for it to belong to the shape',
      source: 'judgement: optional fields are part of most shapes',
    },
    stableShare: {
      default: 0.9,
      unit: 'share',
      description: 'share of the top-level fields, counted over all documents, that must belong to the shape',
      source: 'judgement: with more that comes and goes, the documents are of several kinds',
    },
    schemaFields: {
      default: 100,
      unit: 'fields',
      description: 'fields that the suggested schema names at most; deeper levels are left open',
      source: 'judgement: what can still be read through before it is put to work',
    },
  },
  judge({ collection, documents, storage }, limits) {
    const { profile } = documents;
    if (isGuarded(collection) || storage.count < limits.documents || profile.documents < limits.sampled) return [];
    const stable = stableShare(profile, limits.presence);
    if (stable === null || stable < limits.stableShare) return [];
    if (collection.optionsUnknown === true) {
      return [
        {
          notJudged: 'privilege',
          nothingJudged: true,
          detail: `whether ${collection.namespace} has a validator: its options are not listed; grant the privilege listCollections on ${collection.database}.`,
        },
      ];
    }
    const schema = documentSchema(profile, { fields: limits.schemaFields, objects: limits.sampled });
    const required = schema.required ?? [];
    return [
      {
        severity: 'info',
        confidence: 'medium',
        path: null,
        message:
          `Documents are of one shape, with ${plural(required.length, 'field')} that all of them have and one type for each, and there is no validator: ` +
          'the first faulty release, import or shell session changes it, and nobody is told.',
        evidence: {
          source: 'sample and listCollections',
          window: sampleWindow(documents, storage),
          documents: storage.count,
          requiredFields: required.slice(0, MOST_NAMED),
          stableShare: stable,
          averageDocumentSize: storage.averageDocumentSize,
        },
        remedy: {
          text:
            `Put this validator to work, which ${formatCount(profile.documents)} sampled documents satisfy. It only warns: a document that differs is written, ` +
            'and the server logs it whole (log id 20294; mind who may read the log). Look through the schema first and take out what is required by ' +
            'chance. When the log stays empty, add what the application means (enum, minimum, pattern) and set validationAction to "error".',
          commands: [
            {
              db: collection.database,
              command: {
                collMod: collection.name,
                validator: { $jsonSchema: schema },
                validationLevel: 'moderate',
                validationAction: 'warn',
              },
            },
          ],
        },
      },
    ];
  },
});

/** True where a validator is there, or the shape is another one's business: a log of bounded size, a driver's files. */
function isGuarded({ validator, capped, name }: Collection): boolean {
  const isValidated = validator !== undefined && Object.keys(validator).length > 0;
  return isValidated || capped !== undefined || /\.(?:files|chunks)$/.test(name);
}

/** Share of the top-level fields that belong to the shape; null where a field has several types, or names are data. */
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
