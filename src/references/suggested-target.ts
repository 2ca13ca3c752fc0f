import { queryPath } from '../profile/path-steps.js';
import type { Reference } from './references.js';

/** `tagIds`, `tag_ids`. */
const REFERENCES_ENDING =
  /(?:[_-](?:ids|uuids|guids|refs|keys|oids)|(?<=[a-z])(?:Ids|IDs|Uuids|UUIDs|Guids|Refs|Keys|Oids))$/;
/** `customerId`, `customer_ref`. */
const REFERENCE_ENDING =
  /(?:[_-]?(?:id|uuid|guid|ref|key|oid|no|number|code)|(?<=[a-z])(?:Id|ID|Uuid|UUID|Guid|Ref|Key|Oid|No|Number|Code))$/;

/** The name before them counts: `customer._id`. */
const BARE_REFERENCE = new Set(['_id', 'id', 'uuid', 'guid', 'ref', 'key', 'oid', '$id']);

/** Shorter stems match by chance. */
const SHORTEST_STEM = 3;

/** Judgement: most values of a reference are found. */
const SHARE_FOUND = 0.5;
/** Judgement: fewer found values show nothing. */
const FEWEST_FOUND = 3;

/** `crm.Customers` → `customer`. */
export function nameOfTarget(collection: string): string {
  return normalized(collection.slice(collection.lastIndexOf('.') + 1));
}

/** `customerId`, `billing.customer_id` and `customer._id` → `customer`; null if the name suggests nothing. */
export function nameInField(path: string): string | null {
  const names = queryPath(path).split('.');
  const last = names.at(-1) ?? '';
  const name = BARE_REFERENCE.has(last) ? (names.at(-2) ?? '') : withoutEnding(last);
  const stem = normalized(name === '' ? last : name);
  return stem.length < SHORTEST_STEM ? null : stem;
}

/** An id of the object that holds it: `customer._id`. */
export function isBareReference(path: string): boolean {
  return BARE_REFERENCE.has(path.slice(path.lastIndexOf('.') + 1));
}

/** "parentOrder" suggests "order", "customer" suggests "crmcustomer". */
export function suggestsTarget(inField: string | null, target: string): boolean {
  if (inField === null || target.length < SHORTEST_STEM) return false;
  return inField.endsWith(target) || target.endsWith(inField);
}

export function isProven({ values, found }: Pick<Reference, 'values' | 'found'>): boolean {
  return found >= FEWEST_FOUND && found / values >= SHARE_FOUND;
}

/** The collections that hold the values of a field, the one that it refers to first. */
export interface OrderedTargets {
  readonly references: readonly Reference[];
  /** True if neither the name nor the values show which of several is meant: those that share `_id`s hold the same. */
  readonly isAmbiguous: boolean;
}

/**
 * The collection that the name of the field names comes first if it holds most of the values, else the one that holds more
 * of them. That the field's own collection holds them too shows nothing, and a recorded join shows more than a name.
 *
 * @param references of one field
 * @param isJoined whether a recorded join leads from the field to that collection
 */
export function orderedTargets(
  references: readonly Reference[],
  isJoined: (reference: Reference) => boolean = () => false,
): OrderedTargets {
  const ranked = references
    .map((reference) => ({
      reference,
      named: isJoined(reference) ? JOINED : isProven(reference) ? namedBy(reference) : 0,
      isOwn: reference.target === reference.namespace,
    }))
    .toSorted(
      (one, other) =>
        other.named - one.named ||
        other.reference.found - one.reference.found ||
        Number(one.isOwn) - Number(other.isOwn),
    );
  const [first, second] = ranked;
  return {
    references: ranked.map(({ reference }) => reference),
    isAmbiguous:
      first !== undefined &&
      second?.named === first.named &&
      (second.reference.found === first.reference.found || (first.isOwn && isProven(second.reference))),
  };
}

/** More than a name shows. */
const JOINED = 3;

/** "customer" names "customers" better than "crm_customers". */
function namedBy({ path, target }: Reference): number {
  const [inField, name] = [nameInField(path), nameOfTarget(target)];
  return Number(suggestsTarget(inField, name)) + Number(inField === name);
}

function withoutEnding(name: string): string {
  return name.replace(REFERENCES_ENDING.test(name) ? REFERENCES_ENDING : REFERENCE_ENDING, '');
}

/** Lower case, without separators, singular. */
function normalized(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (/[^aeiou]ies$/.test(plain)) return `${plain.slice(0, -'ies'.length)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(plain)) return plain.slice(0, -'es'.length);
  return /[^s]s$/.test(plain) ? plain.slice(0, -'s'.length) : plain;
}
