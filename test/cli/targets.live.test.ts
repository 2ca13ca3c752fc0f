import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportSchema } from '../../src/report/report.js';
import { targetReportsSchema } from '../../src/report/target-reports.js';
import { runCaptured, type CapturedRun } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';

const client = sharedClient();
const [clean, dirty] = [freshDatabase(client), freshDatabase(client)] as [Db, Db];
const UNREACHABLE = 'mongodb://lint:s3cret@127.0.0.1:1/';

beforeAll(async () => {
  await clean.collection('plain').insertMany([{ a: 1 }, { a: 2 }]);
  // Two hundred levels would be refused; these are an error.
  await dirty
    .collection('deep')
    .insertOne(Array.from({ length: 90 }).reduce<object>((inner, _, at) => ({ [`a${at}`]: inner }), {}));
});

const target = (alias: string, database: Db, more = '') => `  - alias: ${alias}
    uri: \${MONGODB_URI}
    include: ['${database.databaseName}.*']
${more}`;
const unreachable = '  - alias: gone\n    uri: ${GONE_URI}\n    timeout: 500\n';

async function run(targets: string, argv: readonly string[] = [], more = ''): Promise<CapturedRun & { cwd: string }> {
  const cwd = await folderWith({ 'mongolint.config.yaml': `targets:\n${targets}${more}` });
  const env = { MONGODB_URI: sharedReplicaSetUri(), GONE_URI: UNREACHABLE };
  return { ...(await runCaptured(argv, env, cwd)), cwd };
}

describe('several targets in one run', () => {
  it.each<[string, string, string[], string, number]>([
    ['all are clean', target('a', clean) + target('b', clean), [], '', 0],
    ['one has findings', target('a', clean) + target('b', dirty), [], '', 1],
    ['one has findings that are let pass', target('a', clean) + target('b', dirty), ['--fail-on', 'never'], '', 0],
    [
      'one has findings that are suppressed',
      target('a', clean) + target('b', dirty),
      [],
      "suppressions: [{ check: '*', reason: known }]\n",
      0,
    ],
    ['one is unreachable', target('a', clean) + unreachable, [], '', 2],
    ['the first is unreachable, and one has findings', unreachable + target('b', dirty), [], '', 2],
    ['one is unreachable, and nothing fails', target('a', clean) + unreachable, ['--fail-on', 'never'], '', 2],
    [
      'one has findings, and a report can not be written',
      target('a', clean) + target('b', dirty),
      ['--format', 'json=/no/such/folder/a.json'],
      '',
      2,
    ],
    ['one has no time', target('a', clean) + target('b', clean, '    maxTime: 1\n'), [], '', 2],
  ])('exit with one code: %s', async (_, targets, argv, more, expected) => {
    expect((await run(targets, argv, more)).exitCode).toBe(expected);
  });

  it('stand one after the other in the table, each with its name', async () => {
    const { stdout } = await run(target('staging', clean) + target('production', dirty));
    const headings = stdout.split('\n').filter((line) => line.startsWith('mongolint '));
    expect(headings.map((line) => line.split(' · ')[1])).toEqual(['staging', 'production']);
  });

  it('stand in one JSON document, whose schema is published', async () => {
    const { stdout, stderr } = await run(target('staging', dirty) + unreachable, ['--format', 'json']);
    const { targets } = targetReportsSchema.parse(JSON.parse(stdout));
    expect(targets).toMatchObject([
      { alias: 'staging', report: { target: 'staging', summary: { findings: { error: 1 } } } },
      { alias: 'gone', report: null },
    ]);
    expect(stderr).toMatch(/^gone: No usable server at 127\.0\.0\.1:1 within 500 ms: [^\n]*\n$/);
    expect(stdout + stderr).not.toContain('s3cret');
  });

  it('go to a file each, where the name says so', async () => {
    const { cwd, exitCode } = await run(
      target('staging', clean) + target('production', clean) + unreachable,
      [],
      "formats: ['json=report-{target}.json', 'sarif={target}.sarif']\n",
    );
    expect(exitCode).toBe(2);
    expect((await readdir(cwd)).sort()).toEqual([
      'gone.sarif',
      'mongolint.config.yaml',
      'production.sarif',
      'report-production.json',
      'report-staging.json',
      'staging.sarif',
    ]);
    expect(reportSchema.parse(JSON.parse(await readFile(join(cwd, 'report-staging.json'), 'utf8'))).target).toBe(
      'staging',
    );
  });

  it('write metrics and tests also of one that is down', async () => {
    const { cwd } = await run(
      target('staging', clean) + unreachable,
      ['--quiet'],
      "formats: ['prometheus={target}.prom', 'junit={target}.xml', 'sarif={target}.sarif', 'json={target}.json']\n",
    );
    const written = (file: string) => readFile(join(cwd, file), 'utf8');
    expect(await written('staging.prom')).toMatch(/^mongolint_up\{target="staging"\} 1$/m);
    expect(await written('gone.prom')).toMatch(/^mongolint_up\{target="gone"\} 0$/m);
    expect(await written('gone.prom')).toMatch(/^mongolint_run_timestamp_seconds\{target="gone"\} \d/m);
    expect(await written('gone.xml')).toMatch(/errors="1"[^]*<error message="gone: No usable server/);
    expect(JSON.parse(await written('gone.sarif'))).toMatchObject({
      runs: [{ results: [], invocations: [{ executionSuccessful: false }] }],
    });
    await expect(written('gone.json')).rejects.toThrow('ENOENT');
  });

  it('are one page in HTML, beside which each has its own: that of one that is down says so', async () => {
    const { cwd, exitCode } = await run(
      target('clean', clean) + target('dirty', dirty) + unreachable,
      ['--format', 'html=fleet.html', '--format', 'html={target}.html'],
      '',
    );
    const page = await readFile(join(cwd, 'fleet.html'), 'utf8');
    expect(exitCode).toBe(2);
    expect(page).toContain('3 clusters: 1 not linted, 1 with errors, 1 without findings.');
    expect(page).toMatch(/<code>gone<\/code><\/a> No usable server/);
    expect(page.indexOf('href="dirty.html"')).toBeLessThan(page.indexOf('href="clean.html"'));
    expect(await readFile(join(cwd, 'gone.html'), 'utf8')).toMatch(/Not linted<\/h1>[^]*No usable server/);
  });

  it('say on stderr why one failed, also with --quiet', async () => {
    const cwd = await folderWith({
      'mongolint.config.yaml': `targets:\n${target('a', clean)}plugins: [./acme.mjs]\n`,
      'acme.mjs': `export default { meta: { name: 'acme', version: '1.0.0' }, checks: [{
        id: 'failing', title: 'It fails', summary: 'it fails', docs: 'https://acme.example/failing', thresholds: {}, appliesTo: ['collection'], needs: ['storage'],
        judge: () => { throw new TypeError('s3cret'); },
      }] };`,
    });
    const failed = await runCaptured(['--quiet'], { MONGODB_URI: sharedReplicaSetUri() }, cwd);
    expect(failed.stderr).toMatch(
      /^a: Not linted to the end: acme\/failing on .*: the check failed \(TypeError\); see --verbose\.\n$/,
    );
    expect(failed.exitCode).toBe(2);
  });

  it('are not mixed in a format that can not hold several', async () => {
    const { exitCode, stdout, stderr } = await run(target('a', clean) + target('b', clean), ['--format', 'junit']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(
      'With several targets, junit needs a file for each: name it with {target}, as in junit=report.{target}.xml.\n',
    );
  });

  it('have a baseline in common, in which each has its own findings', async () => {
    const cwd = await folderWith({
      'mongolint.config.yaml': `targets:\n${target('a', dirty)}${target('b', dirty)}baseline: known.jsonl\n`,
    });
    const env = { MONGODB_URI: sharedReplicaSetUri() };
    expect((await runCaptured(['--update-baseline'], env, cwd)).exitCode).toBe(0);
    const lines = (await readFile(join(cwd, 'known.jsonl'), 'utf8')).trimEnd().split('\n').slice(1);
    expect(lines.map((line) => (JSON.parse(line) as { target: string }).target)).toEqual(['a', 'b']);
    expect((await runCaptured([], env, cwd)).exitCode).toBe(0);
  });

  it('that is one alone is reported as one is', async () => {
    const { stdout } = await run(target('staging', clean), ['--format', 'json']);
    expect(reportSchema.parse(JSON.parse(stdout)).target).toBe('staging');
  });
});

const checks = (setting: string) =>
  `checks:\n  deep-nesting:\n    namespaces:\n      - { glob: '${dirty.databaseName}.*', ${setting} }\n`;

async function severitiesWith(setting: string): Promise<string[]> {
  const { stdout } = await run(target('a', dirty), ['--format', 'json'], checks(setting));
  return reportSchema.parse(JSON.parse(stdout)).findings.map(({ check, severity }) => `${check} ${severity}`);
}

describe('settings by namespace', () => {
  it('switch checks off, set severities and thresholds', async () => {
    expect(await severitiesWith('severity: info')).toEqual(['deep-nesting info']);
    expect(await severitiesWith('severity: off')).toEqual([]);
    expect(await severitiesWith('thresholds: { info: 98, warning: 99, error: 100 }')).toEqual([]);
  });
});

describe('targets that --shard shares out', () => {
  const four = target('a', clean) + target('b', dirty) + target('c', clean) + unreachable;
  const part = async (of: string, ...argv: string[]) => {
    const done = await run(four, ['--shard', of, '--format', 'json', ...argv]);
    return { ...done, document: targetReportsSchema.parse(JSON.parse(done.stdout)) };
  };

  it('are each linted in one part, with an exit code of its own', async () => {
    const parts = [await part('1/2'), await part('2/2')];
    const aliases = parts.map(({ document }) => document.targets.map(({ alias }) => alias));
    expect(aliases.map(({ length }) => length)).toEqual([2, 2]);
    expect(aliases.flat().sort()).toEqual(['a', 'b', 'c', 'gone']);
    expect(parts.map(({ document }) => document.part)).toEqual([
      { number: 1, of: 2 },
      { number: 2, of: 2 },
    ]);
    for (const [index, { exitCode, stderr }] of parts.entries()) {
      const own = aliases[index] ?? [];
      expect(exitCode).toBe(own.includes('gone') ? 2 : own.includes('b') ? 1 : 0);
      expect(stderr).toContain(`Part ${index + 1} of 2: 2 of 4 targets.\n`);
    }
    const gone = parts.flatMap(({ document }) => document.targets).find(({ alias }) => alias === 'gone');
    expect(gone).toEqual({
      alias: 'gone',
      report: null,
      failure: expect.stringMatching(/^gone: No usable server at /),
    });
  });

  it('may leave a part without any, which says so and is no fault', async () => {
    const parts = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => part(`${number}/6`, '--fail-on', 'never')));
    const empty = parts.filter(({ document }) => document.targets.length === 0);
    expect(empty).toHaveLength(2);
    expect(empty[0]).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/has no targets: there are only 4\.\n$/),
    });
  });

  it('do not make suppressions for other parts look unused', async () => {
    const unused = "suppressions: [{ check: deep-nesting, namespace: '*.deep', reason: a known tree }]\n";
    const texts = await Promise.all(['1/2', '2/2'].map((of) => run(four, ['--shard', of], unused)));
    expect(texts.map(({ stdout }) => stdout).join('')).not.toContain('matches no finding');
  });
});
