/** The house: which rooms there are, and that no import runs from a lower one up to a higher one. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';

/** From the bottom to the top; what stands in one line shares a floor. Files that lie in `src/` itself go by their names. */
const FLOORS: readonly (readonly string[])[] = [
  ['words that everybody uses', 'text', 'files', 'finding'],
  ['connect'],
  ['inventory'],
  ['workload'],
  ['code'],
  ['profile'],
  ['planner'],
  ['growth'],
  ['references'],
  ['evidence'],
  ['evidence-file'],
  ['check.ts'],
  ['judgement'],
  ['checks', 'findings', 'drift'],
  ['report'],
  ['policy'],
  ['lint'],
  ['config'],
  ['demo', 'rehearsal'],
  ['cli', 'cli.ts', 'index.ts'],
];

const FLOOR_OF = new Map(FLOORS.flatMap((rooms, level) => rooms.map((room) => [room, level] as const)));
const FOLDERS = FLOORS.flat().filter((room) => /^[a-z-]+$/.test(room) && room !== 'checks');

describe('the rooms of src/', () => {
  it('are those of the list', () => {
    const folders = readdirSync(join(packageRoot(), 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => name).sort()).toEqual([...FOLDERS].sort());
  });

  it('import only from their own floor and from below', () => {
    const files = [...filesBelow('src'), ...filesBelow('checks')];
    expect(files.length).toBeGreaterThan(400);
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => floorOf(imported) > floorOf(file))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(upward).toEqual([]);
  });

  it('have no circle of files, counting types and imports on demand', () => {
    const files = new Map([...filesBelow('src'), ...filesBelow('checks')].map((file) => [file, importsOf(file)]));
    let before = Infinity;
    while (files.size < before) {
      before = files.size;
      for (const [file, imports] of files) if (!imports.some((imported) => files.has(imported))) files.delete(file);
    }
    expect([...files.keys()]).toEqual([]);
  });

  it('hold no file that one file of another folder alone imports, unless it rests on its own room', () => {
    const files = [...filesBelow('src'), ...filesBelow('checks')];
    const importers = new Map(files.map((file) => [file, [] as string[]]));
    for (const file of files) for (const imported of new Set(importsOf(file))) importers.get(imported)?.push(file);
    const apart = [...importers].filter(([file, [importer, ...others]]) => {
      const isApart = importer !== undefined && others.length === 0 && !isBelow(dirname(file), dirname(importer));
      return isApart && !importsOf(file).some((each) => roomOf(each) === roomOf(file));
    });
    expect(apart.map(([file]) => file)).toEqual([]);
  });

  it('keep no state in a module: what is derived once belongs to a run', () => {
    const keeping = filesBelow('src').flatMap((file) => {
      const source = readFileSync(join(packageRoot(), file), 'utf8');
      return [...source.matchAll(/^(?:export )?(?:let .*|const .* = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\);)$/gm)].map(
        ([line]) => `${file}: ${line}`,
      );
    });
    expect(keeping).toEqual([]);
  });

  it('have a row each in CONTRIBUTING.md', () => {
    const contributing = readFileSync(join(packageRoot(), 'CONTRIBUTING.md'), 'utf8');
    const rows = [...contributing.matchAll(/^\| `src\/([a-z-]+)\/` \|/gm)].map(([, room]) => room);
    expect(rows).toEqual(FOLDERS);
  });
});

function isBelow(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(`${other}/`);
}

function roomOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

function floorOf(file: string): number {
  const [top = '', room = '', ...below] = file.split('/');
  if (top === 'checks') return floor('checks');
  return below.length > 0 ? floor(room) : (FLOOR_OF.get(room) ?? floor('words that everybody uses'));
}

function floor(room: string): number {
  const found = FLOOR_OF.get(room);
  if (found === undefined) throw new Error(`No floor is known for ${room}.`);
  return found;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((file) => file.endsWith('.ts') && statSync(join(packageRoot(), file)).isFile());
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(packageRoot(), file), 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g)]
    .map(([, path = '']) => `${normalize(join(dirname(file), path))}.ts`)
    .filter((path) => path.startsWith('src/') || path.startsWith('checks/'));
}
