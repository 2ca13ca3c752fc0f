import { describe, expect, it } from 'vitest';
import { writeContention } from '../../checks/write-contention.js';
import { foundIn, type GivenWorkload, problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const COUNTER: Recorded = {
  kind: 'update',
  command: { q: { _id: 'orders' }, u: { $inc: { next: 1 } } },
  plan: 'IDHACK',
};
const QUEUE: Recorded = {
  kind: 'findAndModify',
  command: { query: { state: 'open' }, sort: { at: 1 }, update: { $set: { state: 'taken' } } },
  plan: 'IXSCAN { state: 1, at: 1 }',
};
const READ: Recorded = { command: { filter: { customer: 7 } } };
const conflicting = (query: Recorded, writeConflicts: number, executions = 1_000, milliseconds = 100): Recorded => ({
  ...query,
  figures: {
    executions,
    milliseconds,
    documentsExamined: executions,
    documentsReturned: null,
    documentsWritten: executions,
    waiting: { writeConflicts },
  },
});
const of = (...recorded: readonly Recorded[]): GivenWorkload => ({ recorded: [READ, ...recorded], days: 1 });

const steps = (query: Recorded) => problemsIn(writeContention, of(conflicting(query, 3_000)))[0]?.remedy.steps[0]?.text;

describe('write-contention', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['a counter, tried again in one of four', of(conflicting(COUNTER, 250)), ['info next']],
    ['a counter, tried ten times each', of(conflicting(COUNTER, 10_000)), ['warning next']],
    ['the same of slow ones alone', { ...of(conflicting(COUNTER, 10_000)), keeps: 'slow' }, ['info next']],
    ['the next of a queue', of(conflicting(QUEUE, 3_000)), ['info state']],
    ['conflicts in one of a hundred', of(conflicting(COUNTER, 100, 10_000)), []],
    ['a few conflicts', of(conflicting(COUNTER, 40, 50)), []],
    ['none', of({ ...COUNTER, figures: { executions: 1_000 } }), []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(writeContention, given)).toEqual(expected);
  });

  it('advises by what the write does', () => {
    expect(steps(COUNTER)).toContain('Spread the counter over 20 documents');
    expect(steps(QUEUE)).toContain('one of the first hundred at random');
    const taken = { ...QUEUE, command: { ...QUEUE.command, update: { $set: { state: 'taken' }, $inc: { tries: 1 } } } };
    expect(steps(taken)).toContain('one of the first hundred at random');
    expect(steps({ ...COUNTER, command: { q: { _id: 1 }, u: { $set: { seen: 1 } } } })).toContain(
      'a document of its own',
    );
  });
});
