import { queryPath } from '../documents/path-steps.js';

/** What stands at the end of a name of several: `tagIds`, `tag_ids`. */
const REFERENCES_ENDING =
  /(?:[_-](?:ids|uuids|guids|refs|keys|oids)|(?<=[a-z])(?:Ids|IDs|Uuids|UUIDs|Guids|Refs|Keys|Oids))$/;
/** What stands at the end of a field's name and says that it refers to something: `customerId`, `customer_ref`. */
const REFERENCE_ENDING =
  /(?:[_-]?(?:id|uuid|guid|ref|key|oid|no|number|code)|(?<=[a-z])(?:Id|ID|Uuid|UUID|Guid|Ref|Key|Oid|No|Number|Code))$/;

/** Names that say nothing by themselves; what they belong to stands before them: `customer._id`. */
const BARE_REFERENCE = new Set(['_id', 'id', 'uuid', 'guid', 'ref', 'key', 'oid', '$id']);

/** Shorter stems match by chance. */
const SHORTEST_STEM = 3;

/** What the name of a collection says that its documents are: `crm.Customers` → `customer`. */
export function nameOfTarget(collection: string): string {
  return normalized(collection.slice(collection.lastIndexOf('.') + 1));
}

/** What a field's name says that it refers to: of `customerId`, `billing.customer_id`, `customer_ids` and `customer._id` `customer`; null where it says nothing. */
export function nameInField(path: string): string | null {
  const names = queryPath(path).split('.');
  const last = names.at(-1) ?? '';
  const name = BARE_REFERENCE.has(last) ? (names.at(-2) ?? '') : withoutEnding(last);
  const stem = normalized(name === '' ? last : name);
  return stem.length < SHORTEST_STEM ? null : stem;
}

/** True where the field's own name says nothing: it is the id of the object that holds it, as in `customer._id`. */
export function isBareReference(path: string): boolean {
  return BARE_REFERENCE.has(path.slice(path.lastIndexOf('.') + 1));
}

/** True where a field's name suggests that it refers to a collection of this name: "parentOrder" to "order", "customer" to "crmcustomer". */
export function suggestsTarget(inField: string | null, target: string): boolean {
  if (inField === null || target.length < SHORTEST_STEM) return false;
  return inField.endsWith(target) || target.endsWith(inField);
}

function withoutEnding(name: string): string {
  return name.replace(REFERENCES_ENDING.test(name) ? REFERENCES_ENDING : REFERENCE_ENDING, '');
}

/** In lower case, without separators, in the singular. */
function normalized(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (/[^aeiou]ies$/.test(plain)) return `${plain.slice(0, -'ies'.length)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(plain)) return plain.slice(0, -'es'.length);
  return /[^s]s$/.test(plain) ? plain.slice(0, -'s'.length) : plain;
}
