import { describe, expect, it } from 'vitest';
import { unstablePlan } from '../../checks/unstable-plan.js';
import type { IndexDescription } from '../../src/check.js';
import type { OperationFigures } from '../../src/workload/workload.js';
import { index } from '../support/checks/index-builders.js';
import { problemsIn } from '../support/checks/workload-builders.js';

type Plans = NonNullable<OperationFigures['plans']>;
type Given = Partial<Plans[string]> & { readonly each?: number };

/** Of 40 executions, each returning one document. */
function plan({ each = 200, executions = 40, ...given }: Given = {}): Plans[string] {
  return {
    executions,
    examined: each * executions,
    returned: executions,
    tried: 0,
    replanned: 0,
    from: 0,
    to: 100,
    ...given,
  };
}

const BY_A = 'IXSCAN { a: 1 }';
const BY_B = 'IXSCAN { b: 1 }';
const A = index({ a: 1 });
const B = index({ b: 1 });

function found(
  plans: Plans,
  {
    indexes = [A, B],
    figures = {},
    days = 30,
    filter = { a: 1, b: 2 },
  }: {
    indexes?: readonly IndexDescription[];
    figures?: Partial<OperationFigures>;
    days?: number;
    filter?: object;
  } = {},
) {
  const planSummaries = Object.fromEntries(Object.entries(plans).map(([name, { executions }]) => [name, executions]));
  const recorded = [{ command: { filter }, figures: { planSummaries, plans, ...figures } }];
  return problemsIn(unstablePlan, { recorded, indexes, days, fields: ['a', 'b'] });
}

describe('unstable-plan', () => {
  it.each<[string, Plans, Parameters<typeof found>[1], string | null]>([
    ['two plans in turn', { [BY_A]: plan(), [BY_B]: plan() }, {}, 'info'],
    ['each of which examines 99', { [BY_A]: plan({ each: 99 }), [BY_B]: plan({ each: 20 }) }, {}, null],
    ['one of which examines 100', { [BY_A]: plan({ each: 100 }), [BY_B]: plan({ each: 20 }) }, {}, 'info'],
    ['one of which examines far more', { [BY_A]: plan({ each: 5_000 }), [BY_B]: plan() }, {}, 'warning'],
    ['which examines four times as much', { [BY_A]: plan({ each: 4_000 }), [BY_B]: plan({ each: 1_000 }) }, {}, 'info'],
    ['which returns as much more', { [BY_A]: plan({ each: 5_000, returned: 40 * 500 }), [BY_B]: plan() }, {}, 'info'],
    [
      'run ten times in a month',
      { [BY_A]: plan({ each: 5_000 }), [BY_B]: plan() },
      { figures: { executions: 10 } },
      'info',
    ],
    ['a plan that is given up, and chosen again', { [BY_A]: plan({ replanned: 3 }) }, {}, null],
    [
      'a plan that is given up for a rare one',
      { [BY_A]: plan({ replanned: 3 }), [BY_B]: plan({ executions: 1 }) },
      {},
      'info',
    ],
    ['a plan that was given up once', { [BY_A]: plan({ replanned: 1 }) }, {}, null],
    ['a plan that was tried once', { [BY_A]: plan(), [BY_B]: plan({ executions: 2 }) }, {}, null],
    ['one plan after another', { [BY_A]: plan({ to: 50 }), [BY_B]: plan({ from: 50 }) }, {}, null],
    ['an index that is dropped by now', { [BY_A]: plan(), [BY_B]: plan() }, { indexes: [A] }, null],
    [
      'an index that is hidden by now',
      { [BY_A]: plan(), [BY_B]: plan() },
      { indexes: [A, index({ b: 1 }, { hidden: true })] },
      null,
    ],
    [
      'an index for some values only',
      { [BY_A]: plan(), [BY_B]: plan() },
      { indexes: [A, index({ b: 1 }, { partialFilterExpression: { b: { $gt: 1 } } })] },
      null,
    ],
    [
      'an index on both, built since',
      { [BY_A]: plan(), [BY_B]: plan() },
      { indexes: [A, B, index({ a: 1, b: 1 })] },
      null,
    ],
    [
      'an index on both that the planner gives up',
      { [BY_A]: plan({ each: 999 }), 'IXSCAN { a: 1, b: 1 }': plan({ each: 100 }) },
      { indexes: [A, B, index({ a: 1, b: 1 })] },
      'info',
    ],
    [
      'an index on both beside one that costs no more',
      { [BY_A]: plan(), 'IXSCAN { a: 1, b: 1 }': plan() },
      { indexes: [A, B, index({ a: 1, b: 1 })] },
      null,
    ],
    ['a count of one value and of several', { [BY_A]: plan({ each: 5_000 }), 'COUNT_SCAN { a: 1 }': plan() }, {}, null],
    ['an $or of two branches and of three', { [BY_A]: plan(), [`${BY_A}, ${BY_A}`]: plan({ each: 5_000 }) }, {}, null],
    [
      'an $or whose branches use two indexes, and one that uses another',
      { [`${BY_A}, ${BY_B}, ${BY_B}`]: plan(), [BY_B]: plan() },
      {},
      'info',
    ],
    ['a query that names its index', { [BY_A]: plan(), [BY_B]: plan() }, { figures: { hints: { a_1: 3 } } }, null],
  ])('%s', (_, plans, given, severity) => {
    expect(found(plans, given)[0]?.severity ?? null).toBe(severity);
  });

  it('names the plans, and creates one index on both', () => {
    const [problem] = found({ [BY_A]: plan({ each: 5_000 }), [BY_B]: plan({ replanned: 2 }) });
    expect(problem?.message).toContain(
      'The server alternates between plans for find by `a`, `b` (1,000 executions in 30 days): ' +
        '`IXSCAN { a: 1 }` examines 5,000 documents and keys per execution (40 times); `IXSCAN { b: 1 }` examines 200 documents and keys per execution (40 times). 2 executions replaced a cached plan.',
    );
    expect(problem?.remedy.commands).toMatchObject([{ command: { indexes: [{ key: { a: 1, b: 1 } }] } }]);
  });

  it('creates none whose keys do not tell all conditions: nobody knows whether it examines less', () => {
    const [problem] = found(
      { [BY_A]: plan(), [BY_B]: plan() },
      { filter: { a: 1, b: 2, $or: [{ c: 3 }, { c: null }] } },
    );
    expect(problem?.remedy.commands).toBeUndefined();
  });

  it('names the indexes that tie, if none is missing', () => {
    const indexes = [A, B, index({ a: 1, b: 1 }), index({ b: 1, a: 1 })];
    const [problem] = found({ [BY_A]: plan({ each: 2_000 }), 'IXSCAN { a: 1, b: 1 }': plan() }, { indexes });
    expect(problem?.remedy.commands).toBeUndefined();
    expect(problem?.remedy.steps[0]?.text).toContain('`a_1_b_1` and `b_1_a_1` serve the query equally well');
  });
});
