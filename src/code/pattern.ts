import type { BindingPattern, Expression, ParamPattern } from 'oxc-parser';
import type { Way } from './scope.js';
import { writtenName } from './syntax.js';

/** A name that a pattern declares, and the way to it from the value that is taken apart. */
export interface DeclaredName {
  readonly name: string;
  readonly way: Way;
  /** What it is if there is nothing. */
  readonly otherwise: Expression | null;
}

/** The names in `{ a, b: [c = 1], ...rest }`. */
export function namesIn(
  pattern: BindingPattern | ParamPattern,
  way: Way = [],
  otherwise: Expression | null = null,
): readonly DeclaredName[] {
  switch (pattern.type) {
    case 'Identifier':
      return [{ name: pattern.name, way, otherwise }];
    case 'AssignmentPattern':
      return namesIn(pattern.left, way, pattern.right);
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        property.type === 'RestElement'
          ? namesIn(property.argument, [...way, null])
          : namesIn(property.value, [...way, writtenName(property)]),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element, index) => {
        if (element === null) return [];
        return element.type === 'RestElement'
          ? namesIn(element.argument, [...way, null])
          : namesIn(element, [...way, String(index)]);
      });
    case 'RestElement':
      return namesIn(pattern.argument, [null]);
    default:
      return [];
  }
}
