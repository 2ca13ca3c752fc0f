import type { RemedyCommand, RemedyStep, ReportedRemedy } from '../finding.js';
import { shellCall } from '../judgement/shell-call.js';
import { terminalJavaScript } from '../text/terminal-text.js';
import { textWidth } from './text-layout.js';

const INDENT = 2;

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** A string, a bracket, a comma, or what could be a comment or a regular expression. */
const TOKENS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]{},/`"']/g;

/** Lines that are run or copied as they stand. */
export interface CodeBlock {
  /** True for a command of the remedy; false for what lists or verifies, and for code of the application. */
  readonly isCommand: boolean;
  /** True for a statement of mongosh. */
  readonly isMongosh: boolean;
  /** Lines of at most `width` columns, if names and strings allow it. */
  lines(width: number): string[];
}

/** A step as every format shows it. */
export interface ShownStep {
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
}

export function shownSteps({ steps }: ReportedRemedy): ShownStep[] {
  const shown: ShownStep[] = [];
  for (const step of steps) {
    const before = shown.at(-1);
    // Without a text, it is another command of the step before.
    if (step.text === '' && before !== undefined)
      shown[shown.length - 1] = { ...before, blocks: [...before.blocks, ...blocksOf(step)] };
    else shown.push({ text: step.text, blocks: blocksOf(step) });
  }
  return shown;
}

/** "1. " before the first of several steps; a single step has no number. */
export function stepNumber(index: number, steps: readonly unknown[]): string {
  return steps.length > 1 ? `${index + 1}. ` : '';
}

/** What two remedies have in common that say the same of two collections. */
export function adviceOf({ steps }: ReportedRemedy): string {
  return steps.map(({ text }) => text).join('\n');
}

function blocksOf({ command, code }: RemedyStep): CodeBlock[] {
  return [
    ...(command === undefined
      ? []
      : [{ isCommand: true, isMongosh: true, lines: (width: number) => mongoshStatement(command, width) }]),
    ...(code === undefined ? [] : [codeBlock(code)]),
  ];
}

function codeBlock(code: string): CodeBlock {
  const lines = code.split('\n').map(terminalJavaScript);
  return { isCommand: false, isMongosh: /^db\b/.test(code), lines: (width) => brokenCode(lines, width) };
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly commas: readonly number[];
}

/**
 * JavaScript with lines of at most `width` columns, broken only between the members of brackets: there, a line break changes
 * nothing. Any other line stays as it is.
 */
export function brokenCode(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => brokenLine(line, width));
}

function brokenLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const [widest] = groupsOf(line).toSorted((a, b) => b.end - b.start - (a.end - a.start));
  if (widest === undefined || line.slice(widest.start, widest.end).trim() === '') return [line];
  const { start, end, commas } = widest;
  const indent = ' '.repeat(line.length - line.trimStart().length + INDENT);
  const ends = [...commas.map((comma) => comma + 1), end];
  const members = ends.map((to, index) => line.slice(ends[index - 1] ?? start, to).trim()).filter(Boolean);
  return [
    line.slice(0, start),
    ...members.flatMap((member) => brokenLine(indent + member, width)),
    ...brokenLine(indent.slice(INDENT) + line.slice(end), width),
  ];
}

/** The outermost groups of a line; none if its brackets don't match, or if it may hold more than strings and brackets. */
function groupsOf(line: string): Group[] {
  const groups: Group[] = [];
  const open: { readonly close: string; readonly start: number; readonly commas: number[] }[] = [];
  for (const { 0: token, index } of line.matchAll(TOKENS)) {
    const close = CLOSING.get(token);
    const inner = open.at(-1);
    if ('/`"\''.includes(token)) return [];
    if (close !== undefined) open.push({ close, start: index + 1, commas: [] });
    else if (token === ',') inner?.commas.push(index);
    else if (token.length === 1) {
      if (inner?.close !== token) return [];
      open.pop();
      if (open.length === 0) groups.push({ start: inner.start, end: index, commas: inner.commas });
    }
  }
  return open.length === 0 ? groups : [];
}

type Json = RemedyCommand['command'][string];

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * A remedy's command as JavaScript for mongosh, ready to paste: one statement, complete in itself, so that a line
 * copied alone cannot run on another database than it was meant for.
 *
 * @returns lines of at most `width` columns, where names and values allow it
 */
export function mongoshStatement({ db, command }: RemedyCommand, width: number): string[] {
  const { method, args } = shellCall(db, command);
  return callLines(terminalJavaScript(method), args as readonly Json[], width);
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
  if (values.length === 0) return [`${called}();`];
  const first = values.slice(0, -1).map((value) => `${inlineSource(value)}, `);
  const [open, last, close] = [`${called}(${first.join('')}`, values.at(-1) ?? null, ');'];
  const inline = `${open}${inlineSource(last)}${close}`;
  if (textWidth(inline) <= width) return [inline];
  const lines = source(last, width);
  if (lines.length === 1) return [`${open}${lines[0] ?? ''}${close}`];
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
