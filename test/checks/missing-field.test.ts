import { describe, expect, it } from 'vitest';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { problemsIn, type GivenWorkload, type Recorded } from '../support/checks/workload-builders.js';

/** A thousand executions. */
const totals = (examined: number, returned = 0) => ({
  documentsExamined: 1_000 * examined,
  documentsReturned: 1_000 * returned,
});

describe('a search by a field that no sampled document has', () => {
  const SEARCH: Recorded = { command: { filter: { status: 'open', groups: 7 } }, plan: 'IXSCAN { status: 1 }' };
  const fields = ['status', 'group', 'placed'];
  const found = (rest: Partial<GivenWorkload> = {}, recorded: Recorded = { ...SEARCH, figures: totals(20_000) }) =>
    problemsIn(poorTargeting, { recorded: [recorded], fields, ...rest })[0];

  it('is a name to correct, not an index to build', () => {
    const problem = found();
    expect(problem?.severity).toBe('warning');
    expect(problem?.message).toContain('no sampled document has `groups`');
    expect(problem?.remedy.commands).toBeUndefined();
    expect(problem?.remedy.steps[0]?.text).toContain('`groups` is misspelt');
    expect(problem?.remedy.steps[1]?.text).toContain('{ status: 1, groups: 1 }');
    expect(problem?.proposes).toBeUndefined();
  });

  it.each<[string, ReturnType<typeof found>]>([
    ['the sample has it', found({ fields: [...fields, 'groups'] })],
    ['the sample has it in objects', found({ fields: [...fields, 'groups[].name'] })],
    ['no field is known', problemsIn(poorTargeting, { recorded: [{ ...SEARCH, figures: totals(20_000) }] })[0]],
    ['something was found', found({}, { ...SEARCH, figures: totals(20_000, 1) })],
    [
      'it asks for null',
      found(
        {},
        { ...SEARCH, command: { filter: { status: 'open', placed: 7, groups: null } }, figures: totals(20_000) },
      ),
    ],
  ])('is one for an index if %s', (_, problem) => {
    expect(problem?.message).not.toContain('No sampled document');
    expect(problem?.remedy.commands).toHaveLength(1);
  });
});
