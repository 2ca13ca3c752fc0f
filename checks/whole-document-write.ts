import type { RemedyStep } from '../src/finding.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes } from '../src/format.js';
import { severityOf } from '../src/judgement/margins.js';
import { equalPaths } from '../src/judgement/queries/conditions.js';
import { queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { isRepeated } from '../src/judgement/queries/query-size.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck, type FoundQuery, textOf } from '../src/judgement/queries/worst-query-check.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { fieldsOf, isObjectShape } from '../src/workload/shapes/shape.js';

interface WholeWrite extends FoundQuery {
  readonly cost: QueryCost;
  /** The field that is set as a whole; null for the document. */
  readonly path: string | null;
  /** Written as a whole, in a document of average size. */
  readonly bytes: number;
}

/** A repeated update that replaces large documents, or sets a large array or object as a whole, is a finding by their size. */
export const wholeDocumentWrite = defineWorstQueryCheck({
  id: 'whole-document-write',
  title: 'Write of a whole document',
  summary: 'updates that replace large documents, or set a large array or object as a whole',
  thresholds: {
    info: {
      default: 4 * 1024,
      unit: 'bytes',
      description: 'bytes that an update sends as a whole, on average',
      source: 'judgement: more than most updates change',
    },
    warning: {
      default: 32 * 1024,
      unit: 'bytes',
      description: 'bytes that an update sends as a whole, on average',
      source: 'judgement: at a hundred writes a second, 270 GB of oplog a day',
    },
  },
  byPlans: true,
  find: ({ cluster }) =>
    queriesOf(cluster).flatMap((query): WholeWrite[] => {
      const cost = queryCost([query], cluster.workload);
      if (cost === null || !isRepeated(query, cost)) return [];
      return wholeWrites(query).map((write) => ({ ...write, query, cost }));
    }),
  path: ({ path }) => path,
  rank: ({ bytes, cost }) => bytes * cost.executions,
  severity: ({ bytes }, { limits }) => severityOf(bytes, { ...limits, error: Infinity }),
  confidence: 'medium',
  message(all) {
    const [{ path, bytes, cost, query }] = all;
    const what = path === null ? 'replaces whole documents' : `sets all of \`${path}\``;
    const lost = isGuarded(query) ? '' : ' What another client changed since the document was read is overwritten.';
    return `${textOf(all)} ${what}: ${formatBytes(bytes)} on average, however little changes (${cost.window}).${lost}`;
  },
  figures: ([{ bytes }]) => ({ writtenBytes: Math.round(bytes) }),
  saved: () => 0,
  remedy: ({ query, path }) => stepsFor(query, path),
});

function wholeWrites({
  operation: { shape },
  known: { storage, fieldTypes },
}: Query): Pick<WholeWrite, 'path' | 'bytes'>[] {
  const average = storage.present ? storage.value.averageDocumentSize : null;
  if (average === null || shape.truncated === true || (shape.kind !== 'update' && shape.kind !== 'findAndModify'))
    return [];
  if (shape.update === '?object') return [{ path: null, bytes: average }];
  if (!isObjectShape(shape.update) || !fieldTypes.present) return [];
  const { fields } = fieldTypes.value;
  return fieldsOf(shape.update['$set']).flatMap(([name, value]) => {
    const share = fields.find(({ path }) => path === name)?.shareOfBytes ?? 0;
    const isWhole = typeof value === 'string' && /^\?(?:array|object$)/.test(value);
    return isWhole ? [{ path: name, bytes: share * average }] : [];
  });
}

/** Whether it writes only if the document is as it was read, by a version or by what changes; an upsert may only insert. */
function isGuarded({ conditions, operation }: Query): boolean {
  return equalPaths(conditions).length > 1 || operation.shape.upsert === true;
}

function stepsFor({ known: { collection, fieldTypes } }: Query, path: string | null): RemedyStep[] {
  const fields = fieldTypes.present ? fieldTypes.value.fields : [];
  const isArray = (fields.find((field) => field.path === path)?.types.array ?? 0) > 0;
  const change =
    path === null || !isArray
      ? `{ $set: { ${JSON.stringify(path === null ? '<field>' : `${path}.<field>`)}: <value> } }`
      : `{ $push: { ${JSON.stringify(path)}: <element> } }`;
  return stepsOf(
    {
      text:
        path === null
          ? 'Send what changed: `$set` of these fields, `$push` of new elements. An ODM does so if the loaded document is saved and not a copy of it.'
          : `Send what changed: \`$push\` and \`$pull\` of elements of \`${path}\`, or \`$set\` of one field within it.`,
      code: shellStatement(collection.namespace, 'updateOne', '{ _id: <id> }', change),
    },
    'If it must be replaced as a whole, ask for its version, too: `{ _id, version }` with `$inc: { version: 1 }`. If nothing matches, read it again.',
    'Check that the oplog entries of this collection are small.',
  );
}
