import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { runBuilt } from '../support/faults/built-command.js';
import { useCaseFolders } from '../support/faults/case-folders.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';

// Class 1 of "Each input costs only itself": a command says that it is done only if it is.
const folderWith = useCaseFolders();
const faulty = useFaultyShop();
const env = () => ({ MONGODB_URI: faulty.shop.uri });
/** As on a disk that fills: a file takes the first KB, and what comes then is refused. */
const FULL = "trap '' XFSZ; ulimit -f 1; exec > out";

describe('stdout that does not take everything is exit code 2, and stderr says so', () => {
  it.concurrent.each([
    [['--format', 'json']],
    [['checks']],
    [['explain', 'unbounded-array']],
    [['role']],
    [['--help']],
    [['collect', '--script']],
  ])('a file on a full disk: %s', async (argv) => {
    const cwd = await folderWith({});
    const { code, stderr } = await runBuilt(argv, { cwd, env: env(), shell: FULL });
    expect(code).toBe(2);
    expect(stderr).toContain('could not be written');
  });

  it.concurrent.each([[['--format', 'json']], [['--version']], [['checks']], [['role']]])(
    '/dev/full: %s',
    async (argv) => {
      const cwd = await folderWith({});
      const { code, stderr } = await runBuilt(argv, { cwd, env: env(), shell: 'exec > /dev/full' });
      expect(code).toBe(2);
      expect(stderr).toContain('could not be written');
    },
  );

  it.concurrent('a report in a file on a full disk: 2, and no half of it', async () => {
    const cwd = await folderWith({});
    const argv = ['--format', 'json=report.json', '--format', 'html=report.html'];
    const { code, stderr } = await runBuilt(argv, { cwd, env: env(), shell: "trap '' XFSZ; ulimit -f 1" });
    expect(code).toBe(2);
    expect(stderr).toMatch(/could not be written to report\.json/);
    expect(await readdir(cwd)).toEqual([]);
  });
});

async function accepted() {
  const cwd = await folderWith({});
  await runBuilt(['--format', 'json=report.json'], { cwd, env: env() });
  const { findings } = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8')) as Report;
  const fingerprints = [...new Set(findings.map(({ fingerprint }) => fingerprint))].slice(0, 6);
  const accept = (fingerprint: string) =>
    runBuilt(
      [
        'accept',
        fingerprint,
        '--report',
        'report.json',
        '--baseline',
        'known.jsonl',
        '--until',
        '2999-12-31',
        '--reason',
        'r',
        '--owner',
        'o',
      ],
      { cwd },
    );
  return { cwd, fingerprints, accept };
}

describe('a baseline that several change at once', () => {
  it('holds what each of six `accept` said that it accepted', async () => {
    const { cwd, fingerprints, accept } = await accepted();
    const done = await Promise.all(fingerprints.map(accept));
    expect(done.map(({ code }) => code)).toEqual(fingerprints.map(() => 0));
    const text = await readFile(join(cwd, 'known.jsonl'), 'utf8');
    for (const fingerprint of fingerprints) expect(text).toContain(fingerprint);
    expect(await readdir(cwd)).toEqual(['known.jsonl', 'report.json']);
  });

  it('holds what was accepted while a run updated it', async () => {
    const { cwd, fingerprints, accept } = await accepted();
    await writeFile(join(cwd, 'known.jsonl'), '{"mongolint":"baseline","version":1}\n');
    const [update, ...done] = await Promise.all([
      runBuilt(['--baseline', 'known.jsonl', '--update-baseline'], { cwd, env: env() }),
      ...fingerprints.map(accept),
    ]);
    expect([update?.code, ...done.map(({ code }) => code)]).toEqual([0, ...fingerprints.map(() => 0)]);
    const text = await readFile(join(cwd, 'known.jsonl'), 'utf8');
    expect(text.match(/"until"/g)).toHaveLength(fingerprints.length);
  });

  it('is taken over from a process that was killed while it wrote', async () => {
    const { cwd, fingerprints, accept } = await accepted();
    await writeFile(
      join(cwd, 'known.jsonl.lock'),
      JSON.stringify({ token: 'x', pid: 999_999, host: (await import('node:os')).hostname() }),
    );
    expect(await accept(fingerprints[0] as string)).toMatchObject({ code: 0 });
  });

  it('is not "Accepted" if nobody could read that: 2', async () => {
    const { cwd, fingerprints } = await accepted();
    const argv = [
      'accept',
      fingerprints[0] as string,
      '--report',
      'report.json',
      '--baseline',
      'known.jsonl',
      '--until',
      '2999-12-31',
      '--reason',
      'r',
      '--owner',
      'o',
    ];
    expect(await runBuilt(argv, { cwd, shell: 'exec > /dev/full' })).toMatchObject({ code: 2 });
  });
});
