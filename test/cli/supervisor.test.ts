import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printsOnly } from '../../src/cli/run-news.js';
import { Supervisor } from '../../src/cli/supervisor.js';
import { packageRoot } from '../../src/files/package-root.js';

const SAY = "const say = (line) => require('node:fs').writeSync(3, line + '\\n');";
const STAY = 'setInterval(() => {}, 1_000);';
const limit = (milliseconds: number | null, of = 'command') =>
  `say('!' + JSON.stringify({ kind: 'limit', of: '${of}', milliseconds: ${milliseconds}, why: 'it was late' }));`;

/** What becomes of a process that runs this, and has so many ms to begin. */
function endOf(script: string, graceOfStart: number) {
  const child = spawn(process.execPath, ['--eval', `${SAY} ${script}`], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const parent = Object.assign(new EventEmitter(), {
    exit: process.exit,
    platform: process.platform,
    stderr: process.stderr,
  });
  return new Supervisor(child, parent as never, graceOfStart).end();
}

describe('a process that is watched', () => {
  it.each([
    ['is stopped before its first word', "process.kill(process.pid, 'SIGSTOP')", 'it had not begun after 0.2 s'],
    ['is blocked before its first word', 'for (;;) {}', 'it had not begun after 0.2 s'],
  ])('and %s is ended', async (_, script, why) => {
    expect(await endOf(script, 200)).toEqual({ outcome: { kind: 'broken', why }, notes: [] });
  });

  it('is ended by the first of its limits that passes, with what it had noted', async () => {
    const notes = "say(JSON.stringify({ kind: 'found', name: 'ö\\u2028' }));".repeat(3);
    const script = `${notes} ${limit(null)} ${limit(600_000, 'one')} ${limit(100, 'other')} for (;;) {}`;
    const note = JSON.stringify({ kind: 'found', name: 'ö\u2028' });
    expect(await endOf(script, 600_000)).toEqual({
      outcome: { kind: 'broken', why: 'it was late' },
      notes: [note, note, note],
    });
  });

  it.each([
    ['that it did not announce', 'process.exit(0)', { kind: 'broken', why: 'it ended early' }],
    ['that it announced', `say('!{"kind":"ended","exitCode":1}'); process.exit(1)`, { kind: 'ended', exitCode: 1 }],
    [
      'that it announced, but does not come to',
      `say('!{"kind":"ended","exitCode":1}'); ${STAY}`,
      { kind: 'ended', exitCode: 1 },
    ],
    ['that somebody asked for', "process.kill(process.pid, 'SIGTERM')", { kind: 'stopped', exitCode: 143 }],
    [
      'that the system made',
      "process.kill(process.pid, 'SIGKILL')",
      { kind: 'broken', why: expect.stringContaining('SIGKILL') },
    ],
  ])('comes to an end %s', async (_, script, outcome) => {
    expect(await endOf(script, 600_000)).toMatchObject({ outcome });
  });
});

it.each([
  [['--version'], true],
  [['checks', '--format', 'json'], true],
  [['explain', 'x'], true],
  [['collect', '--help'], true],
  [['mongodb://localhost'], false],
  [['--exclude', 'checks'], false],
  [['accept', 'x'], false],
  [[], false],
])('%j only prints: %s', (argv, expected) => {
  expect(printsOnly(argv)).toBe(expected);
});

/** Stand in for a system that starts no other process: one says so later, as if there were too many, one at once. */
it.each(['/nowhere/node', 'no\\0path'])(
  'if no process can be watched, nothing is run: it might never end (%j)',
  (node) => {
    const preload = `data:text/javascript,${encodeURIComponent(`process.execPath = '${node}';`)}`;
    const argv = ['mongodb://127.0.0.1:1', '--timeout', '500ms', '--no-progress'];
    const command = join(packageRoot(), 'dist/bundle/cli.js');
    const { status, stderr } = spawnSync(process.execPath, ['--import', preload, command, ...argv], {
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^mongolint can't run: (?:ENOENT|ERR_INVALID_ARG_VALUE)\.\n$/);
    expect(status).toBe(2);
  },
);
