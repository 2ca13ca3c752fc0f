import type { Condition } from './bounds.js';
import type { Predicate } from './predicate.js';

/** A conjunction: its conditions, its alternatives, and whether it asks for more that no index can tell. */
export interface Conjunction {
  readonly conditions: readonly Condition[];
  readonly alternatives: readonly (readonly Predicate[])[];
  readonly asksForMore: boolean;
}

/** What holds beside the alternatives. */
export function partsWithout(predicate: Predicate, branches: readonly Predicate[]): Predicate[] {
  if (predicate.kind !== 'and') return [];
  return predicate.of.filter((each) => !(each.kind === 'or' && each.of === branches));
}

/** @param elements the arrays one element of which has to meet it */
export function partsOf(predicate: Predicate, elements: readonly object[] = []): Conjunction {
  switch (predicate.kind) {
    case 'comparison':
      return predicate.path === ''
        ? { conditions: [], alternatives: [], asksForMore: true }
        : { conditions: [{ comparison: predicate, negated: false, elements }], alternatives: [], asksForMore: false };
    case 'and': {
      const parts = predicate.of.map((each) => partsOf(each, elements));
      return {
        conditions: parts.flatMap(({ conditions }) => conditions),
        alternatives: parts.flatMap(({ alternatives }) => alternatives),
        asksForMore: parts.some(({ asksForMore }) => asksForMore),
      };
    }
    case 'or':
      return {
        conditions: [],
        alternatives: elements.length === 0 ? [predicate.of] : [],
        asksForMore: elements.length > 0,
      };
    case 'not':
      return predicate.of.kind === 'comparison' && predicate.of.path !== ''
        ? { conditions: [{ comparison: predicate.of, negated: true, elements }], alternatives: [], asksForMore: false }
        : { conditions: [], alternatives: [], asksForMore: true };
    case 'element':
      // That one element meets all of it, only the document tells.
      return { ...partsOf(predicate.of, [...elements, predicate]), asksForMore: true };
    default:
      return { conditions: [], alternatives: [], asksForMore: true };
  }
}
