import { lstatSync, readFileSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { compareTexts } from '../compare-texts.js';
import { globMatcher } from '../glob.js';
import { LintError } from '../lint-error.js';
import { declarationsIn } from './declarations.js';
import { Evaluator } from './evaluator.js';
import { ignoresIn, type Ignore } from './ignores.js';
import { impliedPlaces } from './implied-places.js';
import type { FileRole, LocatedPush, Place } from './place.js';
import { PlaceFinder } from './places.js';
import { isSourceFile } from './source-line.js';
import { SourceModule } from './source-module.js';
import { SourceModules, type Alias } from './source-modules.js';
import type { UnderstoodCode, UnreadFile } from './understood-code.js';

/** What of a folder is read, as globs of paths below it, and what is known of it beforehand. */
export interface CodeSelection {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** The database that it works on, if it names none itself. */
  readonly database?: string;
  /** Collections by what the source calls them, as in "stores.orders". */
  readonly collections?: Readonly<Record<string, string>>;
  /** What names of its files begin with. */
  readonly name?: string;
}

const NO_SOURCE = /\.d\.[mc]?ts$|\.min\.[mc]?js$/;
const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'bower_components']);

/** Bytes. Larger ones are bundles, or data. */
const LARGEST_FILE = 2_000_000;

const FILES_AT_ONCE = 32;

/** Brackets within brackets. People stay below 100, generators below 1,000. */
const DEEPEST_BRACKETS = 2_000;

const ROLES: readonly (readonly [FileRole, RegExp])[] = [
  ['test', /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e|fixtures?)\/|\.(?:test|spec|e2e)\.[^/]+$/i],
  ['migration', /(?:^|\/)(?:migrations?|seeds?|seeders?)\//i],
  ['script', /(?:^|\/)(?:scripts?|tools|bin)\//i],
  ['client', /(?:^|\/)(?:client|frontend|public)\//i],
];

/** Reads the JavaScript and TypeScript below a folder, and runs none of it. Links are not followed. @throws LintError if there is none, or no parser */
export async function readCode(
  folder: string,
  { include = [], exclude = [], database, collections = {}, name = '' }: CodeSelection = {},
): Promise<UnderstoodCode> {
  const { parseSync } = await parser();
  const isWanted = include.length === 0 ? () => true : globMatcher(include, 'paths');
  const isExcluded = exclude.length === 0 ? () => false : globMatcher(exclude, 'paths');
  const files = (await filesBelow(folder, '')).filter((file) => isWanted(file) && !isExcluded(file));
  if (files.length === 0) throw new LintError(`No JavaScript or TypeScript lies below ${folder}.`);
  const unread: UnreadFile[] = [];
  const modules: SourceModule[] = [];
  const ignores: Ignore[] = [];
  for (const [index, file] of files.entries()) {
    // Signals are handled in between.
    if (index % FILES_AT_ONCE === 0) await setImmediate();
    // Parsing blocks anyway, and promises cost a sixth of the whole.
    const { size } = lstatSync(join(folder, file));
    if (size > LARGEST_FILE) {
      unread.push({ file: posix.join(name, file), why: 'it is larger than 2 MB' });
      continue;
    }
    const text = readFileSync(join(folder, file), 'utf8');
    if (isTooDeep(text)) {
      unread.push({ file: posix.join(name, file), why: 'its brackets are nested too deeply' });
      continue;
    }
    try {
      const { program, errors, comments } = parseSync(file, text, {
        preserveParens: false,
        ...(/\.[mc]?js$/.test(file) && { lang: 'jsx' }),
      });
      if (program.body.length === 0 && errors.length > 0)
        unread.push({ file: posix.join(name, file), why: 'it has a syntax error' });
      else {
        const module = new SourceModule(file, text, program, posix.join(name, file));
        modules.push(module);
        ignores.push(...ignoresIn(module, comments));
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      unread.push({ file: posix.join(name, file), why: 'its expressions are nested too deeply' });
    }
  }
  const evaluator = new Evaluator(new SourceModules(modules, await aliasesOf(folder, files)), collections);
  const within = <Of extends { readonly database: string | null }>(all: readonly Of[]): readonly Of[] =>
    database === undefined ? all : all.map((each) => ({ ...each, database: each.database ?? database }));
  const { indexes, unknownIndexes, paths } = declarationsIn(evaluator, modules, roleOf);
  const implied = impliedPlaces(evaluator, modules, roleOf);
  const places = within([...new PlaceFinder(evaluator, roleOf).all(), ...implied.places]);
  return {
    places,
    pushes: [...places.flatMap(pushesOf), ...within(implied.pushes)],
    indexes: within(indexes),
    unknownIndexes,
    paths: within(paths),
    ignores,
    byName: new Map(modules.map(({ file, name: named, lines }) => [named, { role: roleOf(file), lines }])),
    files: modules.length,
    unread,
  };
}

async function parser(): Promise<typeof import('oxc-parser')> {
  try {
    return await import('oxc-parser');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new LintError('Reading source code needs the package oxc-parser: npm install oxc-parser, beside mongolint.');
  }
}

async function filesBelow(folder: string, below: string): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new LintError(`${join(folder, below)} can't be read: ${error.message}.`);
  });
  const files: string[] = [];
  for (const entry of entries.toSorted((one, other) => compareTexts(one.name, other.name))) {
    const path = posix.join(below, entry.name);
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name) && !entry.name.startsWith('.'))
      files.push(...(await filesBelow(folder, path)));
    else if (entry.isFile() && isSourceFile(entry.name) && !NO_SOURCE.test(entry.name)) files.push(path);
  }
  return files;
}

/** The parser is native code, whose stack ends without an error. Brackets `([{` in strings count, which makes no odds. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x29 || code === 0x5d || code === 0x7d) depth = Math.max(0, depth - 1);
    if (depth > DEEPEST_BRACKETS) return true;
  }
  return false;
}

function pushesOf({ collection, database, role, shapes, unlisted }: Place): readonly LocatedPush[] {
  if (collection === null || unlisted === 'wrapper') return [];
  return (shapes ?? []).flatMap(({ update }) =>
    update === undefined || update === 'replacement'
      ? []
      : update.pushes.map((push) => ({ ...push, role, collection, database })),
  );
}

function roleOf(file: string): FileRole {
  return ROLES.find(([, pattern]) => pattern.test(file))?.[0] ?? 'application';
}

/** What `paths` of a tsconfig.json and the names of packages of a workspace stand for. */
async function aliasesOf(folder: string, files: readonly string[]): Promise<readonly Alias[]> {
  const folders = new Set(['.', ...files.flatMap((file) => parentsOf(file))]);
  const aliases: Alias[] = [];
  for (const each of folders) {
    const config = await jsonIn(join(folder, each, 'tsconfig.json'));
    const { baseUrl, paths } = (config?.['compilerOptions'] ?? {}) as { baseUrl?: unknown; paths?: unknown };
    const base = typeof baseUrl === 'string' ? posix.join(each, baseUrl) : each;
    for (const [name, targets] of Object.entries(typeof paths === 'object' && paths !== null ? paths : {})) {
      const texts = (Array.isArray(targets) ? targets : []).filter(
        (target): target is string => typeof target === 'string',
      );
      aliases.push({
        prefix: name.replace(/\*$/, ''),
        open: name.endsWith('*'),
        targets: texts.map(
          (target) => posix.join(base, target.replace(/\*$/, '')) + (target.endsWith('/*') ? '/' : ''),
        ),
      });
    }
    const named = each === '.' ? undefined : (await jsonIn(join(folder, each, 'package.json')))?.['name'];
    if (typeof named === 'string') {
      aliases.push({ prefix: named, open: false, targets: [each, posix.join(each, 'src')] });
      aliases.push({ prefix: `${named}/`, open: true, targets: [`${each}/`, `${each}/src/`] });
    }
    if (typeof baseUrl === 'string') aliases.push({ prefix: '', open: true, targets: [`${base}/`] });
  }
  return aliases;
}

function parentsOf(file: string): string[] {
  const names = posix.dirname(file).split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/')).filter((path) => path !== '.');
}

/** Null if there is no such file, or no JSON in it. Comments and commas at the end are allowed, as in a tsconfig.json. */
async function jsonIn(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  const isFile = await lstat(path).then(
    (stat) => stat.isFile(),
    () => false,
  );
  if (!isFile) return null;
  const text = (await readFile(path, 'utf8')).replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g,
    (_, kept: string | undefined) => kept ?? '',
  );
  try {
    return JSON.parse(text.replace(/,(\s*[}\]])/g, '$1')) as Record<string, unknown>;
  } catch {
    return null;
  }
}
