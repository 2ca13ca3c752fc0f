import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { reportSchema, type Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';

const client = sharedClient();
const database = freshDatabase(client);
const env = { MONGODB_URI: sharedReplicaSetUri() };

beforeAll(async () => {
  const invoices = Array.from({ length: 50 }, (_, index) => ({
    lines: [{ unitPrice: index + 0.1, quantity: 2 }],
    total: index * 100,
  }));
  await database.collection('invoices').insertMany(invoices);
});

/** The example, installed and built as its README says, in a project of its own. */
async function builtExample(): Promise<string> {
  const folder = await folderWith({ 'package.json': '{ "name": "a-project", "type": "module" }' });
  const plugin = join(folder, 'node_modules', 'mongolint-plugin-money');
  await cp(join(packageRoot(), 'examples', 'plugin-money'), plugin, { recursive: true });
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(packageRoot(), join(folder, 'node_modules', 'mongolint'));
  await promisify(execFile)(process.execPath, [
    join(packageRoot(), 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    plugin,
  ]);
  return folder;
}

async function lintJson(
  cwd: string,
  argv: readonly string[],
): Promise<{ exitCode: number; report: Report; stderr: string }> {
  const include = ['--include', `${database.databaseName}.*`];
  const { exitCode, stdout, stderr } = await runCaptured([...include, ...argv, '--format', 'json'], env, cwd);
  if (stdout === '') throw new Error(`No report: ${stderr}`);
  return { exitCode, report: reportSchema.parse(JSON.parse(stdout)), stderr };
}

const ofMoney = ({ findings }: Report) => findings.filter(({ check }) => check.startsWith('money/'));

describe('the example plugin', () => {
  it('builds, and finds what it is for, beside the built-in checks', async () => {
    const { report, exitCode, stderr } = await lintJson(await builtExample(), ['--plugin', 'mongolint-plugin-money']);
    expect(stderr).toBe('');
    expect(ofMoney(report)).toMatchObject([
      {
        check: 'money/floating-point-money',
        severity: 'warning',
        namespace: `${database.databaseName}.invoices`,
        path: 'lines[].unitPrice',
        docs: 'https://example.com/mongolint-plugin-money/docs/floating-point-money.md',
        evidence: { fractions: 1, window: 'all 50 documents' },
      },
    ]);
    expect(report.summary.checks.ran).toBeGreaterThan(5);
    expect(exitCode).toBe(0);
  });

  it('is set in the configuration: by file, extended, with thresholds and suppressions', async () => {
    const cwd = await builtExample();
    const config = (text: string) =>
      folderWith({
        'mongolint.config.yaml': `plugins: ['${join(cwd, 'node_modules/mongolint-plugin-money/dist/index.js')}']\n${text}`,
      });
    const strict = await lintJson(await config('extends: [money/strict]\n'), []);
    expect(strict.exitCode).toBe(1);
    expect(ofMoney(strict.report)).toMatchObject([{ severity: 'error' }]);
    const own = await lintJson(
      await config('extends: [money/strict]\nchecks: { money/floating-point-money: info }\n'),
      [],
    );
    expect(ofMoney(own.report)).toMatchObject([{ severity: 'info' }]);
    const mild = await lintJson(
      await config('checks: { money/floating-point-money: { thresholds: { share: 2 } } }\n'),
      [],
    );
    expect(ofMoney(mild.report)).toEqual([]);
    const known = await lintJson(
      await config('suppressions: [{ check: money/*, path: "lines[].unitPrice", reason: estimates }]\n'),
      [],
    );
    expect(ofMoney(known.report)).toMatchObject([
      { suppressed: { reason: 'estimates', by: 'mongolint.config.yaml:2' } },
    ]);
  });

  it('writes its format beside the built-in ones, also if the configuration names it', async () => {
    const cwd = await builtExample();
    const include = ['--include', `${database.databaseName}.*`];
    const argv = [
      ...include,
      '--plugin',
      'mongolint-plugin-money',
      '--format',
      'json',
      '--format',
      'money/csv=a b.csv',
    ];
    const { exitCode, stdout, stderr } = await runCaptured(argv, env, cwd);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { findings } = reportSchema.parse(JSON.parse(stdout));
    const csv = await readFile(join(cwd, 'a b.csv'), 'utf8');
    expect(csv.split('\r\n')).toHaveLength(findings.length + 2);
    expect(csv).toContain(
      `"warning","medium","money/floating-point-money","${database.databaseName}.invoices","lines[].unitPrice","Money in floating point",""`,
    );
    const configured = await folderWith({
      'mongolint.config.yaml': `plugins: ['${join(cwd, 'node_modules/mongolint-plugin-money/dist/index.js')}']\nformats: [money/csv]\n`,
    });
    expect((await runCaptured(include, env, configured)).stdout).toBe(csv);
  });

  it('is listed and explained', async () => {
    const cwd = await builtExample();
    const argv = ['--plugin', 'mongolint-plugin-money'];
    expect((await runCaptured(['checks', ...argv], {}, cwd)).stdout).toContain('money/floating-point-money');
    const explained = await runCaptured(['explain', 'money/floating-point-money', ...argv], {}, cwd);
    expect(explained.stdout).toMatch(/^# Money in floating point\n/);
    expect(explained.stdout).toContain('More: https://example.com/');
  });
});

const broken = (judge: string) => `export default {
  meta: { name: 'broken', version: '1.0.0' },
  checks: [{ id: 'thrower', title: 'T', summary: 's', docs: 'https://example.com/', appliesTo: ['collection'], needs: ['storage'], thresholds: {}, judge: ${judge} }],
};`;

describe('a check of a plugin that fails', () => {
  it.each([
    ['throws', "() => { throw new Error('a value'); }"],
    ['returns what is no problem', "() => [{ severity: 'fatal' }]"],
    ['returns nothing', '() => undefined'],
    ['relies on this', 'function () { return this.verdicts.length; }'],
  ])('%s: it is skipped by its name, and the others are not disturbed', async (_, judge) => {
    const cwd = await folderWith({ 'broken.mjs': broken(judge) });
    const { report, exitCode, stderr } = await lintJson(cwd, ['--plugin', './broken.mjs']);
    const faults = report.skipped.filter(({ reason }) => reason === 'fault');
    expect(faults).toMatchObject([{ check: 'broken/thrower', namespace: `${database.databaseName}.invoices` }]);
    expect(report.summary.checks.ran).toBeGreaterThan(5);
    expect(exitCode).toBe(2);
    expect(JSON.stringify(report) + stderr).not.toContain('a value');
  });

  it('may keep what it needs beside judge', async () => {
    const cwd = await folderWith({ 'fine.mjs': broken('function () { return this.appliesTo.slice(1); }') });
    const { report, exitCode } = await lintJson(cwd, ['--plugin', './fine.mjs']);
    expect(report.skipped.filter(({ check }) => check.startsWith('broken/'))).toEqual([]);
    expect(exitCode).toBe(0);
  });
});

const formatting = (render: string, more = '') => `export default {
  meta: { name: 'broken', version: '1.0.0' },
  formats: [{ name: 'text', description: 'd', extension: 'txt', render: ${render}, ${more} }],
};`;

async function lintBroken(render: string, argv: readonly string[], more = '') {
  const cwd = await folderWith({ 'broken.mjs': formatting(render, more) });
  const include = ['--include', `${database.databaseName}.*`, '--plugin', './broken.mjs'];
  return { cwd, ...(await runCaptured([...include, ...argv], env, cwd)) };
}

describe('a format of a plugin', () => {
  it.each([
    ['throws', "() => { throw new RangeError('a value'); }", 'RangeError'],
    ['rejects', "async () => { throw new RangeError('a value'); }", 'RangeError'],
    ['throws no error', "() => { throw 'a value'; }", 'string'],
    ['returns no text', '() => undefined', 'TypeError'],
    ['relies on another this', 'function () { return this.rows.join(); }', 'TypeError'],
    [
      'changes the report, then fails',
      "(report) => { report.findings = null; throw new RangeError('a value'); }",
      'RangeError',
    ],
  ])('that %s is reported in a line, and the other reports are written', async (_, render, name) => {
    const formats = ['table', 'broken/text=out.txt', 'json=report.json'].flatMap((format) => ['--format', format]);
    const { cwd, exitCode, stdout, stderr } = await lintBroken(render, formats);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `The broken/text report could not be written to out.txt: ${name}, a bug in the plugin broken.\n`,
    );
    expect(stdout).toContain('Coverage');
    const report = reportSchema.parse(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8')));
    expect(report.summary.collections).toBe(1);
    await expect(readFile(join(cwd, 'out.txt'))).rejects.toThrow('ENOENT');
  });

  it('that throws shows where with --verbose', async () => {
    const { stderr } = await lintBroken("() => { throw new RangeError('too few columns'); }", [
      '--format',
      'broken/text',
      '--verbose',
    ]);
    expect(stderr).toMatch(/^RangeError: too few columns\n {4}at .*broken\.mjs/m);
    expect(stderr).toContain('plugin broken 1.0.0: format broken/text\n');
  });

  it('knows its own object, and how it is drawn', async () => {
    const render =
      'function (report, { width, color }) { return [this.prefix, report.tool.name, width, color].join(); }';
    const argv = ['--format', 'broken/text=out.txt'];
    const { cwd, exitCode } = await lintBroken(render, argv, "prefix: 'own'");
    expect(exitCode).toBe(0);
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe('own,mongolint,120,false');
  });

  it('that no plugin brings is refused before anything is read, with the place that names it', async () => {
    const unknown = await lintBroken("() => ''", ['--format', 'broken/txt']);
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toBe('--format: no plugin has the format "broken/txt"; did you mean "broken/text"?\n');
    const cwd = await folderWith({ 'mongolint.config.yaml': 'formats: [other/format]\n' });
    expect(await runCaptured([], env, cwd)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'mongolint.config.yaml:1: no plugin has the format "other/format"\n',
    });
  });
});
