/** Few executions that are far dearer than the others, which a mean hides. */
import { describe, expect, it } from 'vitest';
import { longInList } from '../../checks/long-in-list.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { tailOf } from '../../src/workload/operations/tail.js';
import { index } from '../support/checks/index-builders.js';
import { problemsIn } from '../support/checks/workload-builders.js';

const [FEW_KEYS, MANY_KEYS] = [200, 30_000];

const stepOf = (figure: number) => Object.keys(tailOf(figure).steps)[0]!;

/** Of 150 executions, so many examine 30,000 keys and documents, and the others 200; each returns ten. */
function asked(dear: number, command: object) {
  const executions = 150;
  const examined = (executions - dear) * FEW_KEYS + dear * MANY_KEYS;
  const tail = {
    worst: dear === 0 ? FEW_KEYS : MANY_KEYS,
    steps: { [stepOf(FEW_KEYS)]: executions - dear, ...(dear > 0 && { [stepOf(MANY_KEYS)]: dear }) },
  };
  const returned = { worst: 10, steps: { [stepOf(10)]: executions } };
  return {
    command,
    plan: 'IXSCAN { sensor: 1 }',
    figures: {
      executions,
      documentsExamined: examined,
      keysExamined: examined,
      documentsReturned: 10 * executions,
      lists: { sensor: { executions, values: 5 * executions + 495 * dear, median: 5, longest: dear > 0 ? 500 : 5 } },
      tails: { documentsExamined: tail, keysExamined: tail, documentsReturned: returned },
    },
  };
}

const given = (dear: number, command: object) => ({
  recorded: [asked(dear, command)],
  indexes: [index({ sensor: 1 })],
  fields: ['sensor', 'at'],
  days: 1,
  documents: 40_000,
});

describe('executions that are far dearer than most', () => {
  it.each([
    [5, 'warning'],
    [3, 'warning'],
    [2, null],
    [0, null],
  ])('%i with long lists of 150: %s', (dear, severity) => {
    const [problem] = problemsIn(longInList, given(dear, { filter: { sensor: { $in: [1, 2, 3, 4, 5] } } }));
    expect(problem?.severity ?? null).toBe(severity);
    const said = /on average, and at least 3 examine (?:29|30|31|32),\d{3}\./.test(problem?.message ?? '');
    expect(said).toBe(severity !== null);
  });

  it.each([
    [5, true],
    [2, false],
  ])('%i with many keys of 150 are judged as they are: %s', (dear, isSaid) => {
    const [problem] = problemsIn(poorTargeting, given(dear, { filter: { sensor: 1, at: { $gt: 3 } } }));
    expect(problem?.message.includes('It is judged by the dearest executions: at least 3 examine') ?? false).toBe(
      isSaid,
    );
  });
});
