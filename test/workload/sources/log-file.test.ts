import { execFileSync } from 'node:child_process';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readLogFiles } from '../../../src/workload/sources/log-file.js';
import type { ReadSource } from '../../../src/workload/sources/source.js';
import type { SourcePart } from '../../../src/workload/workload.js';
import { LintError } from '../../../src/lint-error.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { otherLine, slowLine } from '../../support/workload/log-text.js';

const FIND = slowLine({ find: 'orders', filter: { total: 5 } }, { docsExamined: 2_000 });
const LOG = `${[otherLine(), FIND, 'garbage', FIND, otherLine()].join('\n')}\n`;
/** Takes away what 6.0 tells besides. */
const SHORT = Object.fromEntries(
  [
    'appName',
    'cursorExhausted',
    'numYields',
    'queryHash',
    'planCacheKey',
    'queryFramework',
    'locks',
    'readConcern',
    'storage',
    'remote',
    'protocol',
  ].map((name) => [name, undefined]),
);
const MEGABYTE = 1024 * 1024;

const inTime = () => false;

async function fileOf(content: string | Uint8Array, name = 'mongod.log'): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

function partsOf({ source }: ReadSource): readonly SourcePart[] {
  if (!source.present) throw new Error(source.detail);
  return source.value.parts;
}

function executions({ operations }: ReadSource): number[] {
  return operations.map(({ figures }) => figures.executions);
}

describe('a log file', () => {
  it.each([
    ['plain', LOG, 'mongod.log'],
    ['gzipped', gzipSync(LOG), 'mongod.log.gz'],
    ['gzipped under another name', gzipSync(LOG), 'mongod.log.1'],
    [
      'gzipped in several members',
      Buffer.concat([gzipSync(LOG.slice(0, 700)), gzipSync(LOG.slice(700))]),
      'mongod.log.gz',
    ],
  ])('is read %s', async (_how, content, name) => {
    const read = await readLogFiles([await fileOf(content, name)], inTime);
    expect(read.operations).toMatchObject([
      { shape: { kind: 'find' }, figures: { executions: 2, documentsExamined: 4_000, milliseconds: 240 } },
    ]);
    expect(partsOf(read)).toMatchObject([
      { file: name, entries: 2, unreadable: 1, bounded: false, coverage: { operations: 'slow' } },
    ]);
    const at = Date.UTC(2026, 10, 21, 3, 28, 55, 116);
    expect(partsOf(read)[0]?.window).toEqual({ from: at, to: at });
  });

  it('counts once however often it is named', async () => {
    const path = await fileOf(LOG);
    await symlink(path, `${path}.current`);
    expect(executions(await readLogFiles([path, `${path}.current`, path], inTime))).toEqual([2]);
  });

  it('adds to those of other nodes', async () => {
    expect(executions(await readLogFiles([await fileOf(LOG), await fileOf(LOG)], inTime))).toEqual([4]);
  });

  it('whose gzip data is cut counts as far as it goes', async () => {
    const zipped = gzipSync(LOG.repeat(500));
    const read = await readLogFiles([await fileOf(zipped.subarray(0, zipped.length - 200))], inTime);
    expect(executions(read)[0]).toBeGreaterThan(0);
    expect(read.source).toMatchObject({ value: { parts: [{ bounded: true }], gaps: [{ reason: 'malformed' }] } });
  });

  it('that takes too long is read in part, and that is said', async () => {
    const read = await readLogFiles([await fileOf(LOG.repeat(5_000))], () => true);
    expect(executions(read)[0]).toBeLessThan(10_000);
    expect(read.source).toMatchObject({ value: { parts: [{ bounded: true }], gaps: [{ reason: 'timeout' }] } });
  });

  it.each([
    ['without slow operations', otherLine(), 'insufficient'],
    ['that is none', 'a\nb\n', 'malformed'],
    ['that is empty', '', 'insufficient'],
  ])('%s says so', async (_what, content, reason) => {
    expect((await readLogFiles([await fileOf(content)], inTime)).source).toMatchObject({
      value: { gaps: [{ reason }] },
    });
  });

  it.each([
    ['that does not exist', (path: string) => path, "can't be read (ENOENT)"],
    ['that is a folder', async (path: string) => (await mkdir(path), path), 'is not a file: write the log to a file'],
    [
      'that is a pipe',
      (path: string) => (execFileSync('mkfifo', [path]), path),
      'is not a file: write the log to a file',
    ],
  ])('%s ends the run in one line', async (_what, prepare, reason) => {
    const path = await prepare(join(await temporaryFolder(), 'missing.log'));
    const failure = await readLogFiles([path], inTime).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LintError);
    expect((failure as Error).message).toContain(`${path} ${reason}`);
  });
});

describe('a log of 100 MB', () => {
  it.each([
    ['one line in twenty is about a slow operation', 20, {}],
    ['every line is', 1, {}],
    ['every line is, and short', 1, SHORT],
  ])('is read in bounded memory, where %s', async (_what, every, attributes) => {
    // No two lines hold the same values.
    const lineAt = (index: number) =>
      slowLine({ find: 'orders', filter: { total: index } }, { docsExamined: index, ...attributes });
    const lines = Array.from({ length: 2_000 }, (_, index) => (index % every === 0 ? lineAt(index) : otherLine()));
    const path = await fileOf('');
    const piece = Buffer.from(`${lines.join('\n')}\n`);
    const file = await open(path, 'a');
    const pieces = Math.ceil((100 * MEGABYTE) / piece.length);
    for (let number = 0; number < pieces; number += 1) await file.write(piece);
    await file.close();

    const before = process.memoryUsage().rss;
    const read = await readLogFiles([path], inTime);
    expect(executions(read)).toEqual([pieces * lines.filter((line) => line !== otherLine()).length]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEGABYTE);
  });
});
