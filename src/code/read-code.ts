import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { readRegular } from '../files/bounded-file.js';
import { FileFault } from '../files/file-fault.js';
import { LintError } from '../lint-error.js';
import { compareTexts } from '../text/compare-texts.js';
import { globMatcher } from '../text/glob.js';
import { declarationsIn } from './declarations.js';
import { Evaluator } from './evaluator.js';
import { isGenerated } from './generated.js';
import { ignoresIn, type Ignore } from './ignores.js';
import { impliedPlaces } from './implied-places.js';
import { roleOf, type LocatedPush, type Place } from './place.js';
import { PlaceFinder } from './places.js';
import type { EachModule } from './registry.js';
import { resolutionOf, sourceTree, unreadBecause } from './source-files.js';
import { SourceModule, TooDeep } from './source-module.js';
import { SourceModules } from './source-modules.js';
import type { UnderstoodCode } from './understood-code.js';

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

/** Whoever watches over a reading that a file can end together with the whole process. */
export interface ReadingWatch {
  /** Why files are left out, by path. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** The files are known. Reading them goes on at once when this resolves, and does not wait any more. */
  begun(): Promise<void>;
  /** Something is about to be done with a file. */
  step(path: string): void;
}

/** Source that is read again and again while somebody edits it. */
export interface EditedSource {
  /** What an editor holds, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Modules of earlier readings, by file below the folder. */
  readonly kept: Map<string, KeptModule>;
}

/** A module of an earlier reading, which serves as long as its file is the same. */
export interface KeptModule {
  /** Its text in an editor, or else when its file was changed last, and its size. */
  readonly version: string;
  /** Null for one that a bundler or another program wrote. */
  readonly read: ReadModule | null;
}

const UNWATCHED: ReadingWatch = { leftOut: new Map(), begun: () => Promise.resolve(), step() {} };

/** Bytes. Larger ones are bundles, or data. */
const LARGEST_FILE = 2_000_000;

/** Bytes of memory for a node, with what is known of it. Measured: 110 to 360, and 190 in ordinary source. */
const NODE_BYTES = 400;

/**
 * Reads the JavaScript and TypeScript below a folder, and runs none of it. Links are not followed. The parser is native code,
 * whose stack ends without an error, and the process with it: `beginReading` reads in another one.
 *
 * @throws LintError if there is none, or no parser
 */
export async function readCode(
  folder: string,
  selection: CodeSelection = {},
  watch: ReadingWatch = UNWATCHED,
  edited: EditedSource = { texts: new Map(), kept: new Map() },
): Promise<UnderstoodCode> {
  const { include = [], exclude = [], database, collections = {}, name = '' } = selection;
  const { parseSync } = await parser();
  const isWanted = include.length === 0 ? () => true : globMatcher(include, 'paths');
  const isExcluded = globMatcher(exclude, 'paths');
  const tree = await sourceTree(folder);
  const files = tree.files.filter((file) => isWanted(file) && !isExcluded(file));
  if (files.length === 0) throw new LintError(`No JavaScript or TypeScript lies below ${folder}.`);
  await watch.begun();
  const unread = new Map(tree.unread.map(({ file, why }) => [file, why]));
  /** Does something with a file. What goes wrong with it costs that file alone. */
  const attempt = (file: string, use: () => void): void => {
    const path = join(folder, file);
    const why = watch.leftOut.get(path);
    if (why !== undefined) unread.set(file, why);
    if (unread.has(file)) return;
    watch.step(path);
    try {
      use();
    } catch (error) {
      unread.set(file, faultOf(file, error));
    }
  };
  const read: ReadModule[] = [];
  const readTree = { folder, files: new Set(files) };
  const mostNodes = getHeapStatistics().heap_size_limit / NODE_BYTES;
  let nodes = 0;
  let generated = 0;
  const parsed = (file: string, path: string): ReadModule | null => {
    const text = edited.texts.get(path) ?? readRegular(path, LARGEST_FILE).toString('utf8');
    if (isGenerated(file, text, readTree)) return null;
    if (nodes > mostNodes) throw new FileFault('the other files fill the memory');
    const { program, errors, comments } = parseSync(file, text, {
      preserveParens: false,
      ...(/\.[mc]?js$/.test(file) && { lang: 'jsx' }),
    });
    if (program.body.length === 0 && errors.length > 0) throw new SyntaxFault('it has a syntax error');
    const module = new SourceModule(file, text, program, posix.join(name, file));
    return { module, ignores: ignoresIn(module, comments) };
  };
  const latest = (file: string): ReadModule | null => {
    const path = join(folder, file);
    const version = edited.texts.get(path) ?? versionOf(path);
    const before = edited.kept.get(file);
    if (before?.version === version) return before.read;
    try {
      const made = parsed(file, path);
      edited.kept.set(file, { version, read: made });
      return made;
    } catch (error) {
      // Halfway through an edit, it counts as it was before.
      if (!(error instanceof SyntaxFault) || before === undefined) throw error;
      edited.kept.set(file, { version, read: before.read });
      return before.read;
    }
  };
  for (const file of unprovenFirst(files, (each) => watch.leftOut.has(join(folder, each)))) {
    attempt(file, () => {
      const made = latest(file);
      if (made === null) {
        generated += 1;
        return;
      }
      nodes += made.module.nodes;
      read.push(made);
    });
  }
  for (const file of edited.kept.keys()) if (!readTree.files.has(file)) edited.kept.delete(file);
  const order = new Map(files.map((file, index) => [file, index]));
  read.sort((one, other) => Number(order.get(one.module.file)) - Number(order.get(other.module.file)));
  const modules = read.map(({ module }) => module);
  const resolution = resolutionOf(folder, tree.configurations);
  const evaluator = new Evaluator(new SourceModules(modules, resolution), collections);
  const within = <Of extends { readonly database: string | null }>(all: readonly Of[]): readonly Of[] =>
    database === undefined ? all : all.map((each) => ({ ...each, database: each.database ?? database }));
  const each: EachModule = (use) => modules.forEach((module) => attempt(module.file, () => use(module)));
  evaluator.registry.register(each);
  const { indexes, unknownIndexes, paths } = declarationsIn(evaluator, each);
  const implied = impliedPlaces(evaluator, each);
  const places = within([...new PlaceFinder(evaluator).all(each), ...implied.places]);
  const understood = read.filter(({ module }) => !unread.has(module.file));
  return {
    places,
    pushes: [...places.flatMap(pushesOf), ...within(implied.pushes)],
    indexes: within(indexes),
    unknownIndexes,
    paths: within(paths),
    ignores: understood.flatMap(({ ignores }) => ignores),
    byName: new Map(
      understood.map(({ module: { file, name: named, lines } }) => [named, { role: roleOf(file), lines }]),
    ),
    files: understood.length,
    generated,
    unread: [...[...unread].map(([file, why]) => ({ file, why })), ...resolution.unread]
      .map(({ file, why }) => ({ file: posix.join(name, file), why }))
      .sort((one, other) => compareTexts(one.file, other.file)),
  };
}

/** A text that is no JavaScript or TypeScript. */
class SyntaxFault extends FileFault {}

function versionOf(path: string): string {
  const { mtimeMs, size, ino } = lstatSync(path);
  return `${mtimeMs} ${size} ${ino}`;
}

interface ReadModule {
  readonly module: SourceModule;
  readonly ignores: readonly Ignore[];
}

/** Those after the last one that ended an earlier attempt, then those that did no harm: all that did are found in one round. */
function unprovenFirst(files: readonly string[], isLeftOut: (file: string) => boolean): readonly string[] {
  const proven = files.findLastIndex(isLeftOut) + 1;
  return [...files.slice(proven), ...files.slice(0, proven)];
}

function faultOf(file: string, error: unknown): string {
  if (error instanceof TooDeep || error instanceof RangeError) return 'its expressions are nested too deeply';
  if (error instanceof FileFault || (error as NodeJS.ErrnoException).syscall !== undefined)
    return unreadBecause(file, error);
  return `a bug in mongolint (${error instanceof Error ? error.name : typeof error})`;
}

function pushesOf({ collection, database, role, shapes, unlisted }: Place): readonly LocatedPush[] {
  if (collection === null || unlisted === 'wrapper') return [];
  return (shapes ?? []).flatMap(({ update }) =>
    update === undefined || update === 'replacement'
      ? []
      : update.pushes.map((push) => ({ ...push, role, collection, database })),
  );
}

async function parser(): Promise<typeof import('oxc-parser')> {
  try {
    return await import('oxc-parser');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new LintError('Reading source code needs the package oxc-parser: npm install oxc-parser, beside mongolint.');
  }
}
