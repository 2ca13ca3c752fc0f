import type { NotCompared } from './drift-schema.js';
import { namespaceFilter } from '../inventory/namespace-filter.js';
import type { Comparison } from './compared-collection.js';
import type { ComparedRunFacts } from './compared-run-facts.js';
import { onlyMessage, subjectText, type SideNames } from './difference-message.js';
import type { DriftSide } from './drift-schema.js';

/**
 * A collection that one run lists and the other does not. It is no difference if the other run was not asked for it, or
 * could not list it.
 *
 * @param elsewhere what it is called in the other run
 */
export function onlyThere(
  side: DriftSide,
  { namespace, elsewhere }: { readonly namespace: string; readonly elsewhere: string },
  other: ComparedRunFacts,
  names: SideNames,
): Comparison {
  const missing = side === 'old' ? 'new' : 'old';
  const unlisted = unlistedReason(elsewhere, other);
  if (unlisted !== null) {
    const detail = `${names[missing]}: ${unlisted.detail}`;
    const entry = { subject: 'collection' as const, namespace, name: null, side: missing as DriftSide };
    return { differences: [], notCompared: [{ ...entry, reason: unlisted.reason, detail }] };
  }
  const message = onlyMessage(subjectText('collection', null), side, names);
  return {
    differences: [{ subject: 'collection', namespace, name: null, in: side, declared: true, changes: [], message }],
    notCompared: [],
  };
}

function unlistedReason(
  namespace: string,
  { inventory, globs }: ComparedRunFacts,
): Pick<NotCompared, 'reason' | 'detail'> | null {
  if (!globs.every((each) => namespaceFilter(each)(namespace)))
    return { reason: 'not-asked', detail: 'it was not asked for this collection.' };
  const unlisted = inventory.unlisted.find(
    ({ database }) => database === undefined || namespace.startsWith(`${database}.`),
  );
  return unlisted === undefined ? null : { reason: unlisted.absent.reason, detail: unlisted.absent.detail };
}
