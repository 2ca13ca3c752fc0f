import type { RemedyCommand } from '../finding.js';
import { terminalJavaScript } from '../text/terminal-text.js';
import { textWidth } from './text-layout.js';

type Json = RemedyCommand['command'][string];

const INDENT = 2;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * A remedy's command as JavaScript for mongosh, ready to paste: one statement, complete in itself, so that a line
 * copied alone cannot run on another database than it was meant for.
 *
 * @returns lines of at most `width` columns, where names and values allow it
 */
export function mongoshStatement({ db, command }: RemedyCommand, width: number): string[] {
  return callLines(`db.getSiblingDB(${literal(db)}).runCommand`, [command], width);
}

/** The same for the driver, within a function of migrate-mongo. @param isOwn whether it runs on the database of the migration */
export function driverStatement({ db, command }: RemedyCommand, isOwn: boolean, width: number): string[] {
  return callLines(`await ${isOwn ? 'db' : `client.db(${literal(db)})`}.command`, [command], width);
}

/** What declares the indexes of a command with mongoose, a statement each; nothing for another command. */
export function schemaLines({ createIndexes, indexes }: RemedyCommand['command']): string[] {
  if (createIndexes === undefined || !Array.isArray(indexes)) return [];
  return indexes.map((index) => {
    const { key = {}, ...options } = index as Readonly<Record<string, Json>>;
    return callLines('schema.index', [key, options], Number.POSITIVE_INFINITY).join('');
  });
}

/** Over as many lines as it needs; only the last argument is broken. */
function callLines(called: string, values: readonly Json[], width: number): string[] {
  const first = values.slice(0, -1).map((value) => `${inlineSource(value)}, `);
  const [open, last, close] = [`${called}(${first.join('')}`, values.at(-1) ?? null, ');'];
  const inline = `${open}${inlineSource(last)}${close}`;
  if (textWidth(inline) <= width) return [inline];
  const lines = source(last, width);
  return [`${open}${lines[0] ?? ''}`, ...lines.slice(1, -1), `${lines.at(-1) ?? ''}${close}`];
}

/** The value over as many lines as it needs; an object or array that fits stays on one line. */
function source(value: Json, width: number): string[] {
  if (typeof value !== 'object' || value === null) return [inlineSource(value)];
  const isArray = Array.isArray(value);
  const members = isArray
    ? value.map((item) => ({ key: '', item }))
    : Object.entries(value).map(([name, item]) => ({ key: `${propertyName(name)}: `, item }));
  if (members.length === 0) return [inlineSource(value)];
  const body = members.flatMap(({ key, item }) => {
    const room = width - INDENT;
    const inline = `${key}${inlineSource(item)},`;
    if (textWidth(inline) <= room) return [inline];
    const [first = '', ...rest] = source(item, room);
    return rest.length === 0
      ? [`${key}${first},`]
      : [`${key}${first}`].concat(rest.slice(0, -1), `${rest.at(-1) ?? ''},`);
  });
  return [isArray ? '[' : '{', ...body.map((line) => ' '.repeat(INDENT) + line), isArray ? ']' : '}'];
}

function inlineSource(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inlineSource).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? literal(value) : String(value);
  const members = Object.entries(value).map(([name, item]) => `${propertyName(name)}: ${inlineSource(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function propertyName(name: string): string {
  // As a plain key in a literal, __proto__ would set the prototype instead of a property.
  if (name === '__proto__') return '["__proto__"]';
  return IDENTIFIER.test(name) ? name : literal(name);
}

function literal(text: string): string {
  return terminalJavaScript(JSON.stringify(text));
}
