import { BSONRegExp, type Document } from 'mongodb';
import type { SeededRandom } from '../../src/demo/seeded-random.js';
import { valuesAt } from './drawn-documents.js';

const LISTS = new Set(['$in', '$nin', '$all']);
const VALUES = new Set(['$eq', '$ne']);

/**
 * The same filter, asking for values that documents have: in place of each scalar that it compares for equality stands the value
 * of one document, as in production, where mostly what exists is asked for; of a list, those of several. The rest stays.
 */
export function askingForHeld(filter: Document, documents: readonly Document[], random: SeededRandom): Document {
  const drawn = random.choose(documents);
  const held = (path: string, value: unknown, from: Document = drawn): unknown => {
    if (!isScalar(value) || String(value).startsWith('$')) return value;
    const others = [from, ...Array.from({ length: 5 }, () => random.choose(documents))];
    const values = others.map((each) => valuesAt(each, path.split('.')).flat().filter(isScalar));
    const found = values.find((each) => each.length > 0);
    return found === undefined ? value : random.choose(found);
  };
  const list = (path: string, values: readonly unknown[]) =>
    values.map((value, at) => held(path, value, at === 0 ? drawn : random.choose(documents)));
  const condition = (path: string, operand: unknown): unknown => {
    if (isScalar(operand)) return held(path, operand);
    if (!isDocument(operand) || Object.keys(operand)[0]?.startsWith('$') !== true) return operand;
    return Object.fromEntries(
      Object.entries(operand).map(([name, value]) => {
        if (VALUES.has(name)) return [name, held(path, value)];
        if (LISTS.has(name)) return [name, list(path, value as unknown[])];
        if (name === '$not') return [name, condition(path, value)];
        if (name === '$elemMatch' && isDocument(value)) return [name, ofElement(path, value)];
        return [name, value];
      }),
    );
  };
  const ofElement = (path: string, element: Document) =>
    Object.keys(element)[0]?.startsWith('$') === true && !('$or' in element)
      ? (condition(path, element) as Document)
      : ofFilter(element, `${path}.`);
  const ofFilter = (each: Document, prefix: string): Document =>
    Object.fromEntries(
      Object.entries(each).map(([name, operand]) => {
        if (name === '$expr') return [name, ofExpression(operand as Document)];
        if (!name.startsWith('$')) return [name, condition(prefix + name, operand)];
        return [name, (operand as Document[]).map((branch) => ofFilter(branch, prefix))];
      }),
    );
  const ofExpression = (expression: Document): Document =>
    Object.fromEntries(
      Object.entries(expression).map(([name, operands]) => {
        if (name === '$and' || name === '$or') return [name, (operands as Document[]).map(ofExpression)];
        const field = name === '$eq' ? (operands as unknown[]).find((each) => /^\$[^$]/.test(String(each))) : undefined;
        const compared = (each: unknown) => (each === field ? each : held(String(field).slice(1), each));
        return [name, field === undefined ? operands : (operands as unknown[]).map(compared)];
      }),
    );
  return ofFilter(filter, '');
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** What is asked for as one value: nothing and null stay what they are. */
function isScalar(value: unknown): boolean {
  if (value === null || value === undefined || Array.isArray(value) || isDocument(value)) return false;
  return !(value instanceof RegExp || value instanceof BSONRegExp);
}
