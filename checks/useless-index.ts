import {
  defineClusterCheck,
  type ClusterVerdict,
  type IndexDescription,
  type Problem,
  type RemedyStep,
} from '../src/check.js';
import { formatBytes, formatCount, formatShare, plural } from '../src/format.js';
import { formatIndexKey, hideIndexCommand, isIdIndex, isVisible } from '../src/inventory/index-key.js';
import type { Collection } from '../src/inventory/collection.js';
import { IDLE_INDEX_WARNING, indexBytesAt } from '../src/judgement/indexes/index-bytes.js';
import { dropHiddenStep } from '../src/judgement/indexes/index-steps.js';
import { judgedAt, judgedAtText, judgedSize } from '../src/judgement/judged-size.js';
import { shareWithin, type SeenPart } from '../src/judgement/margins.js';
import { plannedFigures } from '../src/judgement/queries/query-cost.js';
import { SCAN_COST, shellScan, spacedJson } from '../src/judgement/shell-statement.js';
import { ownValue } from '../src/plain.js';
import type { FieldType, FieldTypes } from '../src/profile/field-types.js';
import { queryPath } from '../src/profile/path-steps.js';
import { fieldPath } from '../src/workload/shapes/sort-shape.js';
import type { Operation } from '../src/workload/workload.js';

/** Values that no index tells from a missing field. */
const NOTHING = ['null', 'undefined'] as const;
/** Objects and arrays are no values of which the sample counts the different ones. */
const NOT_COUNTED = ['object', 'array'] as const;
/** Share of the documents that a query may examine by an index that serves it well: judgement. */
const WELL_SERVED = 0.1;

/** Why an index serves nothing, as its leading field shows. */
interface Fault {
  readonly field: string;
  /** 0 if no sampled document has the field. */
  readonly values: 0 | 1 | 2;
  /** Share of the documents with the rarer value, 0 to 1; 1 for a single value, 0 without a field. */
  readonly rarest: number;
  /** Whether it holds of the whole collection: all documents were read, or the type has no further values. */
  readonly isSure: boolean;
}

export const uselessIndex = defineClusterCheck({
  id: 'useless-index',
  title: 'Index that finds nothing',
  summary: 'an index that begins with a field of two values at most, or with one that no document has',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload'],
  thresholds: {
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents of the collection below which it is not judged',
      source: 'judgement: in fewer, what each value or field is for does not show yet, and an index costs little',
    },
    sampled: {
      default: 100,
      unit: 'documents',
      description: 'sampled documents from which the values of a field are known',
      source: 'judgement: 5 % of such samples miss a field or a value that three in a hundred documents have',
    },
    rare: {
      default: 0.05,
      unit: 'share',
      description: 'share of the documents with the rarer value below which an index may serve queries for it',
      source: 'judgement: an index that finds a twentieth of the documents reads them faster than a scan',
    },
    recorded: {
      default: 20,
      unit: 'executions',
      description: 'recorded executions of the collection from which it counts that none uses an index well',
      source: 'judgement: fewer are not all that an application does',
    },
    warning: IDLE_INDEX_WARNING,
  },
  judge({ collections, workload }, limits): ClusterVerdict[] {
    return [...collections.values()].flatMap(({ collection, indexes, storage, fieldTypes }): ClusterVerdict[] => {
      if (collection.kind !== 'collection' || !indexes.present || !storage.present || !fieldTypes.present) return [];
      const { count, indexSizes } = storage.value;
      const types = fieldTypes.value;
      const size = judgedSize(collection, count ?? 0);
      if (count === null || size.documents < limits.documents || types.documents < limits.sampled) return [];
      const seen = { share: types.complete ? 1 : Math.min(1, types.documents / count), byChance: !types.complete };
      const { namespace } = collection;
      const planned = workload.tracedOperations.flatMap(({ operation, base }) =>
        base === namespace && plannedFigures(operation) !== null ? [operation] : [],
      );
      const executions = planned.reduce((sum, one) => sum + (plannedFigures(one)?.figures.executions ?? 0), 0);
      const isRecorded = executions >= limits.recorded;
      return indexes.value.flatMap((index): ClusterVerdict[] => {
        const fault = faultOf(index, collection, types, seen, limits.rare);
        if (fault === null) return [];
        const isOfValues = fault.values > 0;
        // The fields behind the first may serve queries for all of them, which only queries can tell.
        if (isOfValues && Object.keys(index.key).length > 1 && !isRecorded) return [];
        if (planned.some((operation) => isServedWell(operation, index, count))) return [];
        const bytes = ownValue(indexSizes ?? {}, index.name) ?? null;
        const isWarning =
          indexBytesAt(bytes ?? 0, size) >= limits.warning && fault.isSure && (!isOfValues || isRecorded);
        const problem: Problem = {
          severity: isWarning && !isEmpty(index, fault) ? 'warning' : 'info',
          confidence: fault.isSure ? 'high' : 'medium',
          path: index.name,
          causedBy: `index ${index.name}`,
          message: `${messageOf(index, fault, types, bytes)}${isOfValues ? recordedText(isRecorded, executions) : ''}${judgedAtText(size)}`,
          ...judgedAt(size),
          restsOn: ['sample'],
          evidence: {
            source: 'listIndexes and sample',
            window: `${formatCount(types.documents)} of ${formatCount(count)} documents`,
            key: { ...index.key },
            values: fault.values,
            ...(isOfValues && { rarestShare: fault.rarest }),
            recordedExecutions: executions,
            ...(bytes !== null && { indexBytes: bytes }),
          },
          remedy: { steps: isOfValues ? fewValuesSteps(collection, index) : noFieldSteps(collection, index, fault) },
        };
        return [{ namespace, ...problem }];
      });
    });
  },
});

function faultOf(
  index: IndexDescription,
  { sharding }: Collection,
  types: FieldTypes,
  seen: SeenPart,
  rare: number,
): Fault | null {
  const [[field, kind] = ['', '']] = Object.entries(index.key);
  if (index.unique || !isVisible(index) || isIdIndex(index) || kind === 'text' || field.includes('$**')) return null;
  if (sharding?.key[0]?.path === field) return null;
  const found = types.fields.filter(({ path }) => isAt(queryPath(path), field));
  if (found.length === 0) return { field, values: 0, rarest: 0, isSure: types.complete };
  const [type, ...others] = found;
  const isPlain = typeof kind === 'number' || kind === 'hashed';
  if (type === undefined || others.length > 0 || type.path !== field || !isPlain) return null;
  if (index.expireAfterSeconds !== undefined || index.partialFilterExpression !== undefined) return null;
  return fewValues(type, index.sparse, types, seen, rare);
}

/** Whether a path is that of a field, or below it, or may be: names that are data are `*`. */
function isAt(path: string, field: string): boolean {
  const names = path.split('.');
  return field.split('.').every((name, at) => names[at] === name || names[at] === '*');
}

function fewValues(
  { path: field, types, documents, spread }: FieldType,
  isSparse: boolean,
  { documents: sampled, complete }: FieldTypes,
  seen: SeenPart,
  rare: number,
): Fault | null {
  if (NOT_COUNTED.some((type) => (types[type] ?? 0) > 0)) return null;
  const nulls = NOTHING.reduce((sum, type) => sum + (types[type] ?? 0), 0);
  const nothing = isSparse ? nulls : sampled - documents + nulls;
  const { distinct, commonest } = spread ?? { distinct: 0, commonest: 0 };
  const values = distinct + (nothing > 0 ? 1 : 0);
  if (values < 1 || values > 2 || (isSparse && documents < sampled)) return null;
  const something = documents - nulls;
  const rarer = distinct === 2 ? (1 - commonest) * something : Math.min(nothing, something);
  if (values === 2 && shareWithin(rarer, sampled, seen)[0] < rare) return null;
  const isOfBooleans = Object.keys(types).every((type) => type === 'bool');
  const isSure = complete || (isOfBooleans && nothing === 0);
  return { field, values: values as 1 | 2, rarest: values === 1 ? 1 : rarer / sampled, isSure };
}

/** Whether a recorded operation used the index and examined few of the documents, or none, as a count does. */
function isServedWell(operation: Operation, { key }: IndexDescription, documents: number): boolean {
  const { figures } = plannedFigures(operation) ?? {};
  const plans = Object.keys(figures?.planSummaries ?? {});
  if (figures === undefined || !plans.some((plan) => plan.includes(planKey(key)))) return false;
  return (figures.documentsExamined ?? 0) <= WELL_SERVED * documents * Math.max(1, figures.executions);
}

/** As a plan summary names it: `{ active: 1 }`. */
function planKey(key: IndexDescription['key']): string {
  return `{ ${Object.entries(key)
    .map(([path, kind]) => `${fieldPath(path)}: ${typeof kind === 'string' ? JSON.stringify(kind) : kind}`)
    .join(', ')} }`;
}

/** What holds no entry costs nothing but its file. */
function isEmpty({ sparse, partialFilterExpression }: IndexDescription, { values }: Fault): boolean {
  return values === 0 && (sparse || partialFilterExpression !== undefined);
}

function messageOf(index: IndexDescription, fault: Fault, { documents }: FieldTypes, bytes: number | null): string {
  const { field, values, rarest } = fault;
  const begins = `Index \`${index.name}\` on ${formatIndexKey(index.key)} begins with \`${field}\``;
  const of = `${plural(documents, 'document')}${fault.isSure ? '' : ' of the sample'}`;
  const size = bytes === null ? '' : ` It takes ${formatBytes(bytes)}.`;
  if (values > 0) {
    const how =
      values === 1 ? `one value in all ${of}` : `two values in ${of}, the rarer one in ${formatShare(rarest)}`;
    return `${begins}, which has ${how}. A search by it reads a large part of the collection, which a scan does faster.${size}`;
  }
  const deletes = index.expireAfterSeconds === undefined ? '' : ', and its TTL deletes nothing';
  const holds = isEmpty(index, fault) ? 'It holds no entry' : 'Each insert writes an entry for the missing field';
  return `${begins}, which none of ${of} has: it finds nothing${deletes}. ${holds}.${size}`;
}

function recordedText(isRecorded: boolean, executions: number): string {
  return isRecorded
    ? ` None of ${plural(executions, 'recorded execution')} uses it well.`
    : ' Too few operations of the collection were recorded to tell whether one uses it well.';
}

function fewValuesSteps(collection: Collection, index: IndexDescription): RemedyStep[] {
  return [
    {
      text: 'If queries search for this field and others together, create an index that begins with the others. If they search for one value that will become rare, create a partial index for it.',
    },
    hidingStep(collection, index),
    dropHiddenStep(collection, index, "a full cycle of the application's jobs, such as a month,"),
  ];
}

function noFieldSteps(collection: Collection, index: IndexDescription, { field, isSure }: Fault): RemedyStep[] {
  const exists = `{ ${JSON.stringify(field)}: { $exists: true } }`;
  const hide = hidingStep(collection, index);
  return [
    {
      text: `Find out whether \`${field}\` was renamed, is misspelt in the index, or is yet to be written.${isSure ? '' : ` No result means that no document has it. ${SCAN_COST}`}`,
      ...(!isSure && {
        code: `${shellScan(collection.namespace, exists, '{ _id: 1 }')}.hint({ $natural: 1 }).limit(1)`,
      }),
    },
    isSure ? { text: hide.text, command: hideIndexCommand(collection, index) } : hide,
    dropHiddenStep(collection, index, "a full cycle of the application's jobs, such as a month,"),
  ];
}

function hidingStep({ database, name }: Collection, index: IndexDescription): RemedyStep {
  const { command } = hideIndexCommand({ database, name }, index);
  return {
    text: `Otherwise hide \`${index.name}\`. The server keeps it up to date, so unhiding it takes no time. A query that names it in hint() fails.`,
    code: `db.getSiblingDB(${JSON.stringify(database)}).runCommand(${spacedJson(command)})`,
  };
}
