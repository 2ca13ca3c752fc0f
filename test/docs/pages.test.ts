/** The pages: within their budgets of words, and no link leads nowhere. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { filesBelow } from '../support/texts.js';

const DOCS = filesBelow('docs', '.md');
const CHECKS = filesBelow('checks', '.md').filter((page) => !page.startsWith('checks/_'));
const LINKING = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'test/prove/README.md',
  ...DOCS,
  ...CHECKS,
];

const MOST_PAGES = 12;
const MOST_README_LINES = 100;
/** Words as `wc -w` counts them, code and tables included. */
const MOST_WORDS = { docs: 15_000, readmeAndDocs: 16_000, checks: 16_000, check: 250 };

const read = (page: string) => readFileSync(join(packageRoot(), page), 'utf8');
const wordsOf = (...pages: string[]) => pages.reduce((sum, page) => sum + (read(page).match(/\S+/g)?.length ?? 0), 0);

describe('the pages', () => {
  it('are few and short', () => {
    expect(DOCS.length).toBeLessThanOrEqual(MOST_PAGES);
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(MOST_README_LINES);
    expect(wordsOf(...DOCS)).toBeLessThanOrEqual(MOST_WORDS.docs);
    expect(wordsOf('README.md', ...DOCS)).toBeLessThanOrEqual(MOST_WORDS.readmeAndDocs);
    expect(wordsOf(...CHECKS)).toBeLessThanOrEqual(MOST_WORDS.checks);
    expect(CHECKS.filter((page) => wordsOf(page) > MOST_WORDS.check)).toEqual([]);
  });

  it('are all linked from README', () => {
    const readme = read('README.md');
    expect(DOCS.filter((page) => !readme.includes(`](${page}`))).toEqual([]);
  });
});

/** Headings as GitHub makes anchors of them. */
function anchorsOf(page: string): Set<string> {
  const prose = read(page).replaceAll(/^```[^]*?^```/gm, '');
  return new Set(
    [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function isBroken(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const page = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(packageRoot(), page))) return true;
  return anchor !== undefined && page.endsWith('.md') && !anchorsOf(page).has(anchor);
}

describe.each(LINKING)('%s', (page) => {
  it('links pages and sections that there are', () => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !/^https?:/.test(target) && isBroken(page, target))).toEqual([]);
  });
});

describe('the code', () => {
  it('names pages and sections that there are', () => {
    const named = [...filesBelow('src', '.ts'), ...filesBelow('checks', '.ts')].flatMap((file) =>
      [...read(file).matchAll(/\b(?:docs|checks)\/[a-z-]+\.md(?:#[a-z0-9-]+)?/g)].map(([target]) => ({ file, target })),
    );
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter(({ target }) => isBroken('README.md', target))).toEqual([]);
  });
});
