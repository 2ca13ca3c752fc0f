import { posix } from 'node:path';
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
  readonly prefix: string;
  /** Whether more may follow the prefix. */
  readonly open: boolean;
  readonly targets: readonly string[];
}

/** Characters of a specifier. A longer one is resolved nowhere. */
const LONGEST_SPECIFIER = 1_000;

/** Folders that one prefix stands for, as in a workspace whose packages all have `@/*`. */
const MOST_TARGETS = 1_000;

/** The modules of a source tree, by file. */
export class SourceModules {
  private readonly byFile: ReadonlyMap<string, SourceModule>;
  /** Only for paths that were asked for. */
  private readonly byPath = new Map<string, SourceModule | null>();
  /** Folders by prefix: of those that name a module, and of those after which more may follow. */
  private readonly closed: ReadonlyMap<string, readonly string[]>;
  private readonly open: ReadonlyMap<string, readonly string[]>;

  constructor(
    readonly all: readonly SourceModule[],
    aliases: readonly Alias[],
  ) {
    this.byFile = new Map(all.map((module) => [module.file, module]));
    this.closed = targetsOf(aliases.filter(({ open }) => !open));
    this.open = targetsOf(aliases.filter(({ open }) => open));
  }

  /** The module that a specifier means; null if it is a package, or lies outside. */
  resolve(from: SourceModule, specifier: string): SourceModule | null {
    if (specifier.length > LONGEST_SPECIFIER) return null;
    if (specifier.startsWith('.')) return this.at(posix.join(posix.dirname(from.file), specifier));
    const named = this.firstOf(this.closed.get(specifier) ?? [], '');
    if (named !== null) return named;
    // The longest prefix counts, as TypeScript has it.
    for (let length = specifier.length; length >= 0; length -= 1) {
      const targets = this.open.get(specifier.slice(0, length)) ?? [];
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

function targetsOf(aliases: readonly Alias[]): ReadonlyMap<string, readonly string[]> {
  const byPrefix = new Map<string, string[]>();
  for (const { prefix, targets } of aliases) {
    const known = byPrefix.get(prefix) ?? [];
    known.push(...targets.slice(0, MOST_TARGETS - known.length));
    byPrefix.set(prefix, known);
  }
  return byPrefix;
}
