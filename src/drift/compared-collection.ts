import { formatBytes, formatCount, formatShare } from '../format.js';
import type { Absent, Evidence } from '../presence.js';
import { shareInterval } from '../profile/sampling/confidence.js';
import type { CollectionFacts, DeclaredOptions, Field, FieldFacts, SizeFacts } from './collection-facts.js';
import {
  comparedIndexes,
  hasLeftOutValues,
  optionChanges,
  shardingChanges,
  validatorChanges,
  viewChanges,
} from './compared-indexes.js';
import {
  type Change,
  changedMessage,
  type ComparedNamespace,
  type Comparison,
  type Difference,
  type DriftSide,
  notCompared,
  type NotCompared,
  sharesMessage,
  sizesMessage,
  subjectText,
} from './drift.js';

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

/** Share of the documents from which a field, or a type of its values, is reported if the other run hardly has it. */
const COMMON = 0.1;

/** Share up to which a run hardly has it. A random sample of 200 documents without it shows that. */
const RARE = 0.05;

/** If all documents were read, nothing is missed: this is how surely few of them show what further ones would hold. */
const RISK_OF_FEW = 0.01;

/** A share of the sampled documents. */
interface Seen {
  readonly hits: number;
  readonly trials: number;
  readonly complete: boolean;
}

/**
 * Fields and types that are common in one run and hardly there in the other. Another sample of the same documents says the
 * same: a share crosses a line only if its confidence interval does.
 */
function comparedFields(older: FieldFacts, newer: FieldFacts, of: ComparedNamespace): Comparison {
  const unsure = [...unsureFields(older, 'old', of), ...unsureFields(newer, 'new', of)];
  if (unsure.length > 0) return unsure;
  const { namespace, names } = of;
  const [before, after] = [byPath(older), byPath(newer)];
  const beneathData = new Set([...older.fields, ...newer.fields].filter(isNamedByData).map(({ parent }) => parent));
  const settled = new Set<string>();
  const differences: Difference[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, new_] = [before.get(path), after.get(path)];
    const { parent } = (old ?? new_) as Field;
    if (beneathData.has(parent) || (parent !== null && settled.has(parent))) {
      settled.add(path);
      continue;
    }
    const difference = ofPresence([older, old], [newer, new_]) ?? ofTypes([older, old], [newer, new_]);
    if (difference === null) continue;
    const { in: side, changes } = difference;
    const message = sharesMessage(subjectText('field', path), changes, names);
    differences.push({ subject: 'field', namespace, name: path, in: side, declared: false, changes, message });
    // What lies below it differs by that alone.
    settled.add(path);
  }
  return differences;
}

function unsureFields({ documents, areFirst }: FieldFacts, side: DriftSide, of: ComparedNamespace): NotCompared[] {
  if (documents > 0 && !areFirst) return [];
  const fault =
    documents === 0
      ? 'no document was sampled.'
      : 'only the first documents were sampled, which later ones may differ from.';
  return [notCompared(of, { subject: 'field', side, reason: 'insufficient', detail: `${of.names[side]}: ${fault}` })];
}

type Part = Pick<Difference, 'in' | 'changes'>;

type Side = readonly [facts: FieldFacts, field: Field | undefined];

function ofPresence([older, old]: Side, [newer, new_]: Side): Part | null {
  const before = { hits: old?.documents ?? 0, trials: older.documents, complete: older.complete };
  const after = { hits: new_?.documents ?? 0, trials: newer.documents, complete: newer.complete };
  const only = onlyIn(before, after);
  if (only === null || (only === 'old' ? newer : older).isCut) return null;
  return { in: only, changes: [{ what: 'documents', old: seenText(before), new: seenText(after) }] };
}

function ofTypes([older, old]: Side, [newer, new_]: Side): Part | null {
  if (old === undefined || new_ === undefined) return null;
  const changes = [...new Set([...Object.keys(old.types), ...Object.keys(new_.types)])].flatMap((type): Change[] => {
    const [before, after] = [seenOfType(older, old, type), seenOfType(newer, new_, type)];
    return onlyIn(before, after) === null ? [] : [{ what: type, old: seenText(before), new: seenText(after) }];
  });
  return changes.length === 0 ? null : { in: 'both', changes };
}

function seenOfType({ complete }: FieldFacts, { documents, types }: Field, type: string): Seen {
  return { hits: Math.round((types[type] ?? 0) * documents), trials: documents, complete };
}

function onlyIn(before: Seen, after: Seen): 'old' | 'new' | null {
  if (isCommonBesideRare(before, after)) return 'old';
  return isCommonBesideRare(after, before) ? 'new' : null;
}

function isCommonBesideRare(one: Seen, other: Seen): boolean {
  const [surely] = interval(one);
  if (surely < COMMON || other.trials === 0) return false;
  const [, atMost] = interval(other);
  return other.complete ? other.hits <= other.trials * RARE && atMost <= surely / 2 : atMost <= RARE;
}

function interval({ hits, trials, complete }: Seen): readonly [low: number, high: number] {
  return complete ? shareInterval(hits, trials, RISK_OF_FEW) : shareInterval(hits, trials);
}

function seenText({ hits, trials, complete }: Seen): string {
  const documents = `${formatCount(trials)}${complete ? '' : ' sampled'}`;
  return hits === 0 ? `none of ${documents}` : `${formatShare(hits / trials)} of ${documents}`;
}

function byPath({ fields }: FieldFacts): Map<string, Field> {
  return new Map(fields.map((field) => [field.path, field]));
}

function isNamedByData({ path }: Field): boolean {
  return path === '*' || path.endsWith('.*');
}
