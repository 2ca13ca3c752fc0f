import { describe, expect, it } from 'vitest';
import { failingOperations } from '../../checks/failing-operations.js';
import { foundIn, type GivenWorkload, problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const failing = (
  errors: Readonly<Record<string, number>>,
  executions = 100,
  filter: object = { customer: 7 },
): Recorded => ({
  command: { filter },
  plan: 'IXSCAN { customer: 1 }',
  figures: { executions, documentsExamined: executions, documentsReturned: 0, errors },
});
const WITHOUT_PLAN = { executions: 9, planSummaries: {}, documentsExamined: null, errors: { MaxTimeMSExpired: 9 } };
const of = (...recorded: readonly Recorded[]): GivenWorkload => ({ recorded, days: 30 });

describe('failing-operations', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['one in two', of(failing({ MaxTimeMSExpired: 50 })), ['warning null']],
    [
      'one in fifty',
      of(failing({ MaxTimeMSExpired: 2 }, 100), failing({ MaxTimeMSExpired: 4 }, 200, { a: 1 })),
      ['info null'],
    ],
    ['two errors', of(failing({ MaxTimeMSExpired: 20, DuplicateKey: 30 })), ['warning null']],
    ['one in two of the slow ones', { ...of(failing({ MaxTimeMSExpired: 50 })), keeps: 'slow' }, ['info null']],
    ['inserts of what is there already', of(failing({ DuplicateKey: 90 })), ['info null']],
    ['always, before there is a plan', of({ command: { filter: {} }, figures: WITHOUT_PLAN }), ['warning null']],
    ['twice', of(failing({ DuplicateKey: 2 })), []],
    ['never', of({ command: { filter: { a: 1 } } }), []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(failingOperations, given)).toEqual(expected);
  });

  it('says what the error means, and of how many', () => {
    const [problem] = problemsIn(failingOperations, of(failing({ MaxTimeMSExpired: 50 })));
    expect(problem?.message).toBe(
      'find by `customer` fails with MaxTimeMSExpired: it exceeds its time limit (maxTimeMS). 50 of 100 executions in 30 days failed.',
    );
    expect(problem?.remedy.steps[0]?.text).toContain('an index or a limit');
  });

  it('is one finding of several errors, with what to do about each', () => {
    const [problem] = problemsIn(failingOperations, of(failing({ DuplicateKey: 30, MaxTimeMSExpired: 20 })));
    expect(problem?.message).toBe(
      'find by `customer` fails with MaxTimeMSExpired: it exceeds its time limit (maxTimeMS). 20 of 100 executions in 30 days failed. ' +
        'find by `customer` fails with DuplicateKey: a unique index has the value already. 30 of 100 executions in 30 days failed.',
    );
    expect(problem?.evidence).toMatchObject({ error: 'MaxTimeMSExpired, DuplicateKey', failed: 50 });
    expect(problem?.remedy.steps.map(({ text }) => text.split(':')[0])).toEqual(
      expect.arrayContaining(['MaxTimeMSExpired', 'DuplicateKey']),
    );
  });

  it('knows nothing better than the log for another error', () => {
    const [problem] = problemsIn(failingOperations, of(failing({ PlanExecutorAlwaysFails: 50 })));
    expect(problem?.remedy.steps[0]?.text).toContain('Look for PlanExecutorAlwaysFails in the log');
  });
});
