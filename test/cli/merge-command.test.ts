import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { writtenReport } from '../../src/report/skipped.js';
import { targetReportsSchema } from '../../src/report/target-reports.js';
import { runCaptured } from '../support/captured-io.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';
import { recordedReport } from '../support/report/recorded-reports.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const clean = policyRun(['shop.orders', 'shop.items']).report;
const found = policyRun(['shop.orders', 'shop.items'], {
  findings: [
    policyFinding({ namespace: 'shop.orders' }),
    policyFinding({ namespace: 'shop.items', severity: 'warning' }),
  ],
}).report;
const warned = policyRun(['shop.orders'], {
  findings: [policyFinding({ namespace: 'shop.orders', severity: 'warning' })],
}).report;
const cut: Report = { ...clean, failures: [{ reason: 'max-time', detail: 'the time is used up.' }] };

async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'reports'));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

const part = (number: number, of: number, targets: readonly unknown[]) => ({
  schemaVersion: 1,
  part: { number, of },
  targets,
});
const down = { alias: 'gone', report: null, failure: 'gone: No usable server at a:1 within 500 ms.' };

const merge = (folder: string, ...argv: string[]) =>
  runCaptured(['report', '--merge', 'reports/*.json', ...argv], { NO_COLOR: '1' }, folder);

const owned = (report: Report, owner: string | null) => ({
  ...report,
  findings: report.findings.map((finding) => ({ ...finding, owner })),
});

const PARTS = {
  'reports/1.json': part(1, 2, [
    { alias: 'eu', report: { ...found, target: 'eu' } },
    { alias: 'asia', report: { ...clean, target: 'asia' } },
  ]),
  'reports/2.json': part(2, 2, [{ alias: 'us', report: { ...warned, target: 'us' } }, down]),
};

describe('mongolint report --merge', () => {
  it('makes one document of all parts, with an overview, the worst first', async () => {
    const { stdout, exitCode } = await merge(await folderWith(PARTS), '--format', 'json');
    const document = targetReportsSchema.parse(JSON.parse(stdout));
    expect(stdout).toBe(`${JSON.stringify(document, null, 2)}\n`);
    expect(document.targets.map(({ alias, report }) => [alias, report?.target])).toEqual([
      ['eu', 'eu'],
      ['asia', 'asia'],
      ['us', 'us'],
      ['gone', undefined],
    ]);
    expect(document.overview).toMatchObject({
      clusters: [
        {
          alias: 'gone',
          exitCode: 2,
          failure: 'gone: No usable server at a:1 within 500 ms.',
          worst: null,
        },
        {
          alias: 'eu',
          exitCode: 1,
          findings: { error: 1, warning: 1 },
          worst: { namespace: 'shop.orders' },
        },
        { alias: 'us', exitCode: 0, findings: { error: 0, warning: 1 } },
        { alias: 'asia', exitCode: 0, findings: { error: 0, warning: 0 } },
      ],
      checks: [{ check: 'unbounded-array', targets: 2, findings: 3, severity: 'error' }],
      alike: [{ check: 'unbounded-array', namespace: 'shop.orders', path: 'items', severity: 'error', targets: 2 }],
      missing: [],
    });
    expect(exitCode).toBe(2);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string[], number]>([
    ['all are clean', { 'reports/a.json': clean, 'reports/b.json': clean }, [], 0],
    ['one has errors', { 'reports/a.json': clean, 'reports/b.json': found }, [], 1],
    ['one has warnings', { 'reports/a.json': clean, 'reports/b.json': warned }, [], 0],
    [
      'one has warnings, which fail',
      { 'reports/a.json': clean, 'reports/b.json': warned },
      ['--fail-on', 'warning'],
      1,
    ],
    [
      'all have too many warnings together',
      { 'reports/a.json': warned, 'reports/b.json': warned },
      ['--max-warnings', '1'],
      1,
    ],
    [
      'all have few warnings together',
      { 'reports/a.json': warned, 'reports/b.json': warned },
      ['--max-warnings', '2'],
      0,
    ],
    ['nothing fails', { 'reports/a.json': found }, ['--fail-on', 'never'], 0],
    ['one did not come to its end', { 'reports/a.json': cut, 'reports/b.json': found }, ['--fail-on', 'never'], 2],
    ['one is down', { 'reports/a.json': clean, 'reports/b.json': part(1, 1, [down]) }, ['--fail-on', 'never'], 2],
    ['a part is missing', { 'reports/a.json': part(1, 2, []) }, [], 2],
    [
      'something was not judged, strictly',
      { 'reports/a.json': { ...clean, skipped: [{ check: '*', reason: 'privilege', detail: 'no.' }] } },
      ['--strict'],
      3,
    ],
  ])('exits as one run would: %s', async (_, files, argv, expected) => {
    expect((await merge(await folderWith(files), ...argv)).exitCode).toBe(expected);
  });

  it('keeps a report that was cut short, and says so', async () => {
    const folder = await folderWith({ 'reports/eu.json': cut, 'reports/us.json': clean });
    const { stdout } = await merge(folder);
    expect(stdout).toContain('eu · Not linted to the end: the time is used up.');
    expect(stdout).toContain('2 clusters: 1 not linted to the end, nothing found so far, 1 without findings.');
  });

  it('says which parts have no report, and which targets of the configuration', async () => {
    const folder = await folderWith({
      'reports/1.json': part(1, 3, [{ alias: 'eu', report: clean }]),
      'reports/3.json': part(3, 3, []),
      'mongolint.config.yaml': "targets: [{ alias: eu, uri: '${A}' }, { alias: us, uri: '${B}' }]\n",
    });
    const { stdout, stderr, exitCode } = await merge(folder);
    expect(stderr).toBe(
      'The report of part 2 of 3 is missing: its run wrote none.\n' +
        'us: there is no report of this target, which mongolint.config.yaml lists.\n',
    );
    expect(stdout).toContain('This is not the whole fleet: 2 reports are missing.');
    expect(exitCode).toBe(2);
  });

  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    [
      'two reports of one target',
      { 'reports/a.json': { ...clean, target: 'eu' }, 'reports/b.json': { ...clean, target: 'eu' } },
      /^reports\/a\.json and reports\/b\.json both hold a report of the target eu: merge only one of them\.\n$/,
    ],
    [
      'one of another schema version',
      { 'reports/a.json': clean, 'reports/b.json': { ...clean, schemaVersion: 2 } },
      /^reports\/b\.json can't be read: its schemaVersion is not 1/,
    ],
    [
      'one that is cut off',
      { 'reports/a.json': JSON.stringify(clean).slice(0, 500) },
      /^reports\/a\.json can't be read: it is not JSON, or is cut off\.\n$/,
    ],
    ['something else', { 'reports/a.json': { a: 1 } }, /^reports\/a\.json can't be read: it was not written by/],
    ['a glob that matches nothing', { 'a.json': clean }, /^No file matches reports\/\*\.json\.\n$/],
  ])('refuses %s, and names the file', async (_, files, message) => {
    const { stderr, stdout, exitCode } = await merge(await folderWith(files));
    expect(stderr).toMatch(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });

  it('takes the files that a shell made of the glob', async () => {
    const folder = await folderWith(PARTS);
    const argv = ['report', '--merge', 'reports/1.json', 'reports/2.json', '--format', 'json'];
    expect(await runCaptured(argv, {}, folder)).toEqual(await merge(folder, '--format', 'json'));
  });

  it('can be merged again', async () => {
    const folder = await folderWith(PARTS);
    const { stdout } = await merge(folder, '--format', 'json');
    await writeFile(join(folder, 'all.json'), stdout);
    const again = await runCaptured(['report', '--merge', 'all.json', '--format', 'json'], {}, folder);
    expect(again.stdout).toBe(stdout);
  });

  it('writes each target to a file of its own, and links their pages', async () => {
    const folder = await folderWith(PARTS);
    const formats = [
      'html=out/fleet.html',
      'html=out/{target}.html',
      'sarif={target}.sarif',
      'prometheus={target}.prom',
    ];
    await mkdir(join(folder, 'out'));
    await merge(folder, ...formats.flatMap((format) => ['--format', format]));
    expect((await readdir(join(folder, 'out'))).sort()).toEqual([
      'asia.html',
      'eu.html',
      'fleet.html',
      'gone.html',
      'us.html',
    ]);
    expect((await readdir(folder)).filter((name) => /sarif|prom/.test(name))).toHaveLength(8);
    const page = await readFile(join(folder, 'out/fleet.html'), 'utf8');
    expect([...page.matchAll(/<a href="([^#"]*)"/g)].map(([, address]) => address)).toEqual([
      'gone.html',
      'eu.html',
      'us.html',
      'asia.html',
    ]);
    expect(await readFile(join(folder, 'gone.prom'), 'utf8')).toMatch(/^mongolint_up\{target="gone"\} 0$/m);
  });

  it.each(['sarif', 'junit', 'github', 'gitlab', 'prometheus'])('needs a file for each in %s', async (format) => {
    const { stderr, exitCode } = await merge(await folderWith(PARTS), '--format', format);
    expect(stderr).toMatch(
      new RegExp(`^With several targets, ${format} needs a file for each: name it with {target}, as in ${format}=`),
    );
    expect(exitCode).toBe(2);
  });

  it.each(['table', 'compact', 'markdown', 'html'])('tells of everything in %s', async (format) => {
    const { stdout } = await merge(await folderWith(PARTS), '--format', format);
    for (const text of [
      'eu',
      'us',
      'asia',
      'No usable server at a:1 within 500 ms',
      '4 clusters: 1 not linted, 1 with errors, 1 with warnings, 1 without findings.',
    ])
      expect(stdout).toContain(text);
  });

  it('names what is whose in all of them, also if only the reports know', async () => {
    const folder = await folderWith({
      'reports/eu.json': owned(found, 'team-a'),
      'reports/us.json': owned(warned, null),
    });
    const { stdout } = await merge(folder, '--format', 'json');
    expect(targetReportsSchema.parse(JSON.parse(stdout)).overview?.owners).toEqual([
      { owner: 'team-a', targets: 1, findings: 2 },
      { owner: null, targets: 1, findings: 1 },
    ]);
    const filtered = await merge(folder, '--format', 'json', '--owner', 'team-b');
    expect(targetReportsSchema.parse(JSON.parse(filtered.stdout)).overview?.clusters[0]).toMatchObject({ alias: 'us' });
  });

  it('keeps every report as it was', async () => {
    const reports = { eu: recordedReport('demo'), us: recordedReport('sharded'), asia: recordedReport('faulted') };
    const folder = await folderWith(
      Object.fromEntries(Object.entries(reports).map(([name, report]) => [`reports/${name}.json`, report])),
    );
    const { stdout } = await merge(folder, '--format', 'json');
    for (const { alias, report } of targetReportsSchema.parse(JSON.parse(stdout)).targets) {
      const { target, ...rest } = report as Report;
      expect(target).toBe(alias);
      expect(rest).toEqual(writtenReport(reports[alias as keyof typeof reports]));
    }
  });
});

describe('mongolint report without --merge', () => {
  it.each([['--fail-on', 'warning'], ['--max-warnings', '1'], ['--strict']])('has no use for %s', async (...argv) => {
    const { stderr, exitCode } = await runCaptured(
      ['report', 'a.json', ...argv],
      {},
      await folderWith({ 'a.json': clean }),
    );
    expect(stderr).toBe(`${argv[0]} has an effect on saved reports only with --merge.\n`);
    expect(exitCode).toBe(2);
  });
});
