import { databaseOf, nameOf } from '../../namespace.js';
import { stageOf } from '../../workload/joins/references.js';
import { GIVEN_DOCUMENTS, isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import { shellAggregation } from '../shell-statement.js';

/** Stages whose shape keeps too little to write them again. */
const KEPT_IN_PART = new Set([
  '$bucket',
  '$bucketAuto',
  '$setWindowFields',
  '$fill',
  '$densify',
  '$geoNear',
  '$merge',
  '$documents',
]);

/** A pipeline as a command for mongosh, with `<number>` and the like in place of values, which are never kept. */
export function pipelineText(namespace: string, stages: readonly ObjectShape[]): string {
  return shellAggregation(namespace, ...stageTexts(stages, databaseOf(namespace)));
}

function stageTexts(stages: readonly ObjectShape[], database: string): string[] {
  return stages.flatMap((stage, index) => {
    if (isEndOfCount(stages, index)) return [];
    const counted = isEndOfCount(stages, index + 1) ? countedField(stage) : null;
    return counted === null ? [stageText(stage, database)] : [`{ $count: ${JSON.stringify(counted)} }`];
  });
}

function stageText(stage: ObjectShape, database: string): string {
  const { name, body } = stageOf(stage);
  if (KEPT_IN_PART.has(name) || body === '?object' || isOfGivenDocuments(body)) return `{ ${name}: <as before> }`;
  return `{ ${name}: ${bodyText(name, body, database)} }`;
}

/** A join with documents of the command itself, which are not kept. */
function isOfGivenDocuments(body: Shape): boolean {
  return isObjectShape(body) && String(body['from'] ?? body['coll']).endsWith(`.${GIVEN_DOCUMENTS}`);
}

function bodyText(name: string, body: Shape, database: string): string {
  if (name === '$unwind' && isObjectShape(body) && Object.keys(body).length === 1) return valueText(body['path'] ?? '');
  if (name === '$match') return filterText(body);
  if (name === '$out') return collectionText(body, database);
  if (!isObjectShape(body)) return valueText(body);
  if (name === '$facet')
    return objectText(Object.entries(body).map(([branch, stages]) => [branch, arrayText(stages, database)]));
  if (name !== '$lookup' && name !== '$graphLookup' && name !== '$unionWith') return valueText(body);
  return objectText(
    Object.entries(body).map(([argument, value]) => {
      if (argument === 'from' || argument === 'coll') return [argument, collectionText(value, database)];
      if (argument === 'pipeline') return [argument, arrayText(value, database)];
      return [argument, argument === 'restrictSearchWithMatch' ? filterText(value) : valueText(value)];
    }),
  );
}

function arrayText(stages: Shape, database: string): string {
  const list = Array.isArray(stages) ? (stages as readonly Shape[]).filter(isObjectShape) : [];
  return `[${stageTexts(list, database).join(', ')}]`;
}

function collectionText(namespace: Shape, database: string): string {
  const text = String(namespace);
  if (text.startsWith('?')) return '<collection>';
  return databaseOf(text) === database
    ? JSON.stringify(nameOf(text))
    : `{ db: ${JSON.stringify(databaseOf(text))}, coll: ${JSON.stringify(nameOf(text))} }`;
}

/** An equality is written as the value alone. */
function filterText(filter: Shape): string {
  if (Array.isArray(filter)) return `[${(filter as readonly Shape[]).map(filterText).join(', ')}]`;
  if (!isObjectShape(filter)) return valueText(filter);
  const entries = Object.entries(filter);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === '$eq') return valueText(first[1]);
  return objectText(entries.map(([name, value]) => [name, name === '$expr' ? valueText(value) : filterText(value)]));
}

/** An expression, a projection or a value, with `<number>` and the like in place of values. */
export function valueText(shape: Shape): string {
  if (typeof shape === 'string') return stringText(shape);
  if (typeof shape !== 'object') return String(shape);
  if (Array.isArray(shape)) return `[${(shape as readonly Shape[]).map(valueText).join(', ')}]`;
  return objectText(Object.entries(shape).map(([name, value]) => [name, valueText(value)]));
}

function stringText(shape: string): string {
  if (shape === '?null') return 'null';
  if (shape === '[]') return shape;
  const element = /^\?array<\??(.*)>$/.exec(shape)?.[1];
  if (element !== undefined) return `[<${element === '' ? 'values' : element}>]`;
  return shape.startsWith('?') ? `<${shape.slice(1).replace(/:.*/, '')}>` : JSON.stringify(shape);
}

function objectText(entries: readonly (readonly [name: string, text: string])[]): string {
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([name, text]) => `${nameText(name)}: ${text}`).join(', ')} }`;
}

function nameText(name: string): string {
  return /^\$?[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** A `$count` is kept as the two stages that it is short for. */
function isEndOfCount(stages: readonly ObjectShape[], index: number): boolean {
  const [before, stage] = [stages[index - 1], stages[index]];
  if (before === undefined || stage === undefined) return false;
  const [counted, project] = [countedField(before), stage['$project']];
  return (
    counted !== null &&
    isObjectShape(project) &&
    Object.keys(project).length === 2 &&
    project[counted] === true &&
    project['_id'] === false
  );
}

function countedField({ $group }: ObjectShape): string | null {
  if (!isObjectShape($group) || $group['_id'] !== '?null') return null;
  const [field, ...others] = Object.entries($group).filter(([name]) => name !== '_id');
  return field !== undefined && others.length === 0 && isObjectShape(field[1]) && field[1]['$sum'] === '?number'
    ? field[0]
    : null;
}
