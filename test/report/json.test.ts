import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { renderJson } from '../../src/report/json.js';
import { reportJsonSchema, reportSchema, type Report } from '../../src/report/report.js';
import { ALL_REPORTS } from '../support/report/pipeline-reports.js';
import { richReport } from '../support/report/rich-report.js';
import { findingOf, reportOf, sampledCollection } from '../support/report/sample-report.js';
import { UNPRINTABLE } from '../support/report/unprintable.js';

// `format` is checked by zod; the JSON Schema only names it.
const ajv = new Ajv2020({ allErrors: true, strict: true, validateFormats: false });
const validate = ajv.compile(reportJsonSchema());

/** Everything that is wrong with the report as JSON, by the published schema. */
function problems(report: unknown): string[] {
  validate(JSON.parse(JSON.stringify(report)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

type JsonSchema = ReturnType<typeof reportJsonSchema>;

/** Every property in a schema, at any depth, with its name. */
function fieldsOf(schema: JsonSchema): [string, JsonSchema][] {
  const inner = [schema.items, ...(schema.anyOf ?? [])].filter((part) => typeof part === 'object') as JsonSchema[];
  const own = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  return [...own, ...own.flatMap(([, field]) => fieldsOf(field)), ...inner.flatMap(fieldsOf)];
}

function reversed<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).toReversed()) as T;
}

describe('the published JSON Schema', () => {
  it('is the file that the package holds; write it anew with `npx vitest run test/report/json.test.ts -u`', async () => {
    const published = `${JSON.stringify(reportJsonSchema(), null, 2)}\n`;
    await expect(published).toMatchFileSnapshot('../../schema/report.schema.json');
  });

  it.each<readonly [string, Report]>([
    ...ALL_REPORTS,
    ['a rich report', richReport()],
    ['an empty report', reportOf({})],
  ])('accepts %s, as a report', (_, report) => {
    expect(problems(JSON.parse(renderJson(report)))).toEqual([]);
  });

  it('tolerates what a later version may add: keys everywhere, reasons, methods and kinds', () => {
    const report = JSON.parse(renderJson(richReport()));
    const added = { addedLater: true };
    Object.assign(report, added);
    for (const part of [
      report.cluster,
      report.summary,
      report.findings[0],
      report.findings[0].remedy,
      report.skipped[0],
      report.collections[0],
    ]) {
      Object.assign(part, added);
    }
    report.skipped[0].reason = 'added-later';
    report.collections[0].kind = 'added-later';
    report.collections[0].sampled.method = 'added-later';
    expect(problems(report)).toEqual([]);
  });

  it.each([
    [
      'a severity that does not exist',
      (report: Report) => Object.assign(report.findings[0] ?? {}, { severity: 'fatal' }),
      /\/findings\/0\/severity/,
    ],
    ['a missing part', (report: Report) => Object.assign(report, { skipped: undefined }), /skipped/],
    ['another version', (report: Report) => Object.assign(report, { schemaVersion: 2 }), /schemaVersion/],
    [
      'a count below zero',
      (report: Report) => Object.assign(report.summary, { collections: -1 }),
      /\/summary\/collections/,
    ],
  ])('refuses %s', (_, spoil, expected) => {
    const report = richReport();
    spoil(report);
    expect(problems(report).join('\n')).toMatch(expected);
  });

  it('describes every field', () => {
    const undescribed = fieldsOf(reportJsonSchema()).filter(([, field]) => (field.description ?? '') === '');
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });
});

describe('renderJson', () => {
  it('comes back as it was', () => {
    const report = richReport();
    expect(reportSchema.parse(JSON.parse(renderJson(report)))).toEqual(report);
  });

  it('is indented by 2 and ends with one newline', () => {
    expect(renderJson(reportOf({}))).toMatch(
      /^\{\n {2}"schemaVersion": 1,\n {2}"tool": \{\n {4}"name": "mongolint",[^]*[^\n]\n$/,
    );
  });

  it('has its keys in the same order, however the report was put together', () => {
    const report = reportOf({ findings: [findingOf()] });
    const shuffled = {
      ...reversed(report),
      findings: report.findings.map(reversed),
      cluster: reversed(report.cluster),
    };
    expect(renderJson(shuffled)).toBe(renderJson(report));
  });

  it('keeps the order of a command, whose first key is its name', () => {
    const remedy = reportedRemedy({
      steps: [{ text: 't', command: { db: 'a', command: { zebra: 1, apple: { z: 1, a: 1 } } } }],
    });
    const { findings } = JSON.parse(renderJson(reportOf({ findings: [findingOf({ remedy })] })));
    expect(JSON.stringify(findings[0].remedy)).toBe(JSON.stringify(remedy));
  });

  it('escapes what would act on a terminal, and means the same', () => {
    const namespace = 'shop.\u001b[31m\u009b\u202e\u2028\u200b日本語';
    const json = renderJson(reportOf({ collections: [sampledCollection(namespace)] }));
    expect(json.replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
    expect(json).toContain('日本語');
    expect(JSON.parse(json).collections[0].namespace).toBe(namespace);
  });

  it('writes all but what is not in the contract, and names that', () => {
    const evidence = { source: 'sample', window: 'all', share: Number.NaN };
    const collection = { ...sampledCollection('shop.orders'), size: -5 };
    const { findings, collections, skipped } = reportSchema.parse(
      JSON.parse(renderJson(reportOf({ findings: [findingOf({ evidence })], collections: [collection] }))),
    );
    expect(findings.map((finding) => finding.evidence)).toEqual([{ source: 'sample', window: 'all' }]);
    expect(collections).toEqual([]);
    expect(skipped.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/: findings\[0\]\.evidence\.share, collections\[0\]\.size.*collections\[0\]/),
    ]);
  });

  it('writes a report without the totals that it must have', () => {
    const report = reportOf({ findings: [findingOf({})] });
    const summary = { ...report.summary, bytesSampled: Number.NaN };
    const written = JSON.parse(renderJson({ ...report, summary }));
    expect(written.findings).toHaveLength(1);
    expect(written.skipped.at(-1).detail).toContain('summary.bytesSampled');
  });
});
