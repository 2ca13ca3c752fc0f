import type { UnderstoodCode } from '../code/understood-code.js';
import type { SourceFolder } from './option.js';

export type SourceFolders = readonly (string | SourceFolder)[];

/** Reads source that several targets share once: what `sourceIn` returns for the same folders is kept. */
export function sharedSource(): typeof sourceIn {
  const read = new Map<string, ReturnType<typeof sourceIn>>();
  return (folders = []) => {
    const key = JSON.stringify(folders);
    const source = read.get(key) ?? sourceIn(folders);
    read.set(key, source);
    return source;
  };
}

/** What is understood of the source in some folders; null if there are none. @throws LintError as `readCode` does */
export async function sourceIn(folders: SourceFolders = []): Promise<UnderstoodCode | null> {
  if (folders.length === 0) return null;
  // Loaded only if asked for: it brings the parser.
  const { readCode } = await import('../code/read-code.js');
  const read: UnderstoodCode[] = [];
  for (const folder of folders) {
    const { dir, ...selection } = typeof folder === 'string' ? { dir: folder } : folder;
    read.push(await readCode(dir, { name: dir, ...selection }));
  }
  return {
    places: read.flatMap(({ places }) => places),
    pushes: read.flatMap(({ pushes }) => pushes),
    indexes: read.flatMap(({ indexes }) => indexes),
    unknownIndexes: read.reduce((sum, { unknownIndexes }) => sum + unknownIndexes, 0),
    paths: read.flatMap(({ paths }) => paths),
    ignores: read.flatMap(({ ignores }) => ignores),
    byName: new Map(read.flatMap(({ byName }) => [...byName])),
    files: read.reduce((sum, { files }) => sum + files, 0),
    unread: read.flatMap(({ unread }) => unread),
  };
}
