import { formatCount, plural } from '../src/format.js';
import type { JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { valuesAt } from '../src/judgement/joins/joined-values.js';
import { namesAreKept } from '../src/judgement/pipelines/needless-sort.js';
import { pipelineText } from '../src/judgement/pipelines/pipeline-text.js';
import { unwoundField } from '../src/judgement/pipelines/stage-reads.js';
import { queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { RECURRING, RETIRED_OF_OPERATIONS } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck } from '../src/judgement/queries/worst-query-check.js';
import type { FieldTypes } from '../src/profile/field-types.js';
import { below, fieldOf, operatorOf, referencesOf, stageOf } from '../src/workload/joins/references.js';
import { isObjectShape, type ObjectShape, type Shape } from '../src/workload/shapes/shape.js';

export const rebuiltArray = defineWorstQueryCheck({
  id: 'rebuilt-array',
  title: 'Array taken apart and rebuilt',
  summary: 'an array that `$unwind` takes apart and `$group` rebuilds, though an expression over the array would do',
  thresholds: {
    info: {
      default: 10_000,
      unit: 'documents',
      description: 'documents made of elements per execution, estimated',
      source: 'judgement: some ten milliseconds of processor, and the memory of the groups',
    },
    warning: {
      default: 100_000,
      unit: 'documents',
      description: 'documents made of elements per execution, if the pipeline is repeated',
      source: 'judgement: a tenth of a second of processor; groups of more than 100 MB go to the disk',
    },
  },
  retiredThresholds: RETIRED_OF_OPERATIONS,
  byPlans: true,
  find: ({ cluster }) => rebuiltArrays(cluster),
  path: ({ path }) => path,
  rank: ({ unwound }) => unwound,
  severity({ cost, unwound }, { limits: { info, warning } }) {
    if (unwound < info) return null;
    return unwound >= warning && cost.executions >= RECURRING ? 'warning' : 'info';
  },
  confidence: 'medium',
  message: ([{ path, documents, unwound, cost }]) =>
    `An aggregate unwinds \`${path}\` and groups the elements by \`_id\` again: ${plural(Math.round(documents), 'document')} ` +
    `become an estimated ${formatCount(Math.round(unwound))} per execution (${cost.window}). An expression over the array avoids that.`,
  figures: ([{ documents, unwound }]) => ({
    documentsReturned: Math.round(documents),
    documentsUnwoundEstimated: Math.round(unwound),
  }),
  remedy: ({ query, path, rewritten }) => [
    {
      text: `Compute over the array of each document. Replace the placeholders in angle brackets. The \`$match\` leaves out documents without elements, as \`$unwind\` does. The results are the same if \`${path}\` is an array wherever it is set, as in the sample.`,
      code: pipelineText(query.known.collection.namespace, rewritten),
    },
    { text: 'Check that the results are the same, and that explain("executionStats") shows no `$group`.' },
  ],
});

/** Stages after which there are as many documents. */
const KEEPING = new Set(['$project', '$addFields', '$unset', '$sort']);

/** Accumulators that are operators of expressions too, with the same result of the values of an array. */
const SAME_IN_EXPRESSIONS = new Set(['$sum', '$avg', '$min', '$max']);

/** A recorded aggregate that takes an array apart and rebuilds it. */
interface RebuildingQuery extends RebuiltArray {
  readonly query: Query;
  readonly cost: QueryCost;
  /** Returned per execution. */
  readonly documents: number;
  /** Made of elements per execution, by the average length of the arrays. */
  readonly unwound: number;
}

/** On collections that are not sharded: only there is `_id` surely unique. */
function rebuiltArrays(cluster: JoinedCluster): RebuildingQuery[] {
  return queriesOf(cluster).flatMap((query): RebuildingQuery[] => {
    const { pipeline, namespace, truncated } = query.operation.shape;
    const { collection, fieldTypes } = query.known;
    if (pipeline === undefined || truncated === true || namespace !== collection.namespace) return [];
    if (collection.sharding !== undefined || !fieldTypes.present || !namesAreKept(pipeline)) return [];
    const rebuilt = rebuiltBy(pipeline, fieldTypes.value);
    const cost = queryCost([query], cluster.workload);
    const documents = cost?.documentsReturned ?? null;
    if (rebuilt === null || cost === null || documents === null) return [];
    return [{ ...rebuilt, query, cost, documents, unwound: documents * rebuilt.elements }];
  });
}

/** A pipeline that takes an array apart and groups the elements by document again, and one without that. */
interface RebuiltArray {
  readonly path: string;
  /** On average. */
  readonly elements: number;
  readonly rewritten: readonly ObjectShape[];
}

/**
 * Null unless the rewritten pipeline surely has the same results: a `$unwind` behind filters alone, with a `$group` by
 * `_id` directly behind it, of an array that holds objects or single values in every sampled document that has it.
 */
function rebuiltBy(stages: readonly ObjectShape[], fieldTypes: FieldTypes): RebuiltArray | null {
  const at = stages.findIndex((stage) => !('$match' in stage));
  const [unwind, group, ...rest] = at === -1 ? [] : stages.slice(at);
  const path = unwind === undefined ? null : plainUnwind(unwind);
  const body = group?.['$group'];
  if (path === null || !isObjectShape(body) || body['_id'] !== '$_id') return null;
  if (!rest.every((stage) => KEEPING.has(stageOf(stage).name))) return null;
  const elements = elementsOf(fieldTypes, path);
  const fields = Object.entries(body).flatMap(([name, accumulator]): (readonly [string, Shape | null])[] =>
    name === '_id' ? [] : [[name, inExpression(accumulator, path, elements?.areObjects === true)]],
  );
  if (elements === null || fields.length === 0 || fields.some(([, expression]) => expression === null)) return null;
  const $project = Object.fromEntries(fields) as ObjectShape;
  const filled = { $match: { [`${path}.0`]: { $exists: true } } };
  return { path, elements: elements.mean, rewritten: [...stages.slice(0, at), filled, { $project }, ...rest] };
}

/** Only a field at the top, without options. */
function plainUnwind(stage: ObjectShape): string | null {
  const path = unwoundField(stage);
  const { body } = stageOf(stage);
  const isPlain = isObjectShape(body) && Object.keys(body).length === 1;
  return isPlain && path !== null && path !== '' && path !== '_id' && !path.includes('.') ? path : null;
}

function elementsOf(fieldTypes: FieldTypes, path: string): { mean: number; areObjects: boolean } | null {
  const values = valuesAt(fieldTypes, path);
  if (values === null || values.elementsPerArray === null) return null;
  const { array = 0, null: _null, undefined: _undefined, ...others } = values.types;
  const kinds = Object.keys(values.elementTypes);
  const isPlain = array > 0 && Object.values(others).every((count) => count === 0);
  if (!isPlain || kinds.includes('array')) return null;
  return { mean: values.elementsPerArray, areObjects: kinds.length === 1 && kinds[0] === 'object' };
}

function inExpression(accumulator: Shape, path: string, areObjects: boolean): Shape | null {
  const { operator, operand } = operatorOf(accumulator) ?? { operator: '', operand: '' };
  if (operator === '$sum' && operand === '?number') return { $multiply: [{ $size: `$${path}` }, '?number'] };
  const field = fieldOf(operand);
  if (field === null || String(operand).startsWith('$$')) return null;
  const within = below(field, path);
  if (operator === '$first' && within === null && referencesOf(operand).fields.size === 1)
    return below(path, field) === null ? { $ifNull: [operand, '?null'] } : null;
  if (within === null || (within !== '' && !areObjects)) return null;
  if (operator === '$push') return operand;
  return SAME_IN_EXPRESSIONS.has(operator) ? { [operator]: operand } : null;
}
