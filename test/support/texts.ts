import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { packageRoot } from '../../src/files/package-root.js';

/** A text that people read, and where it stands. */
export interface WrittenText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Stands for what a template fills in. */
const FILLED_IN = 'X';

/** From how many words on a string is taken for a text. Shorter ones are names, keys and figures. */
const FEWEST_WORDS = 3;

/** Files below a folder of the package with this ending, by their paths from the package's root. */
export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** The texts in the strings of a module: literals and templates of some words. */
export function textsInCode(file: string): WrittenText[] {
  const source = readFileSync(join(packageRoot(), file), 'utf8');
  const found: WrittenText[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const text = textOf(node as Node);
    if (text !== null && text.split(/\s+/).length >= FEWEST_WORDS) {
      found.push({ file, line: lineAt(source, (node as Node).start), text });
    }
    for (const [key, value] of Object.entries(node)) if (!key.startsWith('type')) visit(value);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return found;
}

/** The comments of a module. */
export function commentsInCode(file: string): WrittenText[] {
  const source = readFileSync(join(packageRoot(), file), 'utf8');
  return [...source.matchAll(/^\s*(?:\/\*\*[^]*?\*\/|\/\/.*)/gm)].map(({ 0: comment, index }) => ({
    file,
    line: lineAt(source, index),
    text: comment.replaceAll(/^\s*(?:\/\*\*|\*\/|\*|\/\/)/gm, ' ').replaceAll(/\s+|\*\/$/g, ' '),
  }));
}

/** How many lines of a module are not blank, and how many of those are comments alone. */
export function linesOf(file: string): { all: number; comments: number } {
  const source = readFileSync(join(packageRoot(), file), 'utf8');
  const comments = [...source.matchAll(/^[ \t]*(?:\/\*[^]*?\*\/|\/\/.*)[ \t]*$/gm)];
  return { all: nonBlankLines(source), comments: comments.reduce((sum, [comment]) => sum + nonBlankLines(comment), 0) };
}

/** The prose of a page in Markdown: paragraphs, list items and cells, without blocks of code. */
export function textsInPage(file: string): WrittenText[] {
  const source = readFileSync(join(packageRoot(), file), 'utf8');
  const prose = source.replaceAll(/^```[^]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  const found: WrittenText[] = [];
  let start = 1;
  for (const block of prose.split(/(?<=\n)(?=\s*\n)|(?<=\n)(?=\s*(?:[-*]|\d+\.) )|(?<=\|)|(?<=\n)(?=#)/)) {
    const text = block
      .replaceAll(/[|#]|<!--.*?-->/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (text !== '') found.push({ file, line: start, text });
    start += block.split('\n').length - 1;
  }
  return found;
}

/** The sentences of a text, without what stands in backquotes. Elements of HTML begin and end one. */
export function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/<[!/]?[a-z][^>]*>/g, '. ')
    .replaceAll(/`[^`]*`/g, FILLED_IN)
    .split(/(?<=[.!?:;])\s+/)
    .filter((sentence) => sentence !== '');
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral')
    return (node.quasis ?? []).map(({ value }) => value.cooked ?? '').join(FILLED_IN);
  return null;
}

function nonBlankLines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
