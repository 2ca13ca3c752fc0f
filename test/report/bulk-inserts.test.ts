import { describe, expect, it } from 'vitest';
import { renderReport } from '../../src/report/formats.js';
import { bulkInserts, type ReportedShape } from '../../src/report/top-shapes-text.js';
import { reportOf } from '../support/report/sample-report.js';

const shape = (kind: ReportedShape['kind'], returned: number, namespace = 'shop.orders'): ReportedShape => ({
  namespace,
  kind,
  shape: kind,
  source: 'profiler',
  executions: 40,
  milliseconds: 900,
  msShare: 0.3,
  examinedShare: null,
  rankByTime: 1,
  rankByExamined: null,
  documentsExamined: null,
  keysExamined: null,
  returned,
  findings: [],
  why: 'writes only',
});
const find = shape('find', 10);
const load = shape('insert', 1_000);
const report = (...topShapes: readonly ReportedShape[]) => ({ ...reportOf({}), topShapes: [...topShapes] });

describe('bulk inserts that are not among the shapes shown', () => {
  it.each<[string, ReportedShape[], number, ReturnType<typeof bulkInserts>]>([
    [
      'two of them',
      [find, load, shape('insert', 500, 'shop.items')],
      1,
      { msShare: 0.6, text: 'bulk inserts: 80 executions on 2 collections' },
    ],
    [
      'one of unknown time',
      [find, { ...load, msShare: null }],
      1,
      { msShare: null, text: 'bulk inserts: 40 executions on 1 collection' },
    ],
    ['one that is shown', [find, load], 2, null],
    ['inserts of a few', [find, shape('insert', 3)], 1, null],
  ])('%s', (_, shapes, most, expected) => {
    expect(bulkInserts(report(...shapes), most)).toEqual(expected);
  });

  it.each(['table', 'markdown'])('are one line in %s', async (format) => {
    const text = await renderReport(report(find, load), format, { top: 1 });
    expect(text.match(/30 % .*bulk inserts: 40 executions/g)).toHaveLength(1);
  });
});
