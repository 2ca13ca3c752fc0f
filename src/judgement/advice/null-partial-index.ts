import type { IndexProposal, PartialOption } from '../../inventory/index-proposal.js';
import type { FieldTypes } from '../../profile/field-types.js';
import { indexCost } from '../indexes/index-cost.js';
import { indexName } from '../indexes/index-proposal.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import { valuesAt } from '../joins/joined-values.js';

/** Share of the documents that a partial index must leave out. Judgement: below a half, most entries stay. */
const LEAST_LEFT_OUT = 0.5;

/**
 * An index to create with what it would be as a partial one, if that leaves many documents out. One that replaces others must
 * hold all documents, as they do.
 *
 * @param nulls the fields that every query that it serves asks to be null or missing
 */
export function withPartialOption(
  proposal: IndexProposal,
  nulls: readonly string[],
  known: JoinedCollection,
): IndexProposal {
  if (proposal.action !== 'create' || proposal.supersedes.length > 0) return proposal;
  const [partial] = nulls
    .flatMap((field) => partialOption(proposal, field, known) ?? [])
    .toSorted((one, other) => other.leftOut - one.leftOut);
  return partial === undefined ? proposal : { ...proposal, partial };
}

function partialOption(proposal: IndexProposal, field: string, known: JoinedCollection): PartialOption | null {
  const { [field]: kind, ...key } = proposal.key;
  const { indexes, fieldTypes } = known;
  if (kind === undefined || Object.keys(key).length === 0 || !fieldTypes.present) return null;
  const leftOut = shareOfOthers(fieldTypes.value, field);
  const name = `${indexName(key)}_partial`;
  if (leftOut === null || leftOut < LEAST_LEFT_OUT) return null;
  if (indexes.present && indexes.value.some((index) => index.name === name)) return null;
  const cost = indexCost({ key, ...proposal.options }, known, []);
  const [whole, rest] = [proposal.cost?.size?.estimate, cost?.size?.estimate];
  return {
    field,
    key,
    name,
    leftOut,
    entries: cost === null ? null : Math.round(cost.entries * leftOut),
    bytes: whole === undefined || rest === undefined ? null : Math.max(0, Math.round(whole - rest * (1 - leftOut))),
  };
}

/** The share of the documents whose field has a value; null if some hold arrays, which may hold null. */
function shareOfOthers(types: FieldTypes, field: string): number | null {
  const values = valuesAt(types, field);
  if (values === null || types.documents === 0) return null;
  if ((values.types.array ?? 0) > 0 || Object.keys(values.elementTypes).length > 0) return null;
  const { null: _null, undefined: _undefined, ...others } = values.types as Readonly<Record<string, number>>;
  return Object.values(others).reduce((sum, count) => sum + count, 0) / types.documents;
}
