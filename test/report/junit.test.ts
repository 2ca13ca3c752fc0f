import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { packageRoot } from '../../src/files/package-root.js';
import { SEVERITIES, type Severity } from '../../src/finding/severity.js';
import { renderJunit } from '../../src/report/junit.js';
import {
  ALL_REPORTS,
  baselineReport,
  cleanReport,
  faultedReport,
  PIPELINE_REPORTS,
} from '../support/report/pipeline-reports.js';
import { richReport } from '../support/report/rich-report.js';
import { findingOf, reportOf, unsampledCollection } from '../support/report/sample-report.js';

/** The schema that Jenkins validates against: junit-10.xsd of its xUnit plugin. */
const SCHEMA = readFileSync(join(packageRoot(), 'test/report/schemas/junit-10.xsd'), 'utf8');

async function problems(xml: string): Promise<string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents: xml }], schema: [SCHEMA] });
  return errors.map(({ message }) => message);
}

/** The tests of a report, one line each: "suite › name: outcome". */
function testsOf(xml: string): string[] {
  return [...xml.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"(?:\/>|>\s*<(\S+?)[\s/>])/g)].map(
    ([, classname, name, child]) =>
      `${classname} › ${name}: ${child === undefined || child === 'system-out' ? 'passed' : child}`,
  );
}

/** Totals as the root element states them. */
function totalsOf(xml: string): (number | undefined)[] {
  const [, tests, failures, errors] =
    /<testsuites name="[^"]*" tests="(\d+)" failures="(\d+)" errors="(\d+)">/.exec(xml) ?? [];
  return [tests, failures, errors].map(Number);
}

describe('renderJunit', () => {
  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    await expect(renderJunit(report)).toMatchFileSnapshot(`golden/${name}.junit.xml`);
  });

  it.each(ALL_REPORTS)("renders the %s report so that Jenkins' schema accepts it", async (_, report) => {
    expect(await problems(renderJunit(report))).toEqual([]);
  });

  it("tells by Jenkins' schema what is wrong", async () => {
    expect(await problems('<testsuites><testsuite name="a"/></testsuites>')).not.toEqual([]);
  });

  it.each([
    [{ failOn: 'error', maxWarnings: null }, ['error']],
    [{ failOn: 'warning', maxWarnings: null }, ['error', 'warning']],
    [{ failOn: 'info', maxWarnings: null }, ['error', 'warning', 'info']],
    [{ failOn: 'never', maxWarnings: null }, []],
    [{ failOn: 'drift', maxWarnings: null }, []],
    [{ failOn: 'error', maxWarnings: 0 }, ['error', 'warning']],
    [{ failOn: 'never', maxWarnings: 1 }, []],
  ] as const)('fails by what fails the run: %j', (policy, failing) => {
    const report = reportOf({ findings: SEVERITIES.map((severity) => findingOf({ severity, path: severity })) });
    const failed = (severity: Severity) => (failing as readonly Severity[]).includes(severity);
    expect(testsOf(renderJunit(report, policy))).toEqual(
      expect.arrayContaining(
        SEVERITIES.map((severity) =>
          expect.stringMatching(`: ${severity}: ${failed(severity) ? 'failure' : 'passed'}$`),
        ),
      ),
    );
  });

  it('has a failure for each finding that counts, and a test for each collection', () => {
    const report = richReport();
    const xml = renderJunit(report, { failOn: 'info', maxWarnings: null });
    const tests = testsOf(xml);
    expect(tests.filter((test) => test.endsWith(': failure'))).toEqual([
      'shop.threads › oversized-document: failure',
      'shop.threads › unbounded-array: posts: failure',
      'analytics.daily_visitors › dynamic-field-names: counts.*.byCountry: failure',
      'shop.customers › long-reference-array: profile.orders: failure',
      'shop.カタログ › deep-nesting: 商品.variants[].options[].価格: failure',
    ]);
    for (const { namespace } of report.collections)
      expect(tests.some((test) => test.startsWith(`${namespace} › `))).toBe(true);
    expect(totalsOf(xml)).toEqual([tests.length, 5, 0]);
  });

  it('skips what is suppressed or could not be judged, and passes what is clean', () => {
    expect(testsOf(renderJunit(richReport()))).toEqual(
      expect.arrayContaining([
        'legacy.sessions › bloated-document: skipped',
        'hr.salaries › deep-nesting: not judged (privilege): skipped',
        'hr.reviews › oversized-document: not judged (bound): skipped',
        'hr.reviews › no anti-patterns in what was judged: passed',
        'shop.orders › no anti-patterns in what was judged: passed',
        'shop.recent_orders › documents: skipped',
        'cluster › every check: not judged (privilege): skipped',
        'cluster › summary: passed',
      ]),
    );
    expect(testsOf(renderJunit(cleanReport()))).toContain('shop.new › documents: skipped');
  });

  it('makes an error of a fault', () => {
    const xml = renderJunit(faultedReport());
    expect(testsOf(xml)).toContain('shop.orders › every check: not judged (connection): error');
    expect(testsOf(xml)).toContain('cluster › not linted to the end: connection: error');
    expect(totalsOf(xml)[2]).toBe(4);
  });

  it('skips what the baseline knows and passes what is fixed', () => {
    const tests = testsOf(renderJunit(baselineReport()));
    expect(tests.filter((test) => test.endsWith(': failure'))).toHaveLength(2);
    expect(tests).toContain('shop.customers › long-reference-array: profile.orders: skipped');
    expect(tests).toContain('shop.carts › unbounded-array: items: passed');
  });

  it.each([
    ['nothing was found', reportOf({})],
    ['nothing could be read', reportOf({ collections: [unsampledCollection('shop.orders', 'not authorized.')] })],
  ])('never shows 0 tests, nor a passed one, where %s', (_, report) => {
    const tests = testsOf(renderJunit(report));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((test) => !test.endsWith(': skipped'))).toEqual([]);
  });

  it('names a finding the same when its figures change', () => {
    const [one, other] = ['41,210', '52,000'].map((longest) =>
      testsOf(renderJunit(reportOf({ findings: [findingOf({ message: longest })] }))),
    );
    expect(one).toEqual(other);
  });
});
