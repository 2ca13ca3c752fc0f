import { fieldPath } from './field-path.js';
import { filterShape } from './filter-shape.js';
import { pipelineShape } from './pipeline-shape.js';
import type { LiteralReader } from './placeholder.js';
import { sortShape } from './sort-shape.js';
import type { Shape } from './shape.js';

const PUSH_MODIFIERS = new Set(['$each', '$slice', '$position', '$sort']);

/** What an update does: operators with the paths they write, stages, or `?object` for a replacement. */
export function updateShape(update: unknown, database: string, literal: LiteralReader): Shape {
  if (Array.isArray(update)) return pipelineShape(update, database, literal) as unknown as Shape;
  if (typeof update !== 'object' || update === null) return '?object';
  const entries = Object.entries(update);
  if (entries[0]?.[0].startsWith('$') !== true) return '?object';
  return Object.fromEntries(entries.map(([operator, fields]) => [operator, operandShapes(operator, fields, literal)]));
}

function operandShapes(operator: string, fields: unknown, literal: LiteralReader): Shape {
  if (typeof fields !== 'object' || fields === null) return '?object';
  return Object.fromEntries(
    Object.entries(fields).map(([path, operand]) => [fieldPath(path), operandShape(operator, operand, literal)]),
  );
}

function operandShape(operator: string, operand: unknown, literal: LiteralReader): Shape {
  if (operator === '$rename') return typeof operand === 'string' ? fieldPath(operand) : '?string';
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return literal(operand);
  const [first] = Object.keys(operand);
  if (first === undefined || !first.startsWith('$')) return literal(operand);
  if (operator === '$pull') return filterShape({ element: operand }, literal)['element'] ?? '?object';
  if (!PUSH_MODIFIERS.has(first)) return literal(operand);
  return Object.fromEntries(
    Object.entries(operand).map(([name, value]) => [name, name === '$sort' ? pushOrder(value) : literal(value)]),
  );
}

function pushOrder(order: unknown): Shape {
  return typeof order === 'object' ? sortShape(order) : '?number';
}
