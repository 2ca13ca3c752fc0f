import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { costliestUnreported } from '../../src/findings/costliest-operation.js';
import { absent, present } from '../../src/presence.js';
import { FiguresSum } from '../../src/workload/operations/figures.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import type { Operation } from '../../src/workload/workload.js';

type Kept = Parameters<typeof costliestUnreported>[0];
type Found = Parameters<typeof costliestUnreported>[2][number];

const none = absent('unsupported', 'not there.');
const orders = { namespace: 'shop.orders', database: 'shop', name: 'orders', kind: 'collection', clustered: false };
const kept = [{ collection: orders, evidence: {} }] as unknown as Kept;

const find = (filter: Document, milliseconds: number, documentsExamined: number, executions = 10): Operation => ({
  shape: operationShape(
    { kind: 'find', namespace: 'shop.orders', command: { filter }, truncated: false },
    literalPlaceholder,
  ),
  figures: { profiler: { ...new FiguresSum().figures(), executions, milliseconds, documentsExamined } },
});
const TEXT = find({ $text: { $search: 'kettle' } }, 6_440, 90_000);
const SCAN = find({ status: 1 }, 900, 90_000);

const found = (operations: readonly Operation[], findings: readonly Found[] = []) => {
  const sources = { profiler: none, queryStats: none, logFile: none, recentLog: none, routerLog: none };
  const workload = traceWorkload({ operations, views: [], sources, counters: none });
  return costliestUnreported(
    kept,
    { workload: present(workload) } as Parameters<typeof costliestUnreported>[1],
    findings,
  );
};
const finding = (queries: string[]): Found => ({
  check: 'collection-scan',
  namespace: 'shop.orders',
  evidence: { source: 'profiler', window: '', queries },
});

describe('the most expensive query of a workload', () => {
  it('is named if no finding is about it', () => {
    expect(found([SCAN, TEXT], [finding(['find by `status` ($eq)'])])).toEqual({
      namespace: 'shop.orders',
      operation: 'find by $text',
      executions: 10,
      averageMs: 644,
      documentsExamined: 9_000,
    });
  });

  it.each<[string, readonly Operation[], readonly Found[]]>([
    ['a finding names it', [SCAN], [finding(['find by `status` ($eq)'])]],
    ['it is fast and examines little', [find({ _id: 1 }, 5_000, 5_000, 5_000)], []],
    ['nothing was recorded', [], []],
  ])('is not, if %s', (_, operations, findings) => {
    expect(found(operations, findings)).toBeNull();
  });
});
