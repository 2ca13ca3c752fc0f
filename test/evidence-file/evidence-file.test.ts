import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { EVIDENCE_VERSION } from '../../src/evidence-file/evidence-lines.js';
import { readEvidence, type FileRun } from '../../src/evidence-file/read-evidence.js';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { LintError } from '../../src/lint-error.js';
import { plainRun, smallCollection } from '../support/evidence-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SETTINGS = {
  include: ['shop.*'],
  exclude: [],
  sampleSize: 1_000,
  sampleBytes: 1_000_000,
  deep: false,
  concurrency: 4,
  timeout: 1_000,
  maxTime: 60_000,
};
const COLLECTIONS = ['shop.orders', 'shop.customers', 'shop.items'].map(smallCollection);

function written(file: string, run: EvidenceRun = plainRun(COLLECTIONS)) {
  const options = { run, plan: { kept: new Set<never>() }, settings: SETTINGS, collections: COLLECTIONS.length };
  return writeEvidence(file, { ...options, onCollection: () => {}, onCluster: () => {} });
}

/** Everything that a run hands on. */
async function all(run: EvidenceRun) {
  const collections = await run.ofCollections((one: KeptCollection) => one);
  return { collections, cluster: await run.ofCluster([]), end: await run.end(), user: await run.user() };
}

async function readAll(file: string) {
  const run = await readEvidence(file);
  try {
    return await all(run);
  } finally {
    await run.close();
  }
}

async function refusal(file: string): Promise<string> {
  const error: unknown = await readAll(file).catch((reason: unknown) => reason);
  if (!(error instanceof LintError)) throw new TypeError(`Not refused: ${String(error)}`);
  return error.message.replace(file, 'FILE');
}

async function refusalOf(content: string | Buffer, name = 'changed.jsonl'): Promise<string> {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, content);
  return refusal(file);
}

describe('an evidence file', () => {
  it.each(['run.jsonl', 'run.jsonl.gz'])('gives back what was written to it, as %s', async (name) => {
    const file = join(await temporaryFolder(), name);
    await written(file);
    const run: FileRun = await readEvidence(file);
    expect(run.header).toMatchObject({ settings: SETTINGS, collections: 3, version: EVIDENCE_VERSION });
    expect(run.startedAt).toEqual(new Date('2026-11-22T10:00:00Z'));
    const { collections, ...rest } = await all(run);
    const { collections: before, ...restBefore } = await all(plainRun(COLLECTIONS));
    expect(collections.map(({ collection }) => collection.namespace)).toEqual([
      'shop.customers',
      'shop.items',
      'shop.orders',
    ]);
    expect(rest).toMatchObject(restBefore);
    const orders = collections.find(({ collection }) => collection.name === 'orders');
    // Without the error that was thrown, which may quote a value.
    expect(orders).toEqual({
      ...before[0],
      evidence: {
        ...before[0]?.evidence,
        documents: { present: false, reason: 'privilege', detail: 'reading shop.orders: grant find.' },
      },
    });
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it('is not there if its run fails, and an older one stays', async () => {
    const file = join(await temporaryFolder(), 'run.jsonl.gz');
    const failing = { ...plainRun(COLLECTIONS), ofCluster: () => Promise.reject(new LintError('The log is gone.')) };
    await expect(written(file, failing)).rejects.toThrow('The log is gone.');
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await written(file);
    const before = await readFile(file);
    await expect(written(file, failing)).rejects.toThrow('The log is gone.');
    expect(await readFile(file)).toEqual(before);
  });

  it('never takes the place of a device', async () => {
    await expect(written('/dev/null')).rejects.toThrow("The evidence can't be written to /dev/null: it is not a file.");
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  it('can not be written where there is no folder, which is one clear line', async () => {
    const file = join(await temporaryFolder(), 'none', 'run.jsonl');
    await expect(written(file)).rejects.toThrow(`The evidence can't be written to ${file}: its folder does not exist.`);
  });
});

describe('an evidence file is refused', () => {
  let whole: string;
  beforeAll(async () => {
    const folder = join(import.meta.dirname, '../../../node_modules/.cache/mongolint-test');
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'whole.jsonl');
    await written(file);
    whole = await readFile(file, 'utf8');
  });

  const linesOf = () => whole.trimEnd().split('\n');
  const withLine = (line: number, change: (text: string) => string) =>
    `${linesOf()
      .map((text, at) => (at === line - 1 ? change(text) : text))
      .join('\n')}\n`;

  it.each<[string, () => string | Buffer, RegExp]>([
    ['if it is empty', () => '', /^FILE is cut off: it has no end/],
    ['if it has no footer', () => `${linesOf().slice(0, -1).join('\n')}\n`, /^FILE is cut off: it has no end/],
    ['if it is cut off within a line', () => whole.slice(0, -40), /^FILE, line 7 is damaged or cut off/],
    [
      'if a collection is missing',
      () => linesOf().toSpliced(2, 1).join('\n'),
      /^FILE, line 6 does not count the lines/,
    ],
    [
      'if a collection is there twice',
      () =>
        linesOf()
          .toSpliced(2, 0, linesOf()[1] ?? '')
          .join('\n'),
      /^FILE, line 8 does not count/,
    ],
    [
      'if a figure was changed',
      () => withLine(2, (text) => text.replace(/"count":\d/, '"count":9')),
      /^FILE, line 7 has another checksum than the file/,
    ],
    [
      'if a line is of another kind',
      () => withLine(3, () => '{"kind":"guess"}'),
      /^FILE, line 3 is damaged: it is of no known kind/,
    ],
    [
      'if the kind of a line is no text',
      () => withLine(3, () => '{"kind":{"toString":1,"valueOf":1}}'),
      /^FILE, line 3 is damaged: it is of no known kind/,
    ],
    ['if a line is no object', () => withLine(3, () => '[]'), /^FILE, line 3 is damaged/],
    [
      'if a piece is of another shape',
      () => withLine(3, (text) => text.replace('"unique":false', '"unique":0')),
      /^FILE, line 3 is damaged at evidence\.indexes/,
    ],
    ['if something follows the end', () => `${whole}{}\n`, /^FILE, line 8 follows the end/],
    [
      'if it is a report',
      () => '{"schemaVersion":1}',
      /^FILE, line 1 is not the first line of evidence: write such a file with `mongolint collect`\.$/,
    ],
    ['if it is text', () => 'mongodb logs', /^FILE, line 1 is not the first line of evidence/],
    [
      'if it is newer',
      () => withLine(1, (text) => text.replace(`"version":${EVIDENCE_VERSION}`, '"version":99')),
      /^FILE, line 1 has version 99 of the format, which is newer than this mongolint: update it\.$/,
    ],
    ['if it is gzipped and cut off', () => gzipSync(whole).subarray(0, -20), /^FILE, line \d+ is cut off/],
    [
      'if it is gzipped and damaged',
      () => Buffer.from(gzipSync(whole)).fill(0x55, 200, 240),
      /^FILE, line \d+ is damaged/,
    ],
  ])('%s', async (_, content, expected) => {
    expect(await refusalOf(content())).toMatch(expected);
  });

  it('if it is a folder, or is not there', async () => {
    const folder = await temporaryFolder();
    expect(await refusal(folder)).toBe("FILE can't be read: it is a folder.");
    expect(await refusal(join(folder, 'none.jsonl'))).toBe("FILE can't be read: there is no such file.");
  });

  it('wherever it is cut off, or one of its bytes is another', async () => {
    for (const bytes of [Buffer.from(whole), gzipSync(whole)]) {
      for (let at = 0; at < bytes.length - 1; at += Math.ceil(bytes.length / 10)) {
        await expect(refusalOf(bytes.subarray(0, at))).resolves.toMatch(/^FILE/);
        const changed = Buffer.from(bytes);
        changed.writeUInt8(bytes.readUInt8(at) ^ 0x01, at);
        // A few bytes of a gzip header, such as its time, are not of the content.
        if (isSame(changed)) continue;
        await expect(refusalOf(changed)).resolves.toMatch(/^FILE/);
      }
    }
  });

  function isSame(bytes: Buffer): boolean {
    try {
      return gunzipSync(bytes).toString() === whole;
    } catch {
      return false;
    }
  }
});
