import { lstatSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { readRegular } from '../files/bounded-file.js';
import { fileFault, isMissing } from '../files/file-fault.js';
import { LintError } from '../lint-error.js';
import { compareTexts } from '../text/compare-texts.js';
import { objectIn, objectOf, textsIn, type Json } from './json-text.js';
import { isSourceFile } from './source-line.js';
import type { Alias, PackageFolder, Resolution } from './source-modules.js';
import type { UnreadFile } from './understood-code.js';

const NO_SOURCE = /\.d\.[mc]?ts$/;
const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'bower_components']);

/** The one that counts for a folder first. */
const CONFIGURATION = /^(?:package|tsconfig|jsconfig|tsconfig\.(?:base|app|server|paths))\.json$|\.prisma$/;

/** Bytes of a tsconfig.json or package.json. */
const LARGEST_CONFIGURATION = 1_000_000;

/** Stands in a name for bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/** What lies below a folder. */
export interface SourceTree {
  /** JavaScript and TypeScript, in order; paths below the folder, with `/`. */
  readonly files: readonly string[];
  /** Files that say how modules are resolved. */
  readonly configurations: readonly string[];
  /** Folders that could not be read. */
  readonly unread: readonly UnreadFile[];
}

/** Links are not followed. @throws LintError if the folder itself can't be read */
export async function sourceTree(folder: string): Promise<SourceTree> {
  const files: string[] = [];
  const configurations: string[] = [];
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
      else if (entry.isFile() && CONFIGURATION.test(entry.name)) configurations.push(path);
    }
  };
  await visit('');
  return { files, configurations, unread };
}

/** Half a sentence. */
export function unreadBecause(path: string, error: unknown): string {
  if (!isMissing(error)) return fileFault(error);
  return path.includes(REPLACEMENT) ? 'its name is not UTF-8' : 'it was removed meanwhile';
}

/** How specifiers are resolved: `paths` and `baseUrl` of a tsconfig.json or jsconfig.json, and packages of a workspace. */
export function resolutionOf(
  folder: string,
  configurations: readonly string[],
): Resolution & { readonly unread: readonly UnreadFile[] } {
  const aliases: Alias[] = [];
  const packages: PackageFolder[] = [];
  const unread: UnreadFile[] = [];
  let isPrismaOnMongo = false;
  const textIn = (file: string): string => {
    const path = join(folder, file);
    try {
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return '';
      return readRegular(path, LARGEST_CONFIGURATION).toString('utf8');
    } catch (error) {
      unread.push({ file, why: unreadBecause(file, error) });
      return '';
    }
  };
  /** One that others extend is read once. */
  const known = new Map<string, Json>();
  const jsonIn = (file: string): Json => {
    const json = known.get(file) ?? objectIn(textIn(file));
    known.set(file, json);
    return json;
  };
  /** What a configuration says of modules, with what it extends; paths from the folder that they are relative to. */
  const pathsOf = (file: string, depth = 0): Pick<Alias, 'prefix' | 'open' | 'targets'>[] => {
    const { extends: bases, compilerOptions } = jsonIn(file);
    const { baseUrl, paths } = objectOf(compilerOptions);
    const around = posix.dirname(file);
    const base = typeof baseUrl === 'string' ? posix.join(around, baseUrl) : around;
    const own = Object.entries(objectOf(paths)).map(([name, targets]) => ({
      prefix: name.replace(/\*$/, ''),
      open: name.endsWith('*'),
      targets: textsIn(targets).map((target) => posix.join(base, target.replace(/\*$/, ''))),
    }));
    const rooted = typeof baseUrl === 'string' ? [{ prefix: '', open: true, targets: [`${base}/`] }] : [];
    const extended = textsIn(bases).flatMap((each) => {
      const path = posix.join(around, each.endsWith('.json') ? each : `${each}.json`);
      return each.startsWith('.') && !path.startsWith('..') && depth < MOST_EXTENDED ? pathsOf(path, depth + 1) : [];
    });
    // What is extended counts unless something is said here.
    return [...own, ...extended, ...rooted];
  };
  for (const file of configurations) {
    const within = posix.dirname(file);
    if (file.endsWith('.prisma')) {
      isPrismaOnMongo ||= /provider\s*=\s*"mongodb"/.test(textIn(file));
      continue;
    }
    if (posix.basename(file) !== 'package.json') {
      aliases.push(...pathsOf(file).map((each) => ({ ...each, within })));
      continue;
    }
    const said = jsonIn(file);
    const uses = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((kind) =>
      Object.keys(objectOf(said[kind])),
    );
    packages.push({ folder: within, uses: new Set(uses) });
    const at = (target: string) => sourcesOf(posix.join(within, target));
    for (const [name, target] of Object.entries(objectOf(said['imports'])))
      aliases.push(...aliasTo(within, name, textsIn(target).flatMap(at)));
    const { name, main, module } = said;
    if (typeof name !== 'string') continue;
    for (const [path, target] of Object.entries(exportsIn(said['exports'])))
      aliases.push(...aliasTo(null, posix.join(name, path), textsIn(target).flatMap(at)));
    const mains = textsIn([main, module]).flatMap(at);
    aliases.push({ within: null, prefix: name, open: false, targets: [...mains, within, posix.join(within, 'src')] });
    aliases.push({ within: null, prefix: `${name}/`, open: true, targets: [`${within}/`, `${within}/src/`] });
  }
  return { aliases, packages, isPrismaOnMongo, unread };
}

/** Configurations that extend others. */
const MOST_EXTENDED = 5;

function exportsIn(value: unknown): Json {
  const paths = Object.entries(objectOf(value)).filter(([path]) => path.startsWith('.'));
  return paths.length > 0 ? Object.fromEntries(paths) : { '.': value };
}

/** What is built lies beside its source, which is read. */
function sourcesOf(target: string): readonly string[] {
  const source = target.replace(/(^|\/)(?:dist|build|lib|out)\/(?:(?:esm|cjs)\/)?/, '$1src/');
  return source === target ? [target] : [target, source];
}

function aliasTo(within: string | null, name: string, targets: readonly string[]): readonly Alias[] {
  const open = name.endsWith('*');
  const bare = targets.map((target) => target.replace(/\*.*$/, ''));
  return targets.length === 0
    ? []
    : [{ within, prefix: name.replace(/\*.*$/, ''), open, targets: open ? bare : targets }];
}
