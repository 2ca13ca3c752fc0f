import type { Comparison, Element, Predicate } from './predicate.js';

/** A condition of a conjunction, and the elements of arrays (`$elemMatch`) that it is about. */
export interface Condition {
  readonly comparison: Comparison;
  readonly negated: boolean;
  readonly elements: readonly Element[];
}

/** A conjunction: its conditions, its alternatives, and whether it asks for more that no index can tell. */
export interface Conjunction {
  readonly conditions: readonly Condition[];
  readonly alternatives: readonly Alternative[];
  readonly asksForMore: boolean;
}

/** An `$or`, and the elements of arrays that its branches are about. */
export interface Alternative {
  readonly branches: readonly Predicate[];
  readonly elements: readonly Element[];
}

const NOTHING: Conjunction = { conditions: [], alternatives: [], asksForMore: false };
const MORE: Conjunction = { ...NOTHING, asksForMore: true };

/** @param elements the arrays one element of which has to meet it */
export function partsOf(predicate: Predicate, elements: readonly Element[] = []): Conjunction {
  switch (predicate.kind) {
    case 'comparison':
      return predicate.path === ''
        ? MORE
        : { ...NOTHING, conditions: [{ comparison: predicate, negated: false, elements }] };
    case 'and': {
      const parts = predicate.of.map((each) => partsOf(each, elements));
      return {
        conditions: parts.flatMap(({ conditions }) => conditions),
        alternatives: parts.flatMap(({ alternatives }) => alternatives),
        asksForMore: parts.some(({ asksForMore }) => asksForMore),
      };
    }
    case 'or':
      return { ...NOTHING, alternatives: [{ branches: predicate.of, elements }] };
    case 'not':
      return predicate.of.kind === 'comparison' && predicate.of.path !== ''
        ? { ...NOTHING, conditions: [{ comparison: predicate.of, negated: true, elements }] }
        : MORE;
    case 'element': {
      const parts = partsOf(predicate.of, [...elements, predicate]);
      // An index is searched for a value by all that is asked of it, or not at all.
      if (predicate.ofValues && (parts.asksForMore || parts.alternatives.length > 0)) return MORE;
      // That one element meets all of it, only the document tells.
      return { ...parts, asksForMore: true };
    }
    default:
      return MORE;
  }
}
