import { describe, expect, it } from 'vitest';
import { REPORT_FORMATS } from '../../src/report/formats.js';
import { RENDER_DEFAULTS } from '../../src/report/report-options.js';
import { baselineReport } from '../support/report/pipeline-reports.js';

/** Formats that tell of single findings of the baseline; those for code hosts list what is there. */
const TELLING: readonly (readonly [string, RegExp, RegExp])[] = [
  ['table', /^Gone with their collections$/m, /1\s+not\s+seen\s+this\s+time/],
  ['json', /"gone": \[\s+\{/, /"notSeen": \[\s+\{/],
  ['html', /Gone with their collections/, /Not seen this time/],
  ['markdown', /Gone with their collections/, /Not seen this time/],
  ['sarif', /Gone with their collections: deep-nesting at/, /Not seen this time: mixed-types at/],
  ['junit', /Gone: the collection no longer exists/, /Not seen this time/],
  ['prometheus', /^mongolint_findings_gone\{[^}]*\} 1$/m, /^mongolint_findings_not_seen\{[^}]*\} 1$/m],
];

describe('what a run did not show again', () => {
  it.each(TELLING)('is told apart by the format %s', async (name, gone, notSeen) => {
    const format = REPORT_FORMATS.find((one) => one.name === name);
    const text = await format?.render(baselineReport(), RENDER_DEFAULTS);
    expect(text).toMatch(gone);
    expect(text).toMatch(notSeen);
  });

  it.each<readonly [string, RegExp]>([
    ['table', /^Still there, found directly$/m],
    ['json', /"stillThere": \[\s+\{/],
    ['html', /Still there: the sample missed it, and a direct search found it/],
    ['markdown', /Still there, found directly/],
    ['sarif', /Still there, found directly: mixed-types at/],
    ['junit', /Still there: the sample missed it/],
    ['prometheus', /^mongolint_findings_still_there\{[^}]*\} 1$/m],
  ])('is told apart from what a direct search found by the format %s', async (name, stillThere) => {
    const { notSeen = [], ...report } = baselineReport();
    const baseline = { new: 2, known: 3, fixed: 1, gone: 1, notSeen: 0, stillThere: 1, notJudged: 1 };
    const searched = { ...report, stillThere: notSeen, summary: { ...report.summary, baseline } };
    const format = REPORT_FORMATS.find((one) => one.name === name);
    const text = await format?.render(searched, RENDER_DEFAULTS);
    expect(text).toMatch(stillThere);
    expect(text?.replace(/\s+/g, ' ')).not.toMatch(/Not seen this time/);
  });
});
