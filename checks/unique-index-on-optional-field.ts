import {
  type ClusterVerdict,
  defineClusterCheck,
  type FieldTypes,
  type IndexDescription,
  type RemedyStep,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { RECURRING } from '../src/judgement/queries/query-thresholds.js';
import { shellStatement, spacedJson } from '../src/judgement/shell-statement.js';
import { queryPath } from '../src/profile/path-steps.js';
import type { Operation } from '../src/workload/workload.js';

/** A field without which documents are alike to a unique index. */
interface OptionalField {
  readonly path: string;
  /** Sampled documents without it. */
  readonly lack: number;
  readonly nulls: number;
  readonly hasEmptyArrays: boolean;
  /** Whether all else that it holds are strings. */
  readonly isText: boolean;
}

/** Documents for each value of a field, on average, from which it is no key by itself. Judgement. */
const REPEATED = 2;

/** A unique index takes documents without a value for alike, and refuses all but one: a finding if some are without one. */
export const uniqueIndexOnOptionalField = defineClusterCheck({
  id: 'unique-index-on-optional-field',
  title: 'Unique index on an optional field',
  summary:
    'a unique index on a field that may be missing, null or an empty array: all such documents but one are refused',
  needs: ['indexes', 'fieldTypes'],
  clusterNeeds: ['workload'],
  thresholds: {
    refused: {
      default: RECURRING,
      unit: 'operations',
      description: 'recorded writes that failed as duplicates, and inserts that inserted nothing, for a warning',
      source: 'judgement: once or twice somebody tried something',
    },
  },
  judge(cluster, limits) {
    return [...cluster.collections.values()].flatMap((known): ClusterVerdict[] => {
      const { collection, indexes, fieldTypes } = known;
      const { namespace, kind } = collection;
      if (kind !== 'collection' || !indexes.present || !fieldTypes.present) return [];
      const found = indexes.value.flatMap((index) =>
        optionalFields(index, fieldTypes.value, collection.validator).map((field) => ({ index, field })),
      );
      if (found.length === 0) return [];
      const refusing = cluster.workload.tracedOperations.filter((each) => each.base === namespace && refused(each) > 0);
      const writes = refusing.reduce((sum, each) => sum + refused(each), 0);
      const isSuffered = writes >= limits.refused;
      return found.map(({ index, field }) => ({
        namespace,
        path: index.name,
        severity: isSuffered ? 'warning' : 'info',
        // Which index refused a write is not recorded.
        confidence: isSuffered ? 'medium' : 'high',
        message:
          messageOf(index, field, fieldTypes.value) +
          (writes === 0
            ? ''
            : ` ${plural(writes, 'recorded write')} to the collection failed as duplicates or inserted nothing.`),
        restsOn: ['sample'],
        evidence: {
          source: 'indexes and sample',
          window: plural(fieldTypes.value.documents, 'document'),
          key: { ...index.key },
          documentsWithoutField: field.lack,
          documentsWithNull: field.nulls,
          refusedWrites: writes,
        },
        operations: refusing.map(({ operation }) => operation),
        remedy: { steps: stepsFor(namespace, index, field) },
      }));
    });
  },
});

/** Those that keep documents out of an index. A partial filter on another field leaves the sample saying nothing. */
function optionalFields(index: IndexDescription, types: FieldTypes, validator: object = {}): OptionalField[] {
  const paths = Object.keys(index.key);
  const [first = '', second] = paths;
  const filter = index.partialFilterExpression;
  const isOfPresent = spacedJson(filter ?? {}) === spacedJson({ [first]: { $exists: true } });
  if (!index.unique || paths.length > 2 || (filter !== undefined && (!isOfPresent || second !== undefined))) return [];
  const isSkipped = second === undefined && (index.sparse || isOfPresent);
  return paths.flatMap((path) => {
    const field = optionalField(path, types, validator, isSkipped);
    const other = path === first ? second : first;
    const isKept = field !== null && (field.lack + field.nulls > 0 || (field.hasEmptyArrays && second === undefined));
    return isKept && (other === undefined || isRepeated(other, types)) ? [field] : [];
  });
}

/** Null if no document has it: then nothing tells what it is for. */
function optionalField(
  path: string,
  { documents, fields }: FieldTypes,
  validator: { readonly $jsonSchema?: { readonly required?: readonly string[] } },
  isSkipped: boolean,
): OptionalField | null {
  const seen = fields.filter((field) => queryPath(field.path) === path);
  if (seen.length === 0) return null;
  const isRequired = validator.$jsonSchema?.required?.includes(path) === true;
  const stored = seen.flatMap(({ types }) => Object.keys(types));
  return {
    path,
    lack: isSkipped || isRequired ? 0 : documents - Math.max(...seen.map((field) => field.documents)),
    nulls: seen.reduce((sum, { types }) => sum + (types.null ?? 0), 0),
    hasEmptyArrays: seen.some((field) => field.path === path && field.shortestArray === 0),
    isText: stored.every((type) => type === 'string' || type === 'null' || type === 'array'),
  };
}

/** Whether documents share its values: beside a key, the other field tells nothing apart. */
function isRepeated(path: string, { fields }: FieldTypes): boolean {
  const spread = fields.find((field) => queryPath(field.path) === path)?.spread ?? null;
  return spread !== null && spread.compared >= REPEATED * spread.distinct;
}

/** An insert that fails is recorded as one of nothing, without its error (measured on 6.0.5). */
function refused({ operation: { shape, figures } }: { readonly operation: Operation }): number {
  const bySource = Object.values(figures).map(({ errors = {}, executions, documentsWritten }) =>
    shape.kind === 'insert' ? executions - (documentsWritten ?? executions) : (errors['DuplicateKey'] ?? 0),
  );
  return Math.max(0, ...bySource);
}

function messageOf({ name, key, sparse }: IndexDescription, field: OptionalField, types: FieldTypes): string {
  const { path, lack, nulls } = field;
  const count = Math.max(1, lack + nulls);
  const what = lack + nulls === 0 ? 'an empty array as' : nulls === 0 ? 'no' : lack === 0 ? 'null as' : 'null or no';
  const scope = Object.keys(key).find((other) => other !== path);
  const skips = sparse && scope === undefined ? ' Sparse skips what is missing, not null or an empty array.' : '';
  return (
    `${formatCount(count)} of ${formatCount(types.documents)}${types.complete ? '' : ' sampled'} documents ${count === 1 ? 'has' : 'have'} ${what} \`${path}\`. ` +
    `Unique index \`${name}\` accepts one such document${scope === undefined ? '' : ` for each \`${scope}\``}, and refuses the next.${skips}`
  );
}

/** A filter by `$type` would leave out null, and keep every search by a value from the index (measured on 6.0.5). */
function filterFor({ nulls, hasEmptyArrays, isText }: OptionalField): object {
  return isText && (nulls > 0 || hasEmptyArrays) ? { $gt: '' } : { $exists: true };
}

function stepsFor(namespace: string, index: IndexDescription, field: OptionalField): RemedyStep[] {
  const { path, nulls, hasEmptyArrays, isText } = field;
  const name = `${index.name}_partial`;
  const { key, collation } = index;
  const partialFilterExpression = { [path]: filterFor(field) };
  const options = { unique: true, name, partialFilterExpression, ...(collation !== undefined && { collation }) };
  return stepsOf(
    `If every document must have \`${path}\`, fix those without it, and require it by a validator. Otherwise:`,
    !isText &&
      (nulls > 0 || hasEmptyArrays) && {
        text: `Remove what is stored as null or an empty array, and let the application leave out \`${path}\`. This scans the collection.`,
        code: shellStatement(
          namespace,
          'updateMany',
          spacedJson({ $expr: { $in: [`$${path}`, [null, []]] } }),
          spacedJson({ $unset: { [path]: '' } }),
        ),
      },
    {
      text: 'Create the unique index of documents with a value alone. The build scans the collection.',
      code: shellStatement(namespace, 'createIndex', spacedJson(key), spacedJson(options)),
    },
    {
      text: `Then drop \`${index.name}\`. If queries sort by it, or look for documents without \`${path}\`, create a plain index on the same key first.`,
      code: shellStatement(namespace, 'dropIndex', JSON.stringify(index.name)),
      givesUp: [index.name],
    },
    'Check that the application logs no further error 11000.',
  );
}
