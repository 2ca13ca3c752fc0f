import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runDemo, type DemoResult } from '../../src/demo/demo.js';
import { renderTable } from '../../src/report/table.js';
import { runCaptured } from '../support/captured-io.js';

describe('the demo', () => {
  let demo: DemoResult;
  const said: string[] = [];
  beforeAll(async () => {
    demo = await runDemo((message) => said.push(message));
  });

  it('finds every anti-pattern, and reports nothing that is designed well', () => {
    expect(demo.faults).toHaveLength(12);
    expect(demo.faults.filter(({ isFound, isQuiet }) => !isFound || !isQuiet)).toEqual([]);
    expect(said).toContain('linting');
  });

  it('shows an array that grows, by the ages of documents and by appends that go on', () => {
    const found = demo.report.findings.filter(({ check }) => check === 'fast-growing-array');
    expect(found.map(({ namespace, path, confidence }) => [namespace, path, confidence])).toEqual([
      ['shop.customers', 'visits', expect.stringMatching(/^(high|medium)$/)],
    ]);
    const evidence: Record<string, unknown> = { ...found[0]?.evidence };
    // How much of the short time that the demo takes is read of the oplog is chance; that appends go on over all of it, too.
    expect(evidence).toMatchObject({
      source: expect.stringMatching(/^sample(, oplog)?$/),
      ageField: '_id',
      highestIndex: expect.any(Number),
    });
    expect(evidence['documentsAppended']).toBeGreaterThan(0);
    expect(evidence['documentsAppended']).toBeLessThanOrEqual(10);
    expect(Math.abs(Number(evidence['elementsPerDay']) / 3 - 1)).toBeLessThan(0.15);
    // 1,000 elements are nearly a year away: too far for the time in which the rate was measured.
    expect(Object.keys(evidence['forecastDays'] as object)).toContain('200 elements');
  });

  it.each([80, 200])('says so in a table of %d columns', (width) => {
    const table = renderTable(demo.report, { width, color: false, quiet: false, verbose: true });
    const text = table.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/`visits` grows by 3(\.\d)? elements a day in a typical document \(\d+ now\)/);
    expect(text).toMatch(/elements per day [\d.]+ \(\S+ to \S+\)/);
    // At 200 columns, two columns beside each other break the line after it.
    expect(text).toMatch(/forecast 200 elements \(typical in [\d.]+ to [\d.]+ weeks, largest already\)/);
    const begin = table.search(/(INFO|WARNING) +fast-growing-array/);
    expect(begin).toBeGreaterThan(0);
    const finding = table.slice(begin, table.indexOf('mongolint explain fast-growing-array'));
    expect(Math.max(...finding.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
  });
});

it('fits one screen, and writes the page whose path it prints', async () => {
  const { exitCode, stdout } = await runCaptured(['demo'], { COLUMNS: '80' });
  expect(exitCode).toBe(0);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const [, page = ''] = /\n.*page: (.*\.html)\n/.exec(stdout) ?? [];
  expect(await readFile(page, 'utf8')).toContain('missing-lookup-index');
  await rm(dirname(page), { recursive: true });
});
