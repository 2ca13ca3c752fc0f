import { describe, expect, it } from 'vitest';
import type { Finding, Skipped } from '../../src/finding.js';
import { fineChecks } from '../../src/report/collection-state.js';
import { reportOf } from '../support/report/sample-report.js';

const check = (id: string, judged = 1) => ({ check: id, title: id, judged });
const found = (id: string) => ({ check: id, severity: 'warning', namespace: 'a.b' }) as Finding;
const skipped = (id: string): Skipped => ({ check: id, reason: 'privilege', detail: 'x' });

describe('the checks that are fine', () => {
  it.each<[string, readonly Finding[], readonly Skipped[], ReturnType<typeof fineChecks>]>([
    ['all that found nothing', [], [], { inFull: ['one', 'two'], inPart: [] }],
    ['not those that found something', [found('one')], [], { inFull: ['two'], inPart: [] }],
    [
      'not those whose findings are suppressed',
      [{ ...found('one'), suppressed: { by: 'x', reason: 'y', expires: null } }],
      [],
      { inFull: ['two'], inPart: [] },
    ],
    ['in part those that could not judge everything', [], [skipped('two')], { inFull: ['one'], inPart: ['two'] }],
    ['in part all, where something holds for every check', [], [skipped('*')], { inFull: [], inPart: ['one', 'two'] }],
    [
      'in part all, where the run was interrupted',
      [],
      [{ ...skipped('two'), reason: 'interrupted' }],
      { inFull: [], inPart: ['one', 'two'] },
    ],
  ])('%s', (_, findings, skips, expected) => {
    const report = {
      ...reportOf({ findings, skipped: skips }),
      checks: [check('one'), check('idle', 0), check('two')],
    };
    expect(fineChecks(report)).toEqual(expected);
  });

  it('are none of those that judged nothing, nor in a report that does not name them', () => {
    const { checks: _, ...older } = reportOf({});
    expect(fineChecks(older)).toEqual({ inFull: [], inPart: [] });
    expect(fineChecks({ ...older, checks: [check('idle', 0)] })).toEqual({ inFull: [], inPart: [] });
  });
});
