import { fieldPath } from './sort-shape.js';
import type { LiteralReader } from './placeholder.js';
import type { Shape } from './shape.js';

const OPERATORS: Readonly<Record<string, string>> = {
  '==': '$eq',
  '===': '$eq',
  '!=': '$ne',
  '!==': '$ne',
  '<': '$lt',
  '<=': '$lte',
  '>': '$gt',
  '>=': '$gte',
};

const FUNCTION = /^function\s*\w*\(\s*\)\s*\{([^{}]*)\}$/;
const COMPARISON = /^(\S+?)\s*(===|!==|==|!=|<=|>=|<|>)\s*(\S+|"[^"\\]*"|'[^'\\]*')$/;
const FIELD = /^(?:this|obj)((?:\.[A-Za-z_]\w*)+)$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const TEXT = /^(?:"[^"\\]*"|'[^'\\]*')$/;

/**
 * The expression that says the same as a script of `$where`, if that only compares fields with each other or with values:
 * `this.total < this.paid` is `{$lt: ['$total', '$paid']}`. Null for every other script. No value is kept.
 */
export function scriptShape(script: string, literal: LiteralReader): Shape | null {
  const body = FUNCTION.exec(script.trim())?.[1] ?? script;
  const text = body
    .trim()
    .replace(/^return\s/, '')
    .replace(/;$/, '');
  const parts = text.split('&&').map((part) => comparison(unwrapped(part.trim()), literal));
  const known = parts.flatMap((part) => part ?? []);
  if (known.length < parts.length) return null;
  return known.length === 1 ? known[0]! : { $and: known };
}

function unwrapped(text: string): string {
  return /^\([^()]*\)$/.test(text) ? text.slice(1, -1).trim() : text;
}

function comparison(text: string, literal: LiteralReader): Shape | null {
  const [, left = '', operator = '', right = ''] = COMPARISON.exec(text) ?? [];
  const operands = [left, right].map((operand) => operandOf(operand, literal));
  if (operands.includes(null) || !operands.some((operand) => operand?.startsWith('$'))) return null;
  return { [OPERATORS[operator] as string]: operands as string[] };
}

function operandOf(text: string, literal: LiteralReader): string | null {
  const path = FIELD.exec(text)?.[1];
  if (path !== undefined) return path.endsWith('.length') ? null : fieldPath(`$${path.slice(1)}`);
  if (NUMBER.test(text)) return literal(Number(text));
  if (TEXT.test(text)) return literal(text);
  return text === 'true' || text === 'false' ? literal(text === 'true') : null;
}
