import { execFileSync } from 'node:child_process';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LintError } from '../../../src/lint-error.js';
import { readLogFiles as readLogs } from '../../../src/workload/sources/log-file.js';
import type { ReadSource } from '../../../src/workload/sources/source.js';
import type { SourcePart } from '../../../src/workload/workload.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { otherLine, routerLine, slowLine } from '../../support/workload/log-text.js';

const FIND = slowLine({ find: 'orders', filter: { total: 5 } }, { docsExamined: 2_000 });
const LOG = `${[otherLine(), FIND, 'garbage', FIND, otherLine()].join('\n')}\n`;
const MEGABYTE = 1024 * 1024;

const inTime = () => false;

const readLogFiles = async (...given: Parameters<typeof readLogs>): Promise<ReadSource> =>
  (await readLogs(...given)).logFile;

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
    const other = LOG.replaceAll('38210', '38211');
    expect(executions(await readLogFiles([await fileOf(LOG), await fileOf(other)], inTime))).toEqual([4]);
  });

  it('that holds lines of another one too counts these once', async () => {
    const later = slowLine({ find: 'orders', filter: { total: 6 } }, {}, '2026-11-21T04:00:00.000+00:00');
    const read = await readLogFiles([await fileOf(LOG), await fileOf(`prefix: ${FIND}\n${LOG}${later}\n`)], inTime);
    expect(executions(read)).toEqual([3]);
    expect(partsOf(read)).toMatchObject([
      { entries: 2, ignored: 0 },
      { entries: 1, ignored: 3 },
    ]);
  });

  it('is found by a glob', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'mongod.gz'), gzipSync(LOG));
    await writeFile(join(folder, 'mongod.1.gz'), gzipSync(LOG.replaceAll('38210', '38211')));
    await mkdir(join(folder, 'more.gz'));
    expect(partsOf(await readLogFiles([join(folder, '*.gz')], inTime)).map(({ file }) => file)).toEqual([
      'mongod.1.gz',
      'mongod.gz',
    ]);
    await expect(readLogFiles([join(folder, '*.bz2')], inTime)).rejects.toThrow(/^No file matches .*\*\.bz2\.$/);
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
  it('is read in bounded memory', async () => {
    // No two lines of a piece hold the same values.
    const lines = Array.from({ length: 2_000 }, (_, index) =>
      index % 20 === 0 ? otherLine() : slowLine({ find: 'orders', filter: { total: index } }, { docsExamined: index }),
    );
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

describe('a log of mongos', () => {
  const COMMAND = { find: 'orders', filter: { total: 5 } };
  const ROUTED = [routerLine(COMMAND, 3), routerLine({ find: 'orders', filter: { total: 7 } }, 1)].join('\n');

  it('is a source of its own, so that nothing counts twice that the shards logged too', async () => {
    const { logFile, routerLog } = await readLogs([await fileOf(LOG), await fileOf(ROUTED, 'mongos.log')], inTime);
    expect(logFile.operations).toMatchObject([{ figures: { executions: 2, documentsExamined: 4_000 } }]);
    expect(logFile.operations[0]?.figures).not.toHaveProperty('shardsContacted');
    expect(routerLog.operations).toMatchObject([
      { figures: { executions: 2, documentsExamined: null, planSummaries: {}, shardsContacted: { 1: 1, 3: 1 } } },
    ]);
    expect(routerLog.operations[0]?.key).toBe(logFile.operations[0]?.key);
    expect(partsOf(logFile)).toMatchObject([{ file: 'mongod.log', entries: 2 }]);
    expect(partsOf(routerLog)).toMatchObject([{ file: 'mongos.log', entries: 2, ignored: 0 }]);
  });

  it.each([
    ['with batches that were fetched later', { getMore: 7n.toString(), collection: 'orders' }],
    ['with a write, whose command mongos does not log in full', { update: 'orders', ordered: true }],
  ])('%s counts operations alone', async (_what, command) => {
    const more = routerLine(command, 3, { originatingCommand: COMMAND, cursorid: 7 });
    const { routerLog } = await readLogs([await fileOf(`${ROUTED}\n${more}\n`)], inTime);
    expect(routerLog.operations[0]?.figures.shardsContacted).toEqual({ 1: 1, 3: 1 });
  });

  it.each([
    ['a router by its own word, from 8.0 on', '"svc":"R"', { docsExamined: 90, planSummary: 'COLLSCAN' }, 0, 1],
    ['a shard by its own word', '"svc":"S"', {}, 1, 0],
    ['a router by what it does not report', '"c":"COMMAND"', { locks: {} }, 0, 1],
    ['a shard by its locks', '"c":"COMMAND"', { locks: { Global: { acquireCount: { r: 2 } } } }, 1, 0],
    ['a shard that joins with others by its plan', '"c":"COMMAND"', { planSummary: 'COLLSCAN' }, 1, 0],
  ])('is told from that of %s', async (_what, word, attributes, onServer, onRouter) => {
    const text = routerLine(COMMAND, 3, attributes).replace('"c":"COMMAND"', word);
    const { logFile, routerLog } = await readLogs([await fileOf(text)], inTime);
    expect([logFile.operations.length, routerLog.operations.length]).toEqual([onServer, onRouter]);
  });

  it('says what it is if none was given', async () => {
    const { routerLog } = await readLogs([await fileOf(LOG)], inTime);
    expect(routerLog.source).toMatchObject({ present: false, detail: expect.stringContaining('no log of mongos') });
  });

  it('without operations is a log file without operations', async () => {
    const { logFile, routerLog } = await readLogs([await fileOf(otherLine(), 'mongos.log')], inTime);
    expect(logFile.source).toMatchObject({ value: { gaps: [{ reason: 'insufficient' }] } });
    expect(routerLog.source.present).toBe(false);
  });

  it('from a server that is both, is both', async () => {
    const { logFile, routerLog } = await readLogs([await fileOf(`${FIND}\n${ROUTED}\n`)], inTime);
    expect([...partsOf(logFile), ...partsOf(routerLog)]).toMatchObject([{ entries: 1 }, { entries: 2 }]);
  });
});
