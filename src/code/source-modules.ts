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

/** The modules of a source tree, by file. */
export class SourceModules {
  private readonly byFile: ReadonlyMap<string, SourceModule>;
  /** Of paths that were asked for. */
  private readonly byPath = new Map<string, SourceModule | null>();

  constructor(
    readonly all: readonly SourceModule[],
    private readonly aliases: readonly Alias[],
  ) {
    this.byFile = new Map(all.map((module) => [module.file, module]));
  }

  /** The module that a specifier means; null if it is a package, or lies outside. */
  resolve(from: SourceModule, specifier: string): SourceModule | null {
    if (specifier.startsWith('.')) return this.at(posix.join(posix.dirname(from.file), specifier));
    for (const { prefix, open, targets } of this.aliases) {
      if (open ? !specifier.startsWith(prefix) : specifier !== prefix) continue;
      for (const target of targets) {
        const found = this.at(posix.normalize(target + (open ? specifier.slice(prefix.length) : '')));
        if (found !== null) return found;
      }
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
