/** The lists of files in CONTRIBUTING.md: what an addition touches is there, and nothing else names it. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck, type AnyCheck } from '../../src/check.js';
import { packageRoot } from '../../src/files/package-root.js';
import { OPTIONS } from '../../src/lint/options.js';
import { REPORT_FORMATS } from '../../src/report/formats.js';
import { filesBelow } from '../support/texts.js';

const isThere = (file: string) => existsSync(join(packageRoot(), file));
const read = (file: string) => readFileSync(join(packageRoot(), file), 'utf8');
const CODE = [...filesBelow('src', '.ts'), ...filesBelow('checks', '.ts')].map((file) => ({
  file,
  source: read(file),
}));

/** Holds a check's exhibit, with others of its theme. */
const EXHIBITS = 'test/exhibits/';
const THEMES = filesBelow(EXHIBITS.slice(0, -1), '.ts')
  .filter((file) => !/(labels|remedies|\.test)\.ts$/.test(file))
  .map(read);
/** It shows the common ones by their names. */
const DEMO = 'src/demo/';

/** The most hand-written files that an addition may touch, tests not counted. */
const MOST_FILES: Readonly<Record<string, number>> = {
  'A check': 4,
  'A figure of recorded operations': 1,
  'A source of evidence': 3,
  'A report format': 3,
  'An option': 3,
};

function isShown(check: AnyCheck): boolean {
  if (check.about === 'server') return false;
  return check.appliesWhere === undefined || (check.appliesWhere === 'sharded' && !isClusterCheck(check));
}

/** The files that CONTRIBUTING lists under a heading. */
function listed(heading: string): string[] {
  const [, section = ''] = read('CONTRIBUTING.md').split(`### ${heading}\n`);
  const [, block = ''] = /^\n```\n([^]*?)\n```/.exec(section) ?? [];
  return block.split('\n').filter((line) => line !== '');
}

/** A check is a file, or a folder if its judgement needs more than that. */
function moduleOf(id: string): string {
  return isThere(`checks/${id}`) ? `checks/${id}/check.ts` : `checks/${id}.ts`;
}

/** The modules that import one. */
function importersOf(module: string): string[] {
  return CODE.filter(({ file, source }) =>
    [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g)].some(
      ([, path = '']) => `${normalize(join(dirname(file), path))}.ts` === module,
    ),
  ).map(({ file }) => file);
}

/** The modules that hold a name as a string of its own. */
/** Files that name it, other than as what explains their own findings. */
function naming(name: string): string[] {
  return CODE.filter(({ source }) => source.replace(/explainedBy: \[[^\]]*\]/, '').includes(`'${name}'`)).map(
    ({ file }) => file,
  );
}

describe.each(Object.entries(MOST_FILES))('%s', (heading, most) => {
  it(`touches ${most} hand-written files at most, all of which have a place`, () => {
    const files = listed(heading);
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(most);
    for (const file of files) {
      expect(isThere(basename(file).startsWith('your-') ? dirname(file) : file)).toBe(true);
    }
  });
});

describe.each(builtInChecks)('the check $id', (check) => {
  const { id } = check;
  const file = moduleOf(id);
  const files = listed('A check')
    .map((each) => each.replace('your-check', id))
    .map((each) => (each === `checks/${id}.ts` ? file : each));

  it('has the files that the list names', () => {
    expect(files.filter((each) => !each.startsWith(EXHIBITS) && !isThere(each))).toEqual([]);
    // The exhibits have neither production nor logs of mongos.
    expect(THEMES.filter((theme) => theme.includes(`'${id}'`))).toHaveLength(isShown(check) ? 1 : 0);
  });

  it('is explained only by checks that there are', () => {
    const others = new Set(builtInChecks.map((each) => each.id).filter((each) => each !== id));
    expect((check.explainedBy ?? []).filter((each) => !others.has(each))).toEqual([]);
  });

  it('is named and imported by no other file', () => {
    expect(importersOf(file)).toEqual(['checks/index.ts']);
    expect(
      naming(id).filter((each) => !files.includes(each) && !each.startsWith(DEMO) && !each.startsWith(`checks/${id}/`)),
      `the id '${id}' is a string of other files, too: if they do not mean the check, give it another id`,
    ).toEqual([]);
  });
});

describe('a source of evidence', () => {
  it('stands in one of the two tables that CONTRIBUTING.md names', () => {
    const tables = ['src/evidence/collection-sources.ts', 'src/evidence/cluster-sources.ts'];
    expect(listed('A source of evidence')).toEqual(expect.arrayContaining(tables));
    const holding = CODE.filter(({ source }) => /\b(?:collection|cluster)Source\(\{/.test(source));
    expect(holding.map(({ file }) => file).toSorted()).toEqual(tables.toSorted());
  });
});

describe.each(REPORT_FORMATS.map(({ name }) => name))('the report format %s', (name) => {
  it('is known by the list of formats alone, but for the format of the terminal', () => {
    const renderers = [`src/report/${name}.ts`, `src/report/html/${name}-report.ts`].filter(isThere);
    expect(renderers).toHaveLength(1);
    const importers = renderers.flatMap(importersOf).filter((file) => file !== 'src/cli/demo-command.ts');
    expect(importers).toEqual(['src/report/formats.ts']);
  });
});

describe.each(Object.keys(OPTIONS))('the option %s', (name) => {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

  it('is declared in the table alone', () => {
    const declaring = CODE.filter(({ source }) =>
      new RegExp(`'${flag} <|[oO]ption\\('${flag}(?![\\w-])`).test(source),
    ).map(({ file }) => file);
    expect(declaring).toEqual([]);
    expect(read('docs/configuration.md')).toMatch(new RegExp(`--(?:no-)?${flag.slice(2)}\\b`));
  });
});
