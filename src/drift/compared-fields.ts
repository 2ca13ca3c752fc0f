import { formatCount, formatShare } from '../format.js';
import { shareInterval } from '../profile/sampling/confidence.js';
import type { Field, FieldFacts } from './collection-facts.js';
import {
  type ComparedNamespace,
  type Comparison,
  notCompared,
  sharesMessage,
  subjectText,
} from './difference-message.js';
import type { Change, Difference, DriftSide, NotCompared } from './drift-schema.js';

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
export function comparedFields(older: FieldFacts, newer: FieldFacts, of: ComparedNamespace): Comparison {
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
