import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { renderGitlab } from '../../src/report/gitlab.js';
import { ALL_REPORTS, baselineReport, faultedReport, PIPELINE_REPORTS } from '../support/report/pipeline-reports.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

/** The fields of a Code Quality report, as GitLab documents them. */
const CODE_QUALITY = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          // Relative to the repository, and not starting with "./".
          path: { type: 'string', pattern: '^(?!\\./|/).' },
          lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
        },
      },
    },
  },
};

const validate = new Ajv2020({ allErrors: true }).compile(CODE_QUALITY);
const entriesOf = (...parameters: Parameters<typeof renderGitlab>) => JSON.parse(renderGitlab(...parameters));

describe('renderGitlab', () => {
  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    await expect(renderGitlab(report)).toMatchFileSnapshot(`golden/${name}.gitlab.json`);
  });

  it.each(ALL_REPORTS)('has the fields that GitLab documents in the %s report', (_, report) => {
    validate(entriesOf(report));
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each(ALL_REPORTS)('has no two entries of one fingerprint in the %s report', (_, report) => {
    const fingerprints = entriesOf(report).map(({ fingerprint }: { fingerprint: string }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });

  it('leaves out what could not be judged, which the merge request does not bring', () => {
    const skipped = [{ check: '*', namespace: 'shop.orders', reason: 'bound', detail: '7 GB' } as const];
    expect(entriesOf(reportOf({ findings: [findingOf()], skipped }))).toHaveLength(1);
  });

  it('lists what is suppressed as info, a run that failed as a blocker, and a severity for the rest', () => {
    const severities = entriesOf(faultedReport()).map(({ severity }: { severity: string }) => severity);
    expect(severities).toEqual(['critical', 'blocker', 'blocker']);
    const suppressed = findingOf({ suppressed: { by: 'config', reason: 'r', expires: null } });
    expect(entriesOf(reportOf({ findings: [suppressed] }))[0]).toMatchObject({
      severity: 'info',
      fingerprint: suppressed.fingerprint,
    });
  });

  it('says what the baseline knows, and what to put right', () => {
    const descriptions = entriesOf(baselineReport()).map(({ description }: { description: string }) => description);
    expect(descriptions.filter((text: string) => text.endsWith('New.'))).toHaveLength(1);
    expect(descriptions.filter((text: string) => text.endsWith('Worse: was warning.'))).toHaveLength(1);
    expect(descriptions.filter((text: string) => text.endsWith('Known.'))).toHaveLength(3);
    expect(descriptions.at(-1)).toMatch(/^The suppression of deep-nesting/);
  });

  it('points to the anchor', () => {
    expect(entriesOf(reportOf({ findings: [findingOf()] }), { anchor: 'ops/baseline.json' })[0].location.path).toBe(
      'ops/baseline.json',
    );
  });
});
