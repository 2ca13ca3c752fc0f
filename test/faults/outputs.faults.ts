import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { useFaultyShop } from '../support/faults/faulty-shop.js';

const faulty = useFaultyShop();
const folders = mkdtempSync(join(tmpdir(), 'mongolint-outputs-'));
afterAll(() => rmSync(folders, { recursive: true }));

describe('a stream', () => {
  it.concurrent.each([
    // A reader that has seen enough, as in `mongolint | head`.
    { stream: 'stdout', exit: [1] },
    { stream: 'stderr', exit: [1] },
  ] as const)('whose reader is gone: $stream', async ({ stream, exit }) => {
    await faulty.lint({ exit, report: false }, { meanwhile: (linter) => void linter[stream]?.destroy() });
  });

  it.concurrent('that is full: stdout', async () => {
    await faulty.lint({ exit: [2], report: false }, { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
  });

  it.concurrent('that is full: stderr', async () => {
    await faulty.lint({ exit: [1], report: true }, { stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')] });
  });
});

/** What stands where a file should be written to or read from; made in a folder of the case. */
const PLACES: Readonly<Record<string, (folder: string) => string>> = {
  'a full device': () => '/dev/full',
  'a folder': (folder) => folder,
  'a folder that is missing': (folder) => join(folder, 'missing', 'file'),
  'a file system that is read-only': () => '/proc/mongolint',
  'a link to itself': (folder) => made(join(folder, 'link'), (path) => symlinkSync(path, path)),
  'a pipe without a reader or writer': (folder) => made(join(folder, 'pipe'), (path) => execFileSync('mkfifo', [path])),
  'a file of another kind': (folder) =>
    made(join(folder, 'file'), (path) => writeFileSync(path, '\0\u0001not mine\n{')),
};

/** Where it is known before the run that no report can be written: nothing is read for it. */
const REFUSED_BEFORE = new Set(['a folder', 'a folder that is missing', 'a link to itself']);

function made(path: string, make: (path: string) => void): string {
  make(path);
  return path;
}

describe.each(Object.keys(PLACES))('%s', (place) => {
  const pathOf = (name: string) => {
    const folder = join(folders, `${place} ${name}`);
    mkdirSync(folder);
    return (PLACES[place] as (folder: string) => string)(folder);
  };

  it.concurrent('as a report', async () => {
    const exit = place === 'a file of another kind' ? [1] : [2];
    const isRefused = REFUSED_BEFORE.has(place);
    const args = ['--format', `sarif=${pathOf('report')}`];
    const report = await faulty.lint({ exit, report: !isRefused }, { args });
    expect(report === null).toBe(isRefused);
  });

  it.concurrent.each(['--history', '--baseline', '--config', '--log'])('as %s', async (option) => {
    const path = pathOf(option);
    // Lines of another kind in a log are left out, and counted.
    const exit = option === '--log' && place === 'a file of another kind' ? [1] : [2];
    await faulty.lint({ exit }, { args: [option, path] });
  });
});
