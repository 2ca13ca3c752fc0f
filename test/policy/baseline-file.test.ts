import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LintError } from '../../src/lint-error.js';
import {
  type BaselineEntry,
  formatBaseline,
  parseBaseline,
  readBaseline,
  writeBaseline,
} from '../../src/policy/baseline-file.js';
import * as fc from '../support/fast-check.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const entry = (changes: Partial<BaselineEntry> = {}): BaselineEntry => ({
  namespace: 'shop.orders',
  check: 'unbounded-array',
  path: 'items',
  severity: 'error',
  fingerprint: '0123456789abcdef',
  ...changes,
});
const HEADER = '{"mongolint":"baseline","version":1}\n';
const LINE =
  '{"namespace":"shop.orders","check":"unbounded-array","path":"items","severity":"error","fingerprint":"0123456789abcdef"}\n';

const anyEntry = fc.record(
  {
    target: fc.stringMatching(/^\w{1,8}$/),
    namespace: fc.string(),
    check: fc.string(),
    path: fc.option(fc.string()),
    severity: fc.constantFrom('error' as const, 'warning' as const, 'info' as const),
    fingerprint: fc.stringMatching(/^[0-9a-f]{16}$/),
  },
  { requiredKeys: ['namespace', 'check', 'path', 'severity', 'fingerprint'] },
);

describe('the text of a baseline', () => {
  it('has a header and a line for each finding', () => {
    expect(formatBaseline([entry()])).toBe(HEADER + LINE);
    expect(formatBaseline([])).toBe(HEADER);
  });

  it('says the same when it is read again, whatever the names hold', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyEntry, { selector: (one) => JSON.stringify(one) }), (entries) => {
        const text = formatBaseline(entries);
        const read = parseBaseline(text, 'baseline');
        expect(read).toHaveLength(entries.length);
        expect(read).toEqual(expect.arrayContaining(entries));
        expect(formatBaseline(read)).toBe(text);
      }),
    );
  });

  it('does not depend on the order of the findings', () => {
    const entries = ['d', 'a', 'c', 'b'].map((path) => entry({ path, fingerprint: path.repeat(16) }));
    const text = formatBaseline(entries);
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: 4 }), (shuffled) => {
        expect(formatBaseline(shuffled)).toBe(text);
      }),
    );
    expect(parseBaseline(text, 'baseline').map(({ path }) => path)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is what it was after lines of two branches were merged, in any order and twice', () => {
    const merged = `${HEADER}${LINE.replace('items', 'tags')}${LINE}${LINE}`;
    expect(parseBaseline(merged, 'baseline').map(({ path }) => path)).toEqual(['tags', 'items', 'items']);
    expect(formatBaseline(parseBaseline(merged, 'baseline'))).toBe(`${HEADER}${LINE}${LINE.replace('items', 'tags')}`);
  });

  it('may have the line ends of Windows', () => {
    expect(parseBaseline((HEADER + LINE).replaceAll('\n', '\r\n'), 'baseline')).toEqual([entry()]);
  });

  it.each([
    ['an empty file', '', /^b\.jsonl is not a mongolint baseline/],
    ['another JSON', '{"name":"a-package"}\n', /^b\.jsonl is not a mongolint baseline/],
    ['another text', 'hello\n', /^b\.jsonl is not a mongolint baseline/],
    ['JSON that is no object', 'null\n', /^b\.jsonl is not a mongolint baseline/],
    ['a header alone, torn', HEADER.slice(0, 20), /^b\.jsonl is not a mongolint baseline/],
    [
      'a newer version',
      '{"mongolint":"baseline","version":2}\n',
      /^The baseline b\.jsonl is of version 2, from a newer mongolint/,
    ],
    ['a torn line', HEADER + LINE.slice(0, 60), /^b\.jsonl:2: this line is corrupt or contains merge-conflict markers/],
    [
      'a last line without its end',
      HEADER + LINE.trimEnd(),
      /^b\.jsonl:2: this line is corrupt or contains merge-conflict markers/,
    ],
    [
      'a merge with conflicts',
      `${HEADER}<<<<<<< ours\n${LINE}`,
      /^b\.jsonl:2: this line is corrupt or contains merge-conflict markers/,
    ],
    ['a blank line', `${HEADER}${LINE}\n${LINE}`, /^b\.jsonl:3: /],
    ['a severity that is none', HEADER + LINE.replace('error', 'fatal'), /^b\.jsonl:2: /],
    ['a fingerprint that is none', HEADER + LINE.replace('0123', 'wxyz'), /^b\.jsonl:2: /],
    ['a line with more than it should have', HEADER + LINE.replace('{', '{"count":3,'), /^b\.jsonl:2: /],
  ])('refuses %s in one line', (_, text, expected) => {
    const parse = () => parseBaseline(text, 'b.jsonl');
    expect(parse).toThrow(LintError);
    expect(parse).toThrow(expected);
    expect(parse).not.toThrow(/\n/);
  });
});

describe('the file', () => {
  it('is read as it was written, and nothing is left beside it', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'baseline.jsonl');
    expect(await readBaseline(file)).toBeNull();
    await writeBaseline(file, [entry()]);
    await writeBaseline(file, [entry({ severity: 'info' })]);
    expect(await readBaseline(file)).toEqual([entry({ severity: 'info' })]);
    expect(await readdir(folder)).toEqual(['baseline.jsonl']);
  });

  it('cannot be written where there is no folder, in one line', async () => {
    const file = join(await temporaryFolder(), 'none', 'baseline.jsonl');
    await expect(writeBaseline(file, [])).rejects.toThrow(
      /^The baseline .*none\/baseline\.jsonl can't be written: its folder does not exist\.$/,
    );
  });

  it('stays as it was where it cannot be replaced', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'baseline.jsonl');
    // A folder that is not empty can't be replaced by a file.
    await mkdir(join(file, 'inside'), { recursive: true });
    await expect(writeBaseline(file, [])).rejects.toThrow(LintError);
    expect(await readdir(folder)).toEqual(['baseline.jsonl']);
  });

  it('cannot be read where it is a folder, in one line', async () => {
    await expect(readBaseline(await temporaryFolder())).rejects.toThrow(/can't be read: it is a folder\.$/);
  });

  it('is whole at any moment, while others read it', async () => {
    const file = join(await temporaryFolder(), 'baseline.jsonl');
    const many = Array.from({ length: 2_000 }, (_, index) => entry({ path: `p${index}` }));
    await writeFile(file, formatBaseline(many));
    const lengths = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const [, ...read] = await Promise.all([
        writeBaseline(file, many),
        ...Array.from({ length: 5 }, () => readFile(file, 'utf8')),
      ]);
      for (const text of read) lengths.add(text.length);
    }
    expect([...lengths]).toEqual([formatBaseline(many).length]);
  });
});
