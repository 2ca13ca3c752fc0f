import { LONGEST_TEXT, SOME, UNDEFINED, choice, constant, isNullish, type Value } from './value.js';

/** The value of a template, or of texts that are added up. */
export function joinedText(texts: readonly string[], parts: readonly Value[]): Value {
  let text = texts[0] ?? '';
  for (const [index, value] of parts.entries()) {
    if (value.kind !== 'constant' || value.value instanceof RegExp || text.length > LONGEST_TEXT) return SOME;
    text += String(value.value) + (texts[index + 1] ?? '');
  }
  return constant(text);
}

/** The value of `&&`, `||` and `??`. */
export function either(operator: string, left: Value, right: () => Value): Value {
  if (operator === '&&') return choice([isNullish(left) ? left : UNDEFINED, right()]);
  if (isNullish(left)) return right();
  if (left.kind === 'unknown') return choice([left, right()]);
  return left.kind === 'constant' || left.kind === 'choice' || left.kind === 'some' ? choice([left, right()]) : left;
}

/** The value of `new RegExp(…)`. Of a pattern that is not known, whether it ignores case. */
export function madeExpression(given: readonly Value[] | null): Value {
  const [pattern, flags] = given ?? [];
  if (given === null || (flags !== undefined && flags.kind !== 'constant')) return SOME;
  try {
    const source = pattern?.kind === 'constant' && pattern.value !== undefined ? String(pattern.value) : '';
    return constant(new RegExp(source, flags?.value === undefined ? '' : String(flags.value)));
  } catch {
    return SOME;
  }
}

export function unary(operator: string, operand: Value): Value {
  if (operator === '-' && operand.kind === 'constant' && typeof operand.value === 'number')
    return constant(-operand.value);
  return operator === 'void' ? UNDEFINED : SOME;
}
