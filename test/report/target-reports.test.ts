import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { renderTargetReports } from '../../src/report/target-reports.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const published = JSON.parse(
  readFileSync(join(packageRoot(), 'schema', 'target-reports.schema.json'), 'utf8'),
) as object;
const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(published);

const report = { ...policyRun(['shop.orders'], { findings: [policyFinding()] }).report, target: 'staging' };
const document = () =>
  JSON.parse(
    renderTargetReports([
      { alias: 'staging', report },
      { alias: 'gone', report: null },
    ]),
  ) as { targets: { report: unknown }[] };

describe('the reports of several targets', () => {
  it('are as their schema says, in order, each as it would be alone', () => {
    expect(accepts(document())).toBe(true);
    expect(document().targets).toEqual([
      { alias: 'staging', report: JSON.parse(JSON.stringify(report)) },
      { alias: 'gone', report: null },
    ]);
  });

  it('are refused by the schema where one is no report', () => {
    expect(accepts({ ...document(), targets: [{ alias: 'staging', report: {} }] })).toBe(false);
    expect(accepts({ ...document(), targets: [{ report: null }] })).toBe(false);
  });

  it('may hold what a later version adds', () => {
    expect(
      accepts({ ...document(), later: 1, targets: [{ alias: 'a', report: { ...report, later: 1 }, later: 1 }] }),
    ).toBe(true);
  });
});
