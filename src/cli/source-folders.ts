import { relative, resolve } from 'node:path';
import type { SourceFolder } from '../lint/option.js';
import type { RunOptions } from './run-options.js';

/** The folders of source code, whose files reports name from the working directory. */
export function sourceFolders({ code }: Pick<RunOptions, 'code'>, cwd: string): readonly SourceFolder[] {
  return code.map((folder) => {
    const given = typeof folder === 'string' ? { dir: folder } : folder;
    const dir = resolve(cwd, given.dir);
    return { ...given, dir, name: relative(cwd, dir).replaceAll('\\', '/') };
  });
}
