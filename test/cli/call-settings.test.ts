import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { builtInChecks } from '../../checks/index.js';
import { configSchema } from '../../src/config/config-schema.js';
import { runCaptured } from '../support/captured-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NOBODY = 'mongodb://lint:s3cret@127.0.0.1:1';
const CONFIG = `uri: '\${URI}'
timeout: 2min
sampleBytes: 8 MB
notify: https://hooks.example.com/s3cret
formats: [table, json=report.json]
checks:
  unused-index: off
  unbounded-array: { thresholds: {}, namespaces: [{ glob: 'shop.*', severity: info }] }
suppressions:
  - { check: deep-nesting, reason: a known tree, expires: 2999-01-01 }
`;

async function printed(argv: readonly string[], config: string | null = CONFIG) {
  const folder = await temporaryFolder();
  if (config !== null) await writeFile(join(folder, 'mongolint.config.yaml'), config);
  return runCaptured(['--print-config', ...argv], { URI: NOBODY }, folder);
}

describe('--print-config', () => {
  it('prints a configuration that is one, with where each value comes from', async () => {
    const { exitCode, stdout } = await printed(['--severity', 'deep-skip=error', '--skip-check', '*-shard-key']);
    expect(exitCode).toBe(0);
    const config = parse(stdout);
    expect(configSchema(builtInChecks).safeParse(config).error).toBeUndefined();
    expect(config).toMatchObject({
      uri: 'mongodb://127.0.0.1:1',
      timeout: 120_000,
      sampleBytes: 8 * 1024 * 1024,
      sampleSize: 1_000,
      formats: ['table', 'json=report.json'],
      suppressions: [{ check: 'deep-nesting' }],
      checks: {
        'unused-index': { severity: 'off' },
        'monotonic-shard-key': { severity: 'off' },
        'deep-skip': { severity: 'error' },
        'unbounded-array': { namespaces: [{ glob: 'shop.*', severity: 'info' }] },
      },
    });
    expect(Object.keys(config.checks)).toEqual(builtInChecks.map(({ id }) => id));
    expect(stdout).toContain('timeout: 120000 # mongolint.config.yaml:2\n');
    expect(stdout).toContain('sampleSize: 1000 # default\n');
  });

  it('prints what is read for the enabled checks', async () => {
    expect((await printed(['--check', 'redundant-index'])).stdout).toMatch(/^# read for the enabled checks: indexes$/m);
    expect((await printed(['--check', 'unbounded-array'])).stdout).toMatch(/^# read .*\bsample\b/m);
  });

  it('prints no secret', async () => {
    expect((await printed([])).stdout).not.toContain('s3cret');
  });

  it('needs no connection string', async () => {
    const { exitCode, stdout } = await printed([], null);
    expect(exitCode).toBe(0);
    expect(parse(stdout)).toMatchObject({ failOn: 'error' });
  });

  it('reads no configuration with --no-config', async () => {
    const { stdout } = await printed(['--no-config', NOBODY]);
    expect(stdout).toContain('# configuration: none found\n');
    expect(parse(stdout)).toMatchObject({ timeout: 15_000, uri: 'mongodb://127.0.0.1:1' });
  });

  it.each([[[]], [['collect', '--output', 'e.jsonl']]])(
    'goes on to the server with --no-config: %j',
    async (command) => {
      const argv = [...command, NOBODY, '--no-config', '--timeout', '300ms', '--quiet'];
      const { exitCode, stderr } = await runCaptured(argv, {}, await temporaryFolder());
      expect(exitCode).toBe(2);
      expect(stderr).toContain('No usable server at 127.0.0.1:1');
    },
  );
});

describe('times and sizes', () => {
  it.each([
    ['--max-time', '90s', { maxTime: 90_000 }],
    ['--max-time', '1.5 h', { maxTime: 5_400_000 }],
    ['--timeout', '250ms', { timeout: 250 }],
    ['--timeout', '2MIN', { timeout: 120_000 }],
    ['--sample-bytes', '16mb', { sampleBytes: 16 * 1024 * 1024 }],
    ['--sample-bytes', '1GB', { sampleBytes: 1024 ** 3 }],
  ])('%s %s', async (option, value, expected) => {
    expect(parse((await printed([option, value], null)).stdout)).toMatchObject(expected);
  });

  it.each([
    ['--max-time', '15MB'],
    ['--max-time', 'soon'],
    ['--max-time', '0s'],
    ['--max-time', '-5s'],
    ['--timeout', '0.0001s'],
    ['--sample-bytes', '10min'],
    ['--sample-bytes', ''],
    ['--sample-size', '1k'],
  ])('refuses %s %s', async (option, value) => {
    const { exitCode, stdout, stderr } = await printed([option, value], null);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: option '--[a-z-]+ <\w+>': its value is invalid\. Give [^\n]+\n$/);
  });

  it('refuses them in a configuration, with the line', async () => {
    const { exitCode, stderr } = await printed([], 'uri: a\ntimeout: 5 parsecs\n');
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'mongolint.config.yaml:2: timeout: give 500ms, 15s, 10min or 1h, or a whole number of ms from 1\n',
    );
  });
});

describe('what a call says of checks', () => {
  it.each([
    [['--check', 'unused-indx'], '--check: no check matches "unused-indx"; did you mean "unused-index"?\n'],
    [
      ['--check', 'unused-index'],
      '--check unused-index: it is off in the configuration. To run it, add --severity unused-index=warning.\n',
    ],
    [
      ['--severity', 'unused-index'],
      "error: option '--severity <check=level>': its value is invalid. Give CHECK=LEVEL, with one of the levels error, warning, info, off.\n",
    ],
    [
      ['--severity', 'unused-index=fatal'],
      "error: option '--severity <check=level>': its value is invalid. Give CHECK=LEVEL, with one of the levels error, warning, info, off.\n",
    ],
  ])('refuses %j', async (argv, message) => {
    expect(await printed(argv)).toEqual({ exitCode: 2, stdout: '', stderr: message });
  });
});

describe('the command line', () => {
  it.each([
    ['chekcs', 'checks'],
    ['explian', 'explain'],
    ['shardkey', 'shard-key'],
  ])('says which command may be meant by %s', async (argument, command) => {
    const run = await runCaptured([argument]);
    expect(run).toEqual({ exitCode: 2, stdout: '', stderr: `error: unknown command; did you mean "${command}"?\n` });
  });

  it.each([[['--format', 'json=a', '--format', 'html=a']], [['--format', 'json=a', '--format', 'html=./a']]])(
    'refuses two reports in one file: %j',
    async (argv) => {
      const { exitCode, stderr } = await runCaptured([NOBODY, ...argv]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('Two reports cannot go to the same file');
    },
  );

  it('lists the checks as JSON, with their settings', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'mongolint.config.yaml'), CONFIG);
    const { exitCode, stdout } = await runCaptured(['checks', '--format', 'json'], {}, folder);
    expect(exitCode).toBe(0);
    const checks = JSON.parse(stdout) as { id: string; severity: string; thresholds: Record<string, object> }[];
    expect(checks.map(({ id }) => id)).toEqual(builtInChecks.map(({ id }) => id));
    expect(checks.find(({ id }) => id === 'unused-index')?.severity).toBe('off');
    const array = checks.find(({ id }) => id === 'unbounded-array');
    expect(array?.severity).toBe('by-finding');
    expect(Object.values(array?.thresholds ?? {})[0]).toMatchObject({
      default: expect.any(Number),
      value: expect.any(Number),
    });
  });

  it.each([['sarif'], ['json=a.json']])('refuses checks --format %s', async (format) => {
    const { exitCode, stderr } = await runCaptured(['checks', '--format', format]);
    expect([exitCode, stderr]).toEqual([2, 'checks prints only a table, or JSON with --format json.\n']);
  });

  it('prints the role of some checks only', async () => {
    const [all, few] = await Promise.all([
      runCaptured(['role']),
      runCaptured(['role', '--check', 'missing-validator']),
    ]);
    expect(few.exitCode).toBe(0);
    expect(few.stdout.length).toBeLessThan(all.stdout.length);
    expect(all.stdout).toContain('indexStats');
    expect(few.stdout).not.toContain('indexStats');
  });
});
