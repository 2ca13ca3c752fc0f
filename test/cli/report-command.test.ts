import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { REPORT_FORMATS, renderReport } from '../../src/report/formats.js';
import { DEFAULT_ANCHOR } from '../../src/report/report-options.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { RECORDED_NAMES, recordedReport } from '../support/report/recorded-reports.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const recorded = (name: string) => join(packageRoot(), 'test/report/recorded', `${name}.json`);

async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

describe('mongolint report', () => {
  it.each(RECORDED_NAMES)('renders the report %s in each format as its run did', async (name) => {
    const folder = await folderWith({ [DEFAULT_ANCHOR]: '' });
    for (const { name: format } of REPORT_FORMATS) {
      const argv = ['report', recorded(name), '--format', `${format}=report.${format}`];
      expect(await runCaptured(argv, {}, folder)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
      const written = await readFile(join(folder, `report.${format}`), 'utf8');
      expect(written).toBe(await renderReport(recordedReport(name), format));
    }
  });

  it('prints a table by default', async () => {
    const { exitCode, stdout } = await runCaptured(['report', recorded('demo')], { COLUMNS: '100', NO_COLOR: '1' });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(await renderReport(recordedReport('demo'), 'table', { width: 100 }));
  });

  it('puts the reports of several files together, and calls them by their names', async () => {
    const folder = await folderWith({
      'eu.json': recordedReport('demo'),
      'b.json': { ...recordedReport('clean'), target: 'us' },
      'c.json': { schemaVersion: 1, targets: [{ alias: 'asia', report: null }] },
    });
    const argv = ['report', 'eu.json', 'b.json', 'c.json', '--format', 'json'];
    const { exitCode, stdout } = await runCaptured(argv, {}, folder);
    expect(exitCode).toBe(0);
    const { targets } = JSON.parse(stdout) as { targets: { alias: string; report: Report | null }[] };
    expect(targets.map(({ alias, report }) => [alias, report?.target])).toEqual([
      ['eu', 'eu'],
      ['us', 'us'],
      ['asia', undefined],
    ]);
    await writeFile(join(folder, 'all.json'), stdout);
    const again = await runCaptured(['report', 'all.json', '--format', 'json'], {}, folder);
    expect(again.stdout).toBe(stdout);
  });

  it('leaves out what a later version added', async () => {
    const [finding, ...others] = recordedReport('demo').findings;
    const later = { ...recordedReport('demo'), added: 1, findings: [{ ...finding, alsoAdded: [1] }, ...others] };
    const folder = await folderWith({ 'later.json': later });
    const { stdout } = await runCaptured(['report', 'later.json', '--format', 'json'], {}, folder);
    expect(stdout).toBe(await renderReport(recordedReport('demo'), 'json'));
  });

  it.each<[string, readonly string[], string]>([
    ['a file that is not there', ['none.json'], "none.json can't be read: there is no such file.\n"],
    ['a folder', ['.'], ". can't be read: it is a folder.\n"],
    ['a file that is cut off', ['cut.json'], "cut.json can't be read: it is not JSON, or is cut off.\n"],
    ['another file', ['other.json'], "other.json can't be read: it was not written by --format json.\n"],
    [
      'a later contract',
      ['later.json'],
      "later.json can't be read: its schemaVersion is not 1, the one that this mongolint reads.\n",
    ],
    ['a damaged report', ['damaged.json'], "damaged.json can't be read: it is damaged at findings.\n"],
    [
      'two reports of one target',
      ['eu.json', 'eu.copy.json'],
      'eu.json and eu.copy.json both hold a report of the target eu: give only one of them.\n',
    ],
    ['a connection string', ['mongodb://ada:secret@host'], 'report takes files that --format json wrote.\n'],
    ['an option of a run', ['eu.json', '--sample-size', '5'], "error: 'report' takes no option '--sample-size <n>'\n"],
  ])('refuses %s in one line', async (_, argv, expected) => {
    const demo = recordedReport('demo');
    const folder = await folderWith({
      'eu.json': demo,
      'eu.copy.json': demo,
      'cut.json': JSON.stringify(demo).slice(0, -9),
      'other.json': { name: 'mongolint' },
      'later.json': { ...demo, schemaVersion: 2 },
      'damaged.json': { ...demo, findings: 'none' },
    });
    const { exitCode, stdout, stderr } = await runCaptured(['report', ...argv], {}, folder);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([
    ['none.txt', 'there is no such file'],
    ['.', 'it is a folder'],
  ])('says why the list of --changed cannot be read: %s', async (list, why) => {
    const { exitCode, stdout, stderr } = await runCaptured(
      ['report', recorded('demo'), '--changed', list],
      {},
      await folderWith({}),
    );
    const line = `The list of --changed can't be read: ${why}.\n`;
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(line) });
  });
});
