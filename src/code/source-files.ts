import { lstatSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { readRegular } from '../files/bounded-file.js';
import { fileFault, isMissing } from '../files/file-fault.js';
import { LintError } from '../lint-error.js';
import { compareTexts } from '../text/compare-texts.js';
import { isSourceFile } from './source-line.js';
import type { Alias } from './source-modules.js';
import type { UnreadFile } from './understood-code.js';

const NO_SOURCE = /\.d\.[mc]?ts$|\.min\.[mc]?js$/;
const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'bower_components']);

/** Bytes of a tsconfig.json or package.json. */
const LARGEST_CONFIGURATION = 1_000_000;

/** Stands in a name for bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/** Parts of JSON with comments, each matched in one go: a text or a comment without an end goes on to the end of the file. */
const JSON_PARTS = /"(?:[^"\\]|\\[^])*"?|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\s+|[^]/g;

/** What lies below a folder. */
export interface SourceTree {
  /** JavaScript and TypeScript, in order; paths below the folder, with `/`. */
  readonly files: readonly string[];
  /** Folders and configurations that could not be read. */
  readonly unread: readonly UnreadFile[];
}

/** Links are not followed. @throws LintError if the folder itself can't be read */
export async function sourceTree(folder: string): Promise<SourceTree> {
  const files: string[] = [];
  const unread: UnreadFile[] = [];
  const entriesOf = async (below: string): Promise<readonly Dirent[]> => {
    try {
      const entries = await readdir(join(folder, below), { withFileTypes: true });
      return entries.sort((one, other) => compareTexts(one.name, other.name));
    } catch (error) {
      if (below === '') throw new LintError(`${folder} can't be read: ${(error as Error).message}.`, { cause: error });
      unread.push({ file: below, why: unreadBecause(below, error) });
      return [];
    }
  };
  const visit = async (below: string): Promise<void> => {
    for (const entry of await entriesOf(below)) {
      const path = posix.join(below, entry.name);
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name) && !entry.name.startsWith('.')) await visit(path);
      else if (entry.isFile() && isSourceFile(entry.name) && !NO_SOURCE.test(entry.name)) files.push(path);
    }
  };
  await visit('');
  return { files, unread };
}

/** Half a sentence. */
export function unreadBecause(path: string, error: unknown): string {
  if (!isMissing(error)) return fileFault(error);
  return path.includes(REPLACEMENT) ? 'its name is not UTF-8' : 'it was removed meanwhile';
}

/** What `paths` of a tsconfig.json and the names of packages of a workspace stand for. */
export function aliasesOf(
  folder: string,
  files: readonly string[],
): { readonly aliases: readonly Alias[]; readonly unread: readonly UnreadFile[] } {
  const folders = new Set(['.', ...files.flatMap(parentsOf)]);
  const aliases: Alias[] = [];
  const unread: UnreadFile[] = [];
  const jsonIn = (file: string): Readonly<Record<string, unknown>> | null => {
    const path = join(folder, file);
    try {
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
      return objectIn(readRegular(path, LARGEST_CONFIGURATION).toString('utf8'));
    } catch (error) {
      unread.push({ file, why: unreadBecause(file, error) });
      return null;
    }
  };
  for (const each of folders) {
    const { baseUrl, paths } = (jsonIn(posix.join(each, 'tsconfig.json'))?.['compilerOptions'] ?? {}) as {
      readonly baseUrl?: unknown;
      readonly paths?: unknown;
    };
    const base = typeof baseUrl === 'string' ? posix.join(each, baseUrl) : each;
    for (const [name, targets] of Object.entries(typeof paths === 'object' && paths !== null ? paths : {})) {
      const texts = (Array.isArray(targets) ? targets : []).filter((target) => typeof target === 'string');
      aliases.push({
        prefix: name.replace(/\*$/, ''),
        open: name.endsWith('*'),
        targets: texts.map(
          (target) => posix.join(base, target.replace(/\*$/, '')) + (target.endsWith('/*') ? '/' : ''),
        ),
      });
    }
    const named = each === '.' ? undefined : jsonIn(posix.join(each, 'package.json'))?.['name'];
    if (typeof named === 'string') {
      aliases.push({ prefix: named, open: false, targets: [each, posix.join(each, 'src')] });
      aliases.push({ prefix: `${named}/`, open: true, targets: [`${each}/`, `${each}/src/`] });
    }
    if (typeof baseUrl === 'string') aliases.push({ prefix: '', open: true, targets: [`${base}/`] });
  }
  return { aliases, unread };
}

function parentsOf(file: string): string[] {
  const names = posix.dirname(file).split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/')).filter((path) => path !== '.');
}

/** Null if it is no object. Comments and commas at the end are allowed, as in a tsconfig.json. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const kept: string[] = [];
  for (const [part] of text.matchAll(JSON_PARTS)) {
    if (/^(?:\/[/*]|\s)/.test(part)) continue;
    if ((part === '}' || part === ']') && kept.at(-1) === ',') kept.pop();
    kept.push(part);
  }
  try {
    const value: unknown = JSON.parse(kept.join(''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
