import { defineClusterCheck, type ClusterVerdict, type IndexDescription, type Problem } from '../../src/check.js';
import { formatBytes, formatCount, formatShare, plural } from '../../src/format.js';
import { fieldsOfEntries, formatIndexKey } from '../../src/inventory/index-key.js';
import { IDLE_INDEX_WARNING, indexBytesAt } from '../../src/judgement/indexes/index-bytes.js';
import { judgedAt, judgedAtText, judgedSize } from '../../src/judgement/judged-size.js';
import { plannedFigures } from '../../src/judgement/queries/query-cost.js';
import { databaseOf } from '../../src/namespace.js';
import { ownValue } from '../../src/plain.js';
import type { FieldTypes } from '../../src/profile/field-types.js';
import { sourceCoverage } from '../../src/workload/coverage/source-window.js';
import { keyText } from '../../src/workload/shapes/hint-text.js';
import type { TracedWorkload } from '../../src/workload/traced-workload.js';
import { FIGURE_SOURCES, type Operation } from '../../src/workload/workload.js';
import { faultOf, isEmpty, type Fault } from './fault.js';
import { ADVICE_FOR_ALL, stepsFor } from './remedy.js';

/** Share of the documents that a query may examine by an index that serves it well: judgement. */
const WELL_SERVED = 0.1;

/**
 * Values of a field, or two of which one is rare, up to which an index is judged if all operations were recorded. Judgement.
 */
const FEW_VALUES = 5;

/**
 * Sampled documents from which the values of a field are known. Judgement: 5 % of such samples miss what three in a hundred
 * documents have.
 */
const FEWEST_SAMPLED = 100;

/** Share of the documents with the rarer value below which an index may serve queries for it. Judgement. */
const RARE = 0.05;

/** Recorded executions of the collection from which it counts that none uses an index well. Judgement. */
const RECORDED = 20;

/** The same, if every operation was recorded, from which it counts that none asks for a rare value. Judgement. */
const ALL_RECORDED = 100;

export const uselessIndex = defineClusterCheck({
  id: 'useless-index',
  title: 'Index that finds nothing',
  summary: 'an index that begins with a field of few values, with one that no document has, or with `_id`',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload'],
  thresholds: {
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents of the collection below which it is not judged',
      source: 'judgement: in fewer, what each value or field is for does not show yet, and an index costs little',
    },
    fieldDocuments: {
      default: 1_000,
      unit: 'documents',
      description: 'documents of the collection from which an index on a field that none has is judged',
      source:
        'judgement: a field that a thousand documents lack is misspelt, gone or yet to come, whatever the index costs',
    },
    warning: IDLE_INDEX_WARNING,
  },
  retiredThresholds: ['values', 'sampled', 'rare', 'recorded', 'all'],
  judge({ collections, workload }, limits): ClusterVerdict[] {
    // That `_id` finds one document does not hang on how many there are.
    const floorOf = ({ values, isNull }: Fault) =>
      values === null ? 0 : values === 0 || isNull ? limits.fieldDocuments : limits.documents;
    return [...collections.values()].flatMap(({ collection, indexes, storage, fieldTypes }): ClusterVerdict[] => {
      if (collection.kind !== 'collection' || !indexes.present || !storage.present || !fieldTypes.present) return [];
      const { count, indexSizes } = storage.value;
      const types = fieldTypes.value;
      const size = judgedSize(collection, count ?? 0);
      if (count === null) return [];
      const seen = { share: types.complete ? 1 : Math.min(1, types.documents / count), byChance: !types.complete };
      const { namespace } = collection;
      const planned = workload.tracedOperations.flatMap(({ operation, base }) =>
        base === namespace && plannedFigures(operation) !== null ? [operation] : [],
      );
      const executions = planned.reduce((sum, one) => sum + (plannedFigures(one)?.figures.executions ?? 0), 0);
      const isRecorded = executions >= RECORDED;
      const most = {
        rare: RARE,
        values: executions >= ALL_RECORDED && isAllRecorded(namespace, workload) ? FEW_VALUES : 2,
      };
      return indexes.value.flatMap((index): ClusterVerdict[] => {
        const fault = faultOf(index, collection, types, seen, most);
        if (fault === null || isEmpty(index, fault, types) || size.documents < floorOf(fault)) return [];
        const isOfValues = (fault.values ?? 0) > 0;
        if (fault.values !== null && types.documents < FEWEST_SAMPLED) return [];
        // The fields behind the first may serve queries for all of them, which only queries can tell.
        if (isOfValues && Object.keys(index.key).length > 1 && !isRecorded) return [];
        if (planned.some((operation) => isServedWell(operation, index, count, fault))) return [];
        const bytes = ownValue(indexSizes ?? {}, index.name) ?? null;
        const isWarning =
          indexBytesAt(bytes ?? 0, size) >= limits.warning &&
          fault.isSure &&
          !fault.byRecord &&
          (!isOfValues || isRecorded);
        const steps = stepsFor(collection, index, fault);
        const problem: Problem = {
          severity: isWarning ? 'warning' : 'info',
          confidence: fault.isSure && !fault.byRecord && (fault.values !== null || isRecorded) ? 'high' : 'medium',
          path: index.name,
          causedBy: `index ${index.name}`,
          message: `${messageOf(index, fault, types, bytes)}${isOfValues ? recordedText(isRecorded, executions) : ''}${judgedAtText(size)}`,
          ...judgedAt(size),
          restsOn: ['sample'],
          evidence: {
            source: 'listIndexes and sample',
            window: `${formatCount(types.documents)} of ${formatCount(count)} documents`,
            key: { ...index.key },
            ...(fault.values !== null && { values: fault.values }),
            ...(isOfValues && (fault.values ?? 0) <= 2 && { rarestShare: fault.rarest }),
            recordedExecutions: executions,
            ...(bytes !== null && { indexBytes: bytes }),
          },
          remedy: { steps },
          ...(!isWarning && steps.every(({ command }) => command === undefined) && { adviceForAll: ADVICE_FOR_ALL }),
        };
        return [{ namespace, ...problem }];
      });
    });
  },
});

function isAllRecorded(namespace: string, workload: TracedWorkload): boolean {
  return FIGURE_SOURCES.some((source) => sourceCoverage(workload, source, databaseOf(namespace)).operations === 'all');
}

/**
 * Whether a recorded operation used the index and examined few of the documents, or none, as a count does. Of one on `_id` and
 * more, whether it used it for anything but single documents.
 */
function isServedWell(operation: Operation, { key }: IndexDescription, documents: number, { values }: Fault): boolean {
  const { figures } = plannedFigures(operation) ?? {};
  const plans = Object.keys(figures?.planSummaries ?? {});
  if (figures === undefined || !plans.some((plan) => plan.includes(keyText(key)))) return false;
  if (values === null) return figures.documentsExamined !== figures.executions;
  return (figures.documentsExamined ?? 0) <= WELL_SERVED * documents * Math.max(1, figures.executions);
}

function messageOf(index: IndexDescription, fault: Fault, { documents }: FieldTypes, bytes: number | null): string {
  const { field, values, isNull, rarest } = fault;
  const begins = `Index \`${index.name}\` on ${formatIndexKey(index.key)} begins with \`${field}\``;
  const of = `${plural(documents, 'document')}${fault.isSure ? '' : ' of the sample'}`;
  const size = bytes === null ? '' : ` It takes ${formatBytes(bytes)}.`;
  if (values === null)
    return `${begins}, which finds one document by itself: the fields behind it find nothing more. Each insert writes it.${size}`;
  if (isNull)
    return `${begins}, which is null or missing in all ${of}: a search by it finds all of them or none.${size}`;
  if (values > 0) {
    const two = `two values in ${of}, the rarer one in ${formatShare(rarest)}`;
    const how = values === 1 ? `one value in all ${of}` : values === 2 ? two : `${formatCount(values)} values in ${of}`;
    if (fault.byRecord) return `${begins}, which has ${how}.${size}`;
    return `${begins}, which has ${how}. A search by it reads a large part of the collection, which a scan does faster.${size}`;
  }
  const deletes = index.expireAfterSeconds === undefined ? '' : ', and its TTL deletes nothing';
  const writes = fieldsOfEntries(index) === null ? ' Each insert writes an entry for it.' : '';
  return `${begins}, which none of ${of} has: it finds nothing${deletes}.${writes}${size}`;
}

function recordedText(isRecorded: boolean, executions: number): string {
  return isRecorded
    ? ` None of ${plural(executions, 'recorded execution')} uses it well.`
    : ' Too few operations of the collection were recorded to tell whether one uses it well.';
}
