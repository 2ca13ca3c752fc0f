import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import type { Skipped } from '../../src/finding.js';
import { renderReport, REPORT_FORMATS } from '../../src/report/formats.js';
import { reportSchema } from '../../src/report/report.js';
import { countOf, detailOf, groupedSkipped } from '../../src/report/skipped.js';
import { reportOf, unsampledCollection } from '../support/report/sample-report.js';

const lost = (namespace: string, check = 'deep-nesting', evidence = 'documents'): Skipped => ({
  check,
  namespace,
  reason: 'connection',
  evidence,
  detail: `reading ${namespace}: the connection to the server was lost before; run again when it is back.`,
});
const young = (namespace: string): Skipped => ({
  check: 'unused-index',
  namespace,
  reason: 'insufficient',
  detail: `whether \`${namespace}_1\` is used: counted since today.`,
});
const names = (count: number) => Array.from({ length: count }, (_, index) => `shop.orders_${index}`);

describe('groupedSkipped', () => {
  it('writes one entry for each check and cause, with the first namespaces and their number', () => {
    const skipped = names(25).flatMap((name) => [lost(name), lost(name, 'unused-index', 'indexUsage')]);
    const { namespace: _, ...rest } = lost('shop.orders_0');
    expect(groupedSkipped(skipped)).toEqual([
      { ...rest, namespaces: names(10), count: 25 },
      { ...rest, check: 'unused-index', evidence: 'indexUsage', namespaces: names(10), count: 25 },
    ]);
  });

  it.each<[string, Skipped[]]>([
    ['one namespace', [lost('shop.orders')]],
    ['different evidence', [lost('shop.orders'), lost('shop.carts', 'deep-nesting', 'storage')]],
    [
      'different errors of the server',
      [
        { ...lost('shop.orders'), code: 89 },
        { ...lost('shop.carts'), code: 6 },
      ],
    ],
    ['the whole cluster', [1, 2, 3].map(() => ({ check: '*', reason: 'privilege', detail: 'listing.' }) as const)],
    ['what a check says of ten collections', names(10).map(young)],
  ])('leaves entries as they are: %s', (_, skipped) => {
    expect(groupedSkipped(skipped)).toEqual(skipped);
  });

  it('counts what a check says of more collections than an entry names', () => {
    const grouped = groupedSkipped(names(11).map(young));
    expect(grouped.map(countOf)).toEqual([11]);
    expect(detailOf(grouped[0] as Skipped)).toMatch(/ This holds for shop\.orders_0, .*, shop\.orders_9 and 1 more\.$/);
  });

  it('changes nothing that was written already', () => {
    const written = groupedSkipped(names(25).map((name) => lost(name)));
    expect(groupedSkipped(written)).toEqual(written);
  });
});

describe('a report of a run that lost its connection', () => {
  const COLLECTIONS = 1_800;
  const LARGEST_BYTES = 10_000_000;
  const checks = builtInChecks.map(({ id }) => id);
  const skipped = names(COLLECTIONS).flatMap((name) => checks.map((check) => lost(name, check)));
  const report = reportOf({
    skipped,
    collections: names(COLLECTIONS).map((name) => unsampledCollection(name, 'lost.')),
  });

  it.each(REPORT_FORMATS.map(({ name }) => [name]))('stays below 10 MB in the format %s', async (format) => {
    expect(skipped.length).toBeGreaterThan(100_000);
    const text = await renderReport(report, format);
    expect(Buffer.byteLength(text)).toBeLessThan(LARGEST_BYTES);
  });

  it('has one entry for each check in JSON', async () => {
    const written = reportSchema.parse(JSON.parse(await renderReport(report, 'json')));
    expect(written.skipped.map(({ check, count }) => [check, count])).toEqual(
      checks.map((check) => [check, COLLECTIONS]),
    );
  });
});
