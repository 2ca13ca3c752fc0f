import { formatBytes, formatCount } from '../format.js';
import type { Absent, Evidence } from '../presence.js';
import type { CollectionFacts, DeclaredOptions, SizeFacts } from './collection-facts.js';
import { comparedFields } from './compared-fields.js';
import {
  comparedIndexes,
  hasLeftOutValues,
  optionChanges,
  shardingChanges,
  validatorChanges,
  viewChanges,
} from './compared-indexes.js';
import {
  changedMessage,
  type ComparedNamespace,
  type Comparison,
  notCompared,
  sizesMessage,
  subjectText,
} from './difference-message.js';
import type { Change, Difference, DriftSide, NotCompared } from './drift-schema.js';

/** How many times as many documents are another order of size … */
const DOCUMENTS_FACTOR = 10;

/** … if there are so many more. */
const FEWEST_MORE = 1_000;

/** How many times as large an average document is another shape. */
const AVERAGE_FACTOR = 2;

/** Documents from which an average says something. */
const FEWEST_OF_AVERAGE = 100;

const DECLARED = { options: true, validator: true, view: true, size: false } as const;

/** Compares a collection that both runs have. */
export function comparedCollection(
  [older, newer]: readonly [older: CollectionFacts, newer: CollectionFacts],
  of: ComparedNamespace,
): Comparison {
  if (older.kind !== newer.kind) return changed(of, 'options', [{ what: 'type', old: older.kind, new: newer.kind }]);
  return [
    ...ofBoth(of, 'options', [older.declared, newer.declared], declaredParts),
    ...ofBoth(of, 'index', [older.indexes, newer.indexes], comparedIndexes),
    ...ofBoth(of, 'field', [older.fields, newer.fields], comparedFields),
    ...ofBoth(of, 'size', [older.sizes, newer.sizes], sizeParts),
  ];
}

/** What one side does not know is not compared. Null is what such a collection can't have. */
function ofBoth<Value>(
  of: ComparedNamespace,
  subject: NotCompared['subject'],
  [before, after]: readonly [Evidence<Value> | null, Evidence<Value> | null],
  compare: (before: Value, after: Value, of: ComparedNamespace) => Comparison,
): Comparison {
  if (before === null || after === null) return [];
  if (before.present && after.present) return compare(before.value, after.value, of);
  const unread = (side: DriftSide, { reason, detail }: Absent) =>
    notCompared(of, { subject, side, reason, detail: `${of.names[side]}: ${detail}` });
  return [...(before.present ? [] : [unread('old', before)]), ...(after.present ? [] : [unread('new', after)])];
}

function declaredParts(before: DeclaredOptions, after: DeclaredOptions, of: ComparedNamespace): Comparison {
  const sharding = of.isShardingKnown ? shardingChanges(before, after) : [];
  const detail = 'the values in it are not in the files.';
  const unkept = (['validator', 'pipeline'] as const).filter((name) => {
    return before[name] !== undefined && after[name] !== undefined && hasLeftOutValues(after[name]);
  });
  return [
    ...changed(of, 'options', [...optionChanges(before, after), ...sharding]),
    ...changed(of, 'validator', validatorChanges(before, after)),
    ...changed(of, 'view', viewChanges(before, after)),
    ...unkept.map((name) => {
      const subject = name === 'pipeline' ? 'view' : name;
      return notCompared(of, { subject, side: 'both', reason: 'not-kept', detail });
    }),
  ];
}

function changed(
  { namespace, names }: ComparedNamespace,
  subject: keyof typeof DECLARED,
  changes: readonly Change[],
): Difference[] {
  if (changes.length === 0) return [];
  const text = subject === 'size' ? sizesMessage : changedMessage;
  const message = text(subjectText(subject, null), changes, names);
  const declared = DECLARED[subject];
  return [{ subject, namespace, name: null, in: 'both', declared, changes: [...changes], message }];
}

/** Counts and averages of `$collStats` that differ by a factor, or are 0 on one side only. What is unknown is left out. */
function sizeParts(older: SizeFacts, newer: SizeFacts, of: ComparedNamespace): Comparison {
  return changed(of, 'size', [...comparedCounts(older.count, newer.count), ...comparedAverages(older, newer)]);
}

function comparedCounts(before: number | null, after: number | null): Change[] {
  if (before === null || after === null) return [];
  const [fewer, more] = [Math.min(before, after), Math.max(before, after)];
  const isEmptied = fewer === 0 && more > 0;
  if (!isEmptied && (more < fewer * DOCUMENTS_FACTOR || more - fewer < FEWEST_MORE)) return [];
  return [{ what: 'documents', old: formatCount(before), new: formatCount(after) }];
}

function comparedAverages(older: SizeFacts, newer: SizeFacts): Change[] {
  const [before, after] = [older.averageDocumentSize, newer.averageDocumentSize];
  if (before === null || after === null) return [];
  if (Math.min(older.count ?? 0, newer.count ?? 0) < FEWEST_OF_AVERAGE) return [];
  if (Math.max(before, after) < Math.min(before, after) * AVERAGE_FACTOR) return [];
  return [{ what: 'average document', old: formatBytes(before), new: formatBytes(after) }];
}
