import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { groupedBy } from '../grouped-by.js';
import { isSourceFile } from './source-line.js';
import type { SourceModule } from './source-module.js';

const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
  '/index.cjs',
];

/** How specifiers that name no file are resolved: a prefix, and the folders that it stands for. */
export interface Alias {
  /** The folder for whose files it holds; null if for all, as the name of a package. */
  readonly within: string | null;
  readonly prefix: string;
  /** Whether more may follow the prefix. */
  readonly open: boolean;
  readonly targets: readonly string[];
}

/** A folder with a package.json, from which some projects name their files without saying so anywhere. */
export interface PackageFolder {
  readonly folder: string;
  /** The packages that it depends on. */
  readonly uses: ReadonlySet<string>;
}

/** What configurations say of a source tree. */
export interface Resolution {
  readonly aliases: readonly Alias[];
  readonly packages: readonly PackageFolder[];
  /** Whether a schema of Prisma names MongoDB. */
  readonly isPrismaOnMongo: boolean;
}

/** Characters of a specifier. A longer one is resolved nowhere. */
const LONGEST_SPECIFIER = 1_000;

/** Folders that one prefix stands for, as in a workspace whose packages all have `@/*`. */
const MOST_TARGETS = 1_000;

/** What bundlers put before a path from the root, by custom. */
const ROOT_MARK = /^(?:[@~#]?\/|[@~](?=\w+\/))/;

/** Prefixes of one folder, of those that name a module, and of those after which more may follow. */
interface Prefixes {
  readonly closed: Map<string, string[]>;
  readonly open: Map<string, string[]>;
}

/** The modules of a source tree, by file. */
export class SourceModules {
  private readonly byFile: ReadonlyMap<string, SourceModule>;
  /** Only for paths that were asked for. */
  private readonly byPath = new Map<string, SourceModule | null>();
  /** By folder and specifier, only for those that were asked for. */
  private readonly resolved = new Map<string, SourceModule | null>();
  private readonly prefixes = new Map<string | null, Prefixes>();
  /** By the last part of their paths; null until it is asked for. */
  private byName: ReadonlyMap<string, readonly SourceModule[]> | null = null;
  private readonly packages: ReadonlyMap<string, PackageFolder>;
  readonly isPrismaOnMongo: boolean;

  constructor(
    readonly all: readonly SourceModule[],
    { aliases, packages, isPrismaOnMongo }: Resolution,
  ) {
    this.isPrismaOnMongo = isPrismaOnMongo;
    this.byFile = new Map(all.map((module) => [module.file, module]));
    this.packages = new Map(packages.map((each) => [each.folder, each]));
    for (const { within, prefix, open, targets } of aliases) {
      const known = this.prefixes.get(within) ?? { closed: new Map(), open: new Map() };
      const of = open ? known.open : known.closed;
      const before = of.get(prefix) ?? [];
      of.set(prefix, [...before, ...targets.slice(0, MOST_TARGETS - before.length)]);
      this.prefixes.set(within, known);
    }
  }

  /** The module that a specifier means; null if it is a package, or lies outside. */
  resolve(from: SourceModule, specifier: string): SourceModule | null {
    if (specifier.length > LONGEST_SPECIFIER) return null;
    const folder = posix.dirname(from.file);
    const key = `${folder}\0${specifier}`;
    const known = this.resolved.get(key);
    if (known !== undefined) return known;
    const found = specifier.startsWith('.') ? this.at(posix.join(folder, specifier)) : this.named(folder, specifier);
    this.resolved.set(key, found);
    return found;
  }

  /** The folder of the nearest package.json, "." if there is none. */
  packageOf({ file }: SourceModule): string {
    return foldersAround(posix.dirname(file)).find((each) => this.packages.has(each)) ?? '.';
  }

  private named(folder: string, specifier: string): SourceModule | null {
    const around = foldersAround(folder);
    for (const each of [...around, null]) {
      const prefixes = this.prefixes.get(each);
      const found = prefixes === undefined ? null : this.prefixed(prefixes, specifier);
      if (found !== null) return found;
    }
    if (specifier.startsWith('node:')) return null;
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    const packages = around.flatMap((each) => this.packages.get(each) ?? []);
    if (packages.some(({ uses }) => uses.has(name))) return null;
    const path = specifier.replace(ROOT_MARK, '');
    if (path === specifier && !path.includes('/') && !isSourceFile(path)) return null;
    const roots = [...around.slice(-1), ...packages.map((each) => each.folder)];
    return this.firstOf(roots.flatMap(withSource), path) ?? (isBuiltin(path) ? null : this.onlyBelow(roots, path));
  }

  /** The file whose path ends so, if there is only one: roots of modules are also set where a program starts. */
  private onlyBelow(roots: readonly string[], path: string): SourceModule | null {
    const byName = (this.byName ??= groupedBy(this.all, ({ file }) => posix.basename(file)));
    const names = ENDINGS.map((ending) => path + ending);
    const meant = names.flatMap(
      (name) => byName.get(posix.basename(name))?.filter(({ file }) => file.endsWith(`/${name}`)) ?? [],
    );
    const nearest = roots[1] ?? roots[0];
    const [only, ...others] = meant.filter(({ file }) => nearest === '.' || file.startsWith(`${nearest}/`));
    return only !== undefined && others.length === 0 ? only : null;
  }

  private prefixed({ closed, open }: Prefixes, specifier: string): SourceModule | null {
    const whole = this.firstOf(closed.get(specifier) ?? [], '');
    if (whole !== null) return whole;
    // The longest prefix counts, as TypeScript has it.
    for (let length = specifier.length; length >= 0; length -= 1) {
      const targets = open.get(specifier.slice(0, length)) ?? [];
      const found = this.firstOf(targets, specifier.slice(length));
      if (found !== null) return found;
    }
    return null;
  }

  private firstOf(targets: readonly string[], rest: string): SourceModule | null {
    for (const target of targets) {
      const found = this.at(posix.normalize(target + rest));
      if (found !== null) return found;
    }
    return null;
  }

  private at(path: string): SourceModule | null {
    const known = this.byPath.get(path);
    if (known !== undefined) return known;
    const found = this.fileAt(path);
    this.byPath.set(path, found);
    return found;
  }

  private fileAt(path: string): SourceModule | null {
    const bare = path.replace(/\/$/, '');
    for (const ending of ENDINGS) {
      const found = this.byFile.get(bare + ending);
      if (found !== undefined) return found;
    }
    // TypeScript names the compiled file.
    const typed = bare.replace(/\.([mc]?)js(x?)$/, '.$1ts$2');
    return typed === bare ? null : (this.byFile.get(typed) ?? null);
  }
}

/** A folder and those around it, the nearest first; "." is the last. */
function foldersAround(folder: string): readonly string[] {
  const names = folder === '.' ? [] : folder.split('/');
  return [...names.map((_, index) => names.slice(0, names.length - index).join('/')), '.'];
}

function withSource(folder: string): readonly string[] {
  return [`${folder}/`, `${folder}/src/`];
}
