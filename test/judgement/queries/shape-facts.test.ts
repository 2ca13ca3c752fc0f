import { describe, expect, it } from 'vitest';
import { shapeFacts } from '../../../src/judgement/queries/query-cost.js';
import { executionOf, isExecution } from '../../../src/workload/operations/execution.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import type { OperationFigures } from '../../../src/workload/workload.js';

interface Ran {
  readonly examined: number;
  readonly ms?: number;
  readonly bytes?: number;
  readonly cursor?: number;
  readonly isLater?: boolean;
}

/** What the profiler shows of executions of one shape. */
function figuresOf(...all: readonly Ran[]): OperationFigures {
  const sum = new FiguresSum();
  for (const { examined, ms = 1, bytes = 100, cursor, isLater = false } of all) {
    const find = { find: 'orders', filter: { a: 1 } };
    const commands = isLater ? { command: { getMore: cursor }, originatingCommand: find } : { command: find };
    const execution = executionOf({
      fields: {
        ns: 'shop.orders',
        ...commands,
        docsExamined: examined,
        ...(cursor !== undefined && { cursorid: cursor }),
      },
      operation: isLater ? 'getmore' : 'query',
      at: 0,
      milliseconds: ms,
      responseBytes: bytes,
      user: '',
      truncated: false,
    });
    if (!isExecution(execution)) throw new Error(JSON.stringify(execution));
    sum.add(execution);
  }
  return sum.figures();
}

const times = (count: number, ran: Ran): Ran[] => Array.from({ length: count }, () => ran);
const near = (figure: number) => [figure / 1.1, figure * 1.1] as const;

describe('the facts of a shape', () => {
  it.each<[string, Ran[], number, number, number]>([
    [
      'thirty cheap reads and four of all documents',
      [...times(30, { examined: 10 }), ...times(4, { examined: 90_000 })],
      10_597,
      90_000,
      90_000,
    ],
    [
      'one dear read of a hundred is the worst, and not the tail',
      [...times(99, { examined: 100 }), { examined: 50_000 }],
      599,
      100,
      50_000,
    ],
    ['all alike', times(20, { examined: 777 }), 777, 777, 777],
    ['nothing examined', times(5, { examined: 0 }), 0, 0, 0],
    ['once', [{ examined: 4_321 }], 4_321, 4_321, 4_321],
  ])('%s', (_, ran, mean, p90, worst) => {
    const { documents } = shapeFacts([figuresOf(...ran)], null);
    expect(documents.mean).toBeCloseTo(mean, -1);
    expect(documents.worst).toBe(worst);
    const [least, most] = near(p90);
    expect(documents.p90).toBeGreaterThanOrEqual(least);
    expect(documents.p90).toBeLessThanOrEqual(most);
  });

  it.each([
    ['three of a hundred', 3, 24_000],
    ['two of a hundred: somebody tried something', 2, 100],
  ])('know what recurs, however rarely: %s', (_, dear, recurring) => {
    const ran = [...times(97, { examined: 100 }), ...times(dear, { examined: 24_000 })];
    const [least, most] = near(recurring);
    expect(shapeFacts([figuresOf(...ran)], null).documents.recurring).toBeGreaterThanOrEqual(least);
    expect(shapeFacts([figuresOf(...ran)], null).documents.recurring).toBeLessThanOrEqual(most);
  });

  it('take the batches of a cursor for one execution, in any order', () => {
    const batches = [
      { examined: 40_000, cursor: 7, isLater: true },
      { examined: 60_000, cursor: 7 },
    ];
    expect(shapeFacts([figuresOf(...batches, ...times(3, { examined: 1 }))], null).documents.worst).toBe(100_000);
  });

  it('are of bytes: documents by their size, and replies', () => {
    const facts = shapeFacts(
      [figuresOf(...times(9, { examined: 2, bytes: 50 }), { examined: 8, bytes: 9_000 })],
      1_000,
    );
    expect(facts.bytesExamined).toMatchObject({ mean: 2_600, worst: 8_000 });
    expect(facts.responseBytes).toMatchObject({ mean: 945, worst: 9_000 });
    expect(facts.milliseconds).toMatchObject({ mean: 1, worst: 1 });
  });

  it('are of several shapes together, and change none of them', () => {
    const [one, other] = [figuresOf(...times(8, { examined: 10 })), figuresOf(...times(2, { examined: 1_000 }))];
    const before = JSON.stringify([one, other]);
    const { documents } = shapeFacts([one, other], null);
    expect([documents.mean, documents.worst]).toEqual([208, 1_000]);
    expect(documents.p90).toBeGreaterThan(900);
    expect(JSON.stringify([one, other])).toBe(before);
  });

  it('know no tail if a source only adds up', () => {
    const { tails: _, ...sums } = figuresOf(...times(8, { examined: 10 }));
    expect(shapeFacts([sums], null).documents).toEqual({
      mean: 10,
      p90: null,
      worst: null,
      recurring: null,
    });
  });
});
