import {
  defineClusterCheck,
  type ClusterVerdict,
  type Collection,
  type IndexDescription,
  type RemedyStep,
} from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatBytes, formatCount, plural } from '../../src/format.js';
import { formatIndexKey, hideIndexCommand } from '../../src/inventory/index-key.js';
import { IDLE_INDEX_WARNING, indexBytesAt } from '../../src/judgement/indexes/index-cost.js';
import { AFTER_A_CYCLE, hidingSteps } from '../../src/judgement/indexes/index-steps.js';
import { judgedAt, judgedAtText, judgedSize } from '../../src/judgement/judged-size.js';
import { plannedFigures } from '../../src/judgement/queries/query-cost.js';
import { SCAN_COST, shellCommand, shellScan } from '../../src/judgement/shell-statement.js';
import { ownValue } from '../../src/plain.js';
import { sourceCoverage } from '../../src/workload/coverage/recording.js';
import { keyText } from '../../src/workload/shapes/sort-shape.js';
import { FIGURE_SOURCES, type OperationFigures } from '../../src/workload/workload.js';
import { type Fault, faultOf } from './fault.js';

const ADVICE_FOR_ALL = stepsOf(
  'Find out whether the first field of each was renamed, is misspelled or is not written yet, and whether a query needs it. With --include and one collection, mongolint prints how.',
  `Otherwise hide the index, which takes no time to undo. Drop it if nothing has become slower after ${AFTER_A_CYCLE} and unhide it if not.`,
);

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

/**
 * An index is a finding if its first field tells no documents apart: it has one or two values, or is null or missing in all
 * documents, or is `_id`, which finds one document by itself. No recorded operation may have used it to examine few documents.
 * For an index on several fields, and for up to five values, only a record of what the application runs shows that.
 */
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
      description: 'documents of the collection, at least',
      source: 'judgement: in fewer, what each value or field is for does not show yet, and an index costs little',
    },
    fieldDocuments: {
      default: 1_000,
      unit: 'documents',
      description: 'documents of the collection, at least, if no document has the field',
      source: 'judgement: a field that a thousand documents lack is misspelt, gone or yet to come',
    },
    warning: IDLE_INDEX_WARNING,
  },
  retiredThresholds: ['values', 'sampled', 'rare', 'recorded', 'all'],
  judge({ collections, workload }, limits): ClusterVerdict[] {
    return [...collections.values()].flatMap(({ collection, indexes, storage, fieldTypes }): ClusterVerdict[] => {
      if (collection.kind !== 'collection' || !indexes.present || !storage.present || !fieldTypes.present) return [];
      const [{ count, indexSizes }, types] = [storage.value, fieldTypes.value];
      if (count === null) return [];
      const size = judgedSize(collection, count);
      const least = { id: 0, missing: limits.fieldDocuments, null: limits.fieldDocuments, few: limits.documents };
      const seen = { share: types.complete ? 1 : Math.min(1, types.documents / count), byChance: !types.complete };
      const own = workload.tracedOperations.filter(({ base }) => base === collection.namespace);
      const planned = own.flatMap(({ operation }) => plannedFigures(operation)?.figures ?? []);
      const executions = planned.reduce((sum, figures) => sum + figures.executions, 0);
      const isRecorded = executions >= RECORDED;
      const coverage = FIGURE_SOURCES.map((source) => sourceCoverage(workload, source, collection.database));
      const isAllRecorded = executions >= ALL_RECORDED && coverage.some(({ operations }) => operations === 'all');
      const most = { rare: RARE, values: isAllRecorded ? FEW_VALUES : 2 };
      return indexes.value.flatMap((index): ClusterVerdict[] => {
        const fault = faultOf(index, collection, types, seen, most);
        if (fault === null || size.documents < least[fault.kind]) return [];
        const { kind, isSure, figures } = fault;
        const isOfValues = kind === 'null' || kind === 'few';
        // The fields behind the first may serve queries for all of them, which only queries can tell.
        const isUntold = isOfValues && Object.keys(index.key).length > 1 && !isRecorded;
        if (isUntold || (kind !== 'id' && types.documents < FEWEST_SAMPLED)) return [];
        // One on `_id` and more serves anything but single documents well.
        const isWell = ({ executions: times, documentsExamined: read }: OperationFigures) =>
          kind === 'id' ? read !== times : (read ?? 0) <= WELL_SERVED * count * Math.max(1, times);
        const isUsed = (plans: readonly string[]) => plans.some((plan) => plan.includes(keyText(index.key)));
        if (planned.some((each) => isUsed(Object.keys(each.planSummaries)) && isWell(each))) return [];
        const bytes = ownValue(indexSizes ?? {}, index.name) ?? null;
        const isWarning = indexBytesAt(bytes ?? 0, size) >= limits.warning && isSure && (!isOfValues || isRecorded);
        const steps = stepsFor(collection, index, fault);
        return [
          {
            namespace: collection.namespace,
            severity: isWarning ? 'warning' : 'info',
            confidence: isSure && (kind !== 'id' || isRecorded) ? 'high' : 'medium',
            path: index.name,
            causedBy: `index ${index.name}`,
            message:
              `Index \`${index.name}\` on ${formatIndexKey(index.key)} begins with \`${fault.field}\`, ${fault.text}` +
              `${bytes === null ? '' : ` It takes ${formatBytes(bytes)}.`}` +
              `${isOfValues && isRecorded ? ` None of ${plural(executions, 'recorded execution')} uses it well.` : ''}` +
              `${isOfValues && !isRecorded ? ' Too few operations were recorded to tell whether one uses it well.' : ''}` +
              judgedAtText(size),
            ...judgedAt(size),
            restsOn: ['sample'],
            evidence: {
              source: 'listIndexes and sample',
              window: `${formatCount(types.documents)} of ${formatCount(count)} documents`,
              key: { ...index.key },
              ...figures,
              recordedExecutions: executions,
              ...(bytes !== null && { indexBytes: bytes }),
            },
            remedy: { steps },
            ...(!isWarning && steps.every(({ command }) => command === undefined) && { adviceForAll: ADVICE_FOR_ALL }),
          },
        ];
      });
    });
  },
});

function stepsFor(collection: Collection, index: IndexDescription, { kind, field, isSure }: Fault): RemedyStep[] {
  const hiding = hidingSteps(collection, index, AFTER_A_CYCLE);
  if (kind === 'id') return hiding;
  const question = `Find out first whether \`${field}\` was renamed, is misspelt in the index or is yet to be set, and whether queries look for null in it.`;
  const search = `${shellScan(collection.namespace, `{ ${JSON.stringify(field)}: { $ne: null } }`, '{ _id: 1 }')}.hint({ $natural: 1 }).limit(1)`;
  const unsure = `${question} No result means that it is null or missing in all documents. ${SCAN_COST}`;
  const few =
    'If queries search for this field and others together, first create an index that begins with the others. If they search for one value that will become rare, create a partial index for it.';
  const sure = { text: kind === 'few' ? few : question };
  const first = isSure || kind === 'few' ? sure : { text: unsure, code: search };
  if (kind === 'missing' && isSure) return [first, ...hiding];
  // What a person has to decide first gets no command.
  const { db, command } = hideIndexCommand(collection, index);
  return [first, ...hiding.map(({ command: _command, ...step }) => ({ code: shellCommand(db, command), ...step }))];
}
