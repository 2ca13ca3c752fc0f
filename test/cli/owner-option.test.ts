import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const EVIDENCE = join(packageRoot(), 'test/evidence/recorded/v1/replica-set.evidence.jsonl.gz');

/** Every collection whose name begins with a to m is one team's, and the rest the other's, but for references. */
const OWNERS = `owners:
  - { glob: '*', owner: team-z }
  - { glob: '*.{a,b,c,d,e,f,g,h,i,j,k,l,m}*', owner: team-a }
  - { glob: '*.orders*', owner: null }
`;

async function folderWith(config: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'mongolint.config.yaml'), config);
  return folder;
}

async function judged(folder: string, ...argv: string[]): Promise<Report> {
  const { stdout, stderr } = await runCaptured(['judge', EVIDENCE, '--format', 'json', ...argv], {}, folder);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Report;
}

describe('--owner', () => {
  it('splits a report: each finding is in that of its owner, and one without an owner in all', async () => {
    const folder = await folderWith(OWNERS);
    const whole = await judged(folder);
    const of = (owner: string | null) => whole.findings.filter((finding) => finding.owner === owner).length;
    expect([of('team-a'), of('team-z')].every((count) => count > 0)).toBe(true);
    for (const owner of ['team-a', 'team-z']) {
      const { findings, leftOut } = await judged(folder, '--owner', owner);
      expect(findings).toHaveLength(of(owner) + of(null));
      expect(leftOut?.findings).toBe(whole.findings.length - findings.length);
    }
  });

  it('fails a run only by what is reported', async () => {
    const folder = await folderWith(`${OWNERS}  - { glob: '*', owner: team-z }\n  - { glob: none, owner: team-a }\n`);
    expect((await runCaptured(['judge', EVIDENCE], {}, folder)).exitCode).toBe(1);
    expect((await runCaptured(['judge', EVIDENCE, '--owner', 'team-a'], {}, folder)).exitCode).toBe(0);
  });

  it('renders a saved report of one owner, and gives owners to one that has none', async () => {
    const folder = await folderWith(OWNERS);
    const plain = await temporaryFolder();
    const { stdout } = await runCaptured(['judge', EVIDENCE, '--format', 'json'], {}, plain);
    await writeFile(join(folder, 'saved.json'), stdout);
    const saved = await runCaptured(['report', 'saved.json', '--format', 'json', '--owner', 'team-a'], {}, folder);
    expect(JSON.parse(saved.stdout)).toEqual(await judged(folder, '--owner', 'team-a'));
  });

  it('compares two runs for one owner', async () => {
    const folder = await folderWith(OWNERS);
    const { stdout } = await runCaptured(['judge', EVIDENCE, '--format', 'json'], {}, await temporaryFolder());
    const older = JSON.parse(stdout) as Report;
    await writeFile(join(folder, 'older.json'), JSON.stringify({ ...older, findings: [] }));
    await writeFile(join(folder, 'newer.json'), stdout);
    const compared = async (...argv: string[]) => {
      const run = await runCaptured(['compare', 'older.json', 'newer.json', '--format', 'json', ...argv], {}, folder);
      return JSON.parse(run.stdout) as Report;
    };
    const [all, own] = [await compared(), await compared('--owner', 'team-a')];
    const owners = new Set(own.findings.map(({ owner = null }) => owner));
    expect(all.findings.some(({ owner }) => owner === 'team-z')).toBe(true);
    expect([...owners].filter((owner) => owner !== null)).toEqual(['team-a']);
    expect(own.summary.baseline?.new).toBe(own.findings.filter(({ suppressed }) => suppressed === undefined).length);
    expect(own.leftOut?.findings).toBe(all.findings.length - own.findings.length);
  });

  it.each([
    [
      'a name that no rule has',
      OWNERS,
      ['--owner', 'team-b'],
      /^--owner team-b: "owners" of the configuration do not name it; did you mean "team-z"\?\n$/,
    ],
    ['no owners at all', 'failOn: error\n', ['--owner', 'team-a'], /^--owner needs "owners" in the configuration/],
    [
      'an update of the baseline',
      OWNERS,
      ['--owner', 'team-a', '--update-baseline', '--baseline', 'b'],
      /^--update-baseline with --owner would drop/,
    ],
    ['a rule without an owner', "owners: [{ glob: 'a.*' }]\n", [], /mongolint\.config\.yaml:1: owners\[0\]\.owner: /],
    ['a glob that can never match', "owners: [{ glob: 'a.', owner: b }]\n", [], /names no collection after its "\."/],
  ])('is refused: %s', async (_, config, argv, message) => {
    const { exitCode, stderr } = await runCaptured(['judge', EVIDENCE, ...argv], {}, await folderWith(config));
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});

describe('channels of the configuration', () => {
  it('each get the findings of their owner, at the address of a variable, which is never printed', async () => {
    const taken: [string, string][] = [];
    const webhook = await startHttpServer((request, response) => {
      request.on('data', (chunk: Buffer) => taken.push([request.url ?? '', chunk.toString()]));
      request.on('end', () => response.end());
    });
    const channels = ['a', 'z'].map((team) => `  - { owner: team-${team}, notify: '\${HOOK}/${team}' }\n`).join('');
    const folder = await folderWith(`${OWNERS}channels:\n${channels}`);
    const env = { HOOK: webhook };
    const run = (...argv: string[]) => runCaptured(argv, env, folder);
    const { stderr } = await run('judge', EVIDENCE, '--format', 'json');
    expect(stderr).toBe('');
    expect(taken.map(([at]) => at)).toEqual(['/a', '/z']);
    expect(taken[0]?.[1]).not.toContain('owner team-z');
    expect(taken[1]?.[1]).not.toContain('owner team-a');
    const printed = await run('--print-config', 'mongodb://127.0.0.1:1');
    expect(printed.exitCode).toBe(0);
    expect(printed.stdout).not.toContain(webhook);
    const unset = await runCaptured(['judge', EVIDENCE], {}, folder);
    expect(unset).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unset.stderr).toContain('channels[0].notify: the environment variable HOOK is not set');
  });
});
