import { describe, expect, it } from 'vitest';
import { SEVERITIES } from '../../src/finding/severity.js';
import { renderCompact } from '../../src/report/compact.js';
import { hostileReport, PIPELINE_REPORTS } from '../support/report/pipeline-reports.js';
import { richReport } from '../support/report/rich-report.js';

const linesOf = (text: string) => text.trimEnd().split('\n');

describe('renderCompact', () => {
  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    await expect(renderCompact(report)).toMatchFileSnapshot(`golden/${name}.compact.txt`);
  });

  it('has one line for each finding that counts, the worst last, and the conclusion', () => {
    const report = richReport();
    const counting = report.findings.filter(({ suppressed, baseline }) => !suppressed && baseline?.status !== 'known');
    const lines = linesOf(renderCompact(report));
    const severities = lines.slice(0, counting.length).map((line) => line.split(':')[0] as string);
    expect(severities).toHaveLength(counting.length);
    expect(severities).toEqual(
      severities.toSorted((one, other) => SEVERITIES.indexOf(other as never) - SEVERITIES.indexOf(one as never)),
    );
  });

  it('keeps each finding on its line, whatever names there are', () => {
    const report = hostileReport();
    const lines = linesOf(renderCompact(report));
    const counting = report.findings.filter(({ suppressed }) => suppressed === undefined);
    expect(
      lines.filter((line) => / (?:error|warning): .*\(unbounded-array, high confidence\)$/.test(line)),
    ).toHaveLength(counting.length);
    // oxlint-disable-next-line no-control-regex
    expect(lines.join('')).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E]/);
  });

  it('names the target of each line', () => {
    const lines = linesOf(renderCompact({ ...richReport(), target: 'eu' }));
    expect(lines.every((line) => line.startsWith('eu: '))).toBe(true);
  });
});
