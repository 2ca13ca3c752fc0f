import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { documentedFiles } from '../../docs/documented-files.js';
import * as checkModule from '../../src/check.js';
import { packageRoot } from '../../src/files/package-root.js';
import * as library from '../../src/index.js';
import { exhibits } from '../exhibits/index.js';
import { shardedExhibits } from '../exhibits/sharded/index.js';

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');
const isForShards = (check: checkModule.AnyCheck) =>
  !checkModule.isClusterCheck(check) && check.appliesWhere === 'sharded';
/** What is about the server is about no collection. */
const isEverywhere = ({ appliesWhere, about }: checkModule.AnyCheck) =>
  appliesWhere === undefined && about === undefined;
const ids = builtInChecks.map(({ id }) => id);
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.startsWith('_') && name !== `index${ending}`)
    .map((name) => name.slice(0, -ending.length))
    .sort();

/** Sections that every page has, in this order. */
const SECTIONS = ['Example', 'Why it hurts', 'Criteria', 'Fix', 'When to ignore it'];

describe('checks, files, pages and demo agree', () => {
  it('has one file and one page for each check, and no other', () => {
    expect(new Set(ids).size).toBe(ids.length);
    const single = filesIn('checks', '.ts').filter((name) => !name.includes('/'));
    expect([...single, ...filesIn('checks', '/check.ts')].sort()).toEqual([...ids].sort());
    expect(filesIn('checks', '.md')).toEqual([...ids].sort());
  });

  it.each(builtInChecks.map((check) => [check.id, check] as const))('%s has at most three thresholds', (id, check) => {
    const names = Object.keys(check.thresholds);
    expect(names.length).toBeLessThanOrEqual(3);
    expect(names.filter((name) => check.retiredThresholds?.includes(name))).toEqual([]);
    const shown = [...exhibits, ...shardedExhibits].find((exhibit) => exhibit.check === id);
    expect(Object.keys(shown?.thresholds ?? {}).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('has an exhibit for each check, in the same order', () => {
    const [sharded, others] = [isForShards, isEverywhere].map((isShown) =>
      builtInChecks.filter(isShown).map(({ id }) => id),
    );
    expect(exhibits.map(({ check }) => check)).toEqual(others);
    expect(shardedExhibits.map(({ check }) => check)).toEqual(sharded);
    // References are looked for among a hundred collections of a database: further exhibits plant in those of others.
    expect(new Set(exhibits.flatMap(({ bad, twin }) => [bad.name, twin.name])).size).toBeLessThanOrEqual(100);
  });

  it.each(documentedFiles().map((file) => [file.path, file] as const))(
    '%s is as `npm run docs` writes it',
    (path, { generate }) => {
      expect(read(path)).toBe(generate(read(path)));
    },
  );
});

describe.each(builtInChecks.map((check) => [check.id, check] as const))('%s', (id, check) => {
  const source = sourceOf(id);
  const page = read(`checks/${id}.md`);

  it('reads nothing itself', () => {
    const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, module = '']) => module);
    expect(imports).not.toEqual([]);
    expect(imports.filter((module) => /^node:|\/connect\//.test(module))).toEqual([]);
  });

  it('is written for people', () => {
    expect(check.title).toMatch(/^[A-Z].*[^.]$/);
    expect(check.summary).toMatch(/^[a-z].*[^.]$/);
    for (const { description, source: origin } of Object.values(check.thresholds as checkModule.Thresholds)) {
      expect(description).toMatch(/[^.]$/);
      expect(origin).toMatch(/\w{4}/);
    }
  });

  it('has a page with every section in order', () => {
    expect(
      page.startsWith(`# ${id}

**${check.title}:** ${check.summary}.
`),
    ).toBe(true);
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.filter((heading) => SECTIONS.includes(heading as string))).toEqual(SECTIONS);
  });
});

describe('the library', () => {
  it('exports all that a check may use', () => {
    expect(Object.keys(library)).toEqual(expect.arrayContaining(Object.keys(checkModule)));
  });
});

describe('the project', () => {
  it('records no address of a registry', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"');
  });

  it('explains every exit code and set-up command in README', () => {
    const readme = read('README.md');
    for (const code of Object.values(library.EXIT_CODES))
      expect(readme).toMatch(new RegExp(`\\*\\*${code}\\*\\*|\\| ${code} \\|`));
    expect(readme).toContain('npm ci && npm run demo');
    expect(readme).toContain('npm ci && npm test');
  });
});

/** The code of a check: its file, or all files of its folder. */
function sourceOf(id: string): string {
  const folder = join(packageRoot(), 'checks', id);
  if (!existsSync(folder)) return read(`checks/${id}.ts`);
  return readdirSync(folder)
    .map((file) => read(`checks/${id}/${file}`))
    .join('\n');
}
