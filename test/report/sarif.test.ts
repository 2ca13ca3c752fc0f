import { createRequire } from 'node:module';
import Ajv4 from 'ajv-draft-04';
import type { Log, Notification, Result, Run } from 'sarif';
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import type { Report } from '../../src/report/report.js';
import { renderSarif, type SarifOptions } from '../../src/report/sarif.js';
import {
  ALL_REPORTS,
  baselineReport,
  faultedReport,
  hostileReport,
  PIPELINE_REPORTS,
} from '../support/report/pipeline-reports.js';
import { richReport } from '../support/report/rich-report.js';
import { CHECKS, findingOf, reportOf } from '../support/report/sample-report.js';

/** The official schema of SARIF 2.1.0, as it was published with its last revision. */
const SCHEMA = createRequire(import.meta.url)('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
// Formats are checked below where GitHub heeds them; one of the schema's patterns is none with the flag u.
const validate = new Ajv4.default({
  allErrors: true,
  strict: false,
  validateFormats: false,
  unicodeRegExp: false,
}).compile(SCHEMA);

function problems(log: unknown): string[] {
  validate(log);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function runOf(report: Report, options?: SarifOptions): Run {
  const log = JSON.parse(renderSarif(report, options)) as Log;
  return log.runs[0] as Run;
}

const resultsOf = (report: Report, options?: SarifOptions) => runOf(report, options).results as Result[];
const notificationsOf = (report: Report) =>
  runOf(report).invocations?.[0]?.toolExecutionNotifications as Notification[];

describe('renderSarif', () => {
  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    // Pages of checks change with the checks; whether they are in is tested below.
    const log = JSON.parse(renderSarif(report)) as Log;
    for (const rule of log.runs[0]?.tool.driver.rules ?? []) {
      for (const part of ['shortDescription', 'fullDescription', 'help'] as const) rule[part] = { text: `the ${part}` };
    }
    await expect(`${JSON.stringify(log, null, 2)}\n`).toMatchFileSnapshot(`golden/${name}.sarif`);
  });

  it.each(ALL_REPORTS)('renders the %s report so that the official schema accepts it', (_, report) => {
    expect(problems(JSON.parse(renderSarif(report)))).toEqual([]);
  });

  it('tells by the official schema what is wrong', () => {
    expect(problems({ version: '2.1.0', runs: [{ results: [] }] })).not.toEqual([]);
  });

  it.each(ALL_REPORTS)('has what GitHub asks for in the %s report', (_, report) => {
    const { tool, results = [] } = runOf(report);
    const rules = tool.driver.rules ?? [];
    for (const { id, shortDescription, fullDescription, help } of rules) {
      for (const text of [id, shortDescription?.text, fullDescription?.text, help?.text]) expect(text).toMatch(/\S/);
      expect(shortDescription?.text.length).toBeLessThanOrEqual(1_024);
      expect(fullDescription?.text.length).toBeLessThanOrEqual(1_024);
    }
    for (const { ruleId, ruleIndex = -1, message, locations = [], partialFingerprints } of results) {
      expect(rules[ruleIndex]?.id).toBe(ruleId);
      expect(message.text).toMatch(/\S/);
      expect(locations).toHaveLength(1);
      expect(locations[0]?.physicalLocation).toMatchObject({
        artifactLocation: { uri: 'mongolint.config.yaml' },
        region: { startLine: 1 },
      });
      expect(partialFingerprints?.['primaryLocationLineHash']).toMatch(/^[0-9a-f]+:1$/);
    }
    const hashes = results.map(({ partialFingerprints }) => partialFingerprints?.['primaryLocationLineHash']);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('holds the page of each built-in check as help, and its title', () => {
    const skipped = builtInChecks.map(({ id }) => ({
      check: id,
      reason: 'privilege' as const,
      detail: 'not authorized.',
    }));
    const rules = runOf(reportOf({ skipped })).tool.driver.rules ?? [];
    expect(rules.map(({ id }) => id)).toEqual(builtInChecks.map(({ id }) => id).sort());
    for (const { id, shortDescription, help } of rules) {
      expect(help?.markdown).toContain('## Fix');
      expect(shortDescription?.text).toBe(builtInChecks.find((check) => check.id === id)?.title);
    }
  });

  it('links to the page of a check where its address is known', () => {
    const findings = [
      findingOf(),
      findingOf({ check: 'acme/late-binding', docs: 'https://acme.example/late', fingerprint: 'ab' }),
    ];
    const uris = (options: SarifOptions) =>
      runOf(reportOf({ findings }), options).tool.driver.rules?.map(({ helpUri }) => helpUri);
    expect(uris({})).toEqual(['https://acme.example/late', undefined]);
    expect(uris({ homepage: 'https://mongolint.example/docs/' })).toEqual([
      'https://acme.example/late',
      'https://mongolint.example/docs/checks/unbounded-array.md',
    ]);
    const docs = 'javascript:alert(1)';
    expect(runOf(reportOf({ findings: [findingOf({ docs })] })).tool.driver.rules?.[0]?.helpUri).toBeUndefined();
  });

  it('names the collection and the path as logical locations', () => {
    const [first] = resultsOf(reportOf({ findings: [findingOf({ namespace: 'shop.a.b', path: 'posts[].text' })] }));
    expect(first?.locations?.[0]?.logicalLocations).toEqual([
      { name: 'a.b', fullyQualifiedName: 'shop.a.b', kind: 'namespace' },
      { name: 'posts[].text', fullyQualifiedName: 'shop.a.b.posts[].text', kind: 'member' },
    ]);
  });

  it('writes the anchor as a relative reference', () => {
    const [first] = resultsOf(reportOf({ findings: [findingOf()] }), { anchor: 'ops/a b#1.yaml' });
    expect(first?.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe('ops/a%20b%231.yaml');
  });

  it('says of every result whether it is suppressed, and why', () => {
    const suppressed = resultsOf(richReport()).filter(({ suppressions }) => suppressions?.length !== 0);
    expect(suppressed).toHaveLength(1);
    expect(suppressed[0]?.suppressions).toEqual([
      {
        kind: 'external',
        status: 'accepted',
        justification: 'Suppressed until 2026-04-01 in .mongolintrc.yaml: moves to the new store in March',
      },
    ]);
  });

  it('compares with the baseline; what is fixed is no result, or GitHub would show it', () => {
    const states = resultsOf(baselineReport()).map(({ baselineState }) => baselineState);
    expect(states.toSorted()).toEqual(['new', 'unchanged', 'unchanged', 'unchanged', 'updated', undefined]);
    const fixed = notificationsOf(baselineReport()).filter(({ descriptor }) => descriptor?.id === 'fixed');
    expect(fixed.map(({ message }) => message.text)).toEqual(['Fixed: unbounded-array at shop.carts items.']);
  });

  it('notes everything that was not judged, with the rule it belongs to', () => {
    const report = richReport();
    const skipped = notificationsOf(report).filter(({ descriptor }) => descriptor?.id?.startsWith('not-judged/'));
    expect(skipped).toHaveLength(report.skipped.length);
    expect(skipped.map(({ associatedRule }) => associatedRule?.id)).toEqual([
      ...CHECKS,
      'oversized-document',
      'oversized-document',
      undefined,
    ]);
    expect(runOf(report).invocations?.[0]?.executionSuccessful).toBe(true);
  });

  it('is no success after a fault', () => {
    expect(runOf(faultedReport()).invocations?.[0]?.executionSuccessful).toBe(false);
    expect(notificationsOf(faultedReport()).map(({ level }) => level)).toEqual([
      'note',
      'error',
      'error',
      'error',
      'error',
      'note',
    ]);
  });

  it('makes no link of a name that looks like one', () => {
    for (const { message } of resultsOf(hostileReport())) expect(message.text).not.toMatch(/\]\(/);
  });

  it('keeps to the results that GitHub takes, the worst ones, and says so', () => {
    const findings = Array.from({ length: 25_003 }, (_, index) =>
      findingOf({
        severity: index < 3 ? 'error' : 'info',
        evidence: { source: 's', window: 'w' },
        remedy: { text: 'Cap it.', steps: [{ text: 'Cap it.' }] },
        fingerprint: index.toString(16),
      }),
    );
    const run = runOf(reportOf({ findings }));
    expect(run.results).toHaveLength(25_000);
    expect(run.results?.slice(0, 4).map(({ level }) => level)).toEqual(['error', 'error', 'error', 'note']);
    expect(run.invocations?.[0]?.toolExecutionNotifications?.[1]?.message.text).toMatch(/^3 findings beyond the limit/);
  });
});
