import { describe, expect, it } from 'vitest';
import { defineCheck, type AnyCheck, type Problem, type Verdict } from '../../src/check.js';
import { withSharedIndexes } from '../../src/findings/shared-indexes.js';
import { stamped } from '../../src/findings/stamp.js';
import type { IndexProposal } from '../../src/inventory/index-proposal.js';
import { indexSteps } from '../../src/judgement/indexes/index-steps.js';
import { withParsedVerdicts } from '../../src/lint/parsed-verdicts.js';
import { PROBLEM } from '../support/findings/problem.js';

const PROPOSAL: IndexProposal = {
  namespace: 'shop.orders',
  action: 'create',
  name: 'a_1',
  key: { a: 1 },
  options: { collation: { locale: 'de' } },
  documents: 3,
  supersedes: [],
};

function proposing(proposal: IndexProposal): Problem {
  return { ...PROBLEM, remedy: { steps: indexSteps([proposal], 'It serves them.') }, proposes: [proposal] };
}

function verdictsOf(returned: unknown): unknown {
  const metadata = { id: 'x', title: 'X', summary: 'x', appliesTo: ['collection'], needs: [], thresholds: {} } as const;
  const check = withParsedVerdicts(defineCheck({ ...metadata, judge: () => returned as Verdict[] }));
  return (check.judge as () => unknown)();
}

const facts = () => ({
  collection: { name: 'orders' },
  collections: new Map([['shop.orders', { keys: [{ a: 1 }] }]]),
});

describe('what a check from elsewhere returns', () => {
  it('is passed on, other keys dropped', () => {
    const gap = { notJudged: 'insufficient', detail: 'Come back tomorrow.' };
    const whole = { ...gap, nothingJudged: true };
    expect(
      verdictsOf([{ ...PROBLEM, values: ['secret'] }, { ...PROBLEM, namespace: 'shop.orders' }, gap, whole]),
    ).toEqual([PROBLEM, { ...PROBLEM, namespace: 'shop.orders' }, gap, whole]);
  });

  it('keeps the indexes that a remedy proposes, so that findings can share them', () => {
    expect(verdictsOf([{ ...PROBLEM, proposes: [{ ...PROPOSAL, more: 'dropped' }] }])).toEqual([
      { ...PROBLEM, proposes: [PROPOSAL] },
    ]);
  });

  it('is one finding with another one that asks for the same index', () => {
    const problems = verdictsOf([proposing(PROPOSAL), proposing(PROPOSAL)]) as Problem[];
    const check = { id: 'x', title: 'X' } as AnyCheck;
    const findings = withSharedIndexes(problems.map((problem) => stamped(check, 'shop.orders', problem, {})));
    expect(findings).toMatchObject([{ check: 'x', furtherReasons: [{ check: 'x' }] }]);
  });

  it.each<[string, unknown, string]>([
    [
      'an index to drop',
      [{ ...PROBLEM, proposes: [{ ...PROPOSAL, action: 'drop' }] }],
      'verdict 1 at proposes.0.action: ',
    ],
    [
      'an index without a key',
      [{ ...PROBLEM, proposes: [{ ...PROPOSAL, key: undefined }] }],
      'verdict 1 at proposes.0.key: ',
    ],
    ['nothing', undefined, 'it must return a list of verdicts'],
    ['a promise', Promise.resolve([]), 'it must return a list of verdicts'],
    ['a severity that there is not', [{ ...PROBLEM, severity: 'fatal' }], 'verdict 1 at severity: '],
    [
      'figures that are no JSON',
      [{ ...PROBLEM, evidence: { ...PROBLEM.evidence, length: NaN } }],
      'verdict 1 at evidence.length: ',
    ],
    ['no remedy, after a right one', [PROBLEM, { ...PROBLEM, remedy: undefined }], 'verdict 2 at remedy: '],
    [
      'a mark that is no mark',
      [{ notJudged: 'insufficient', detail: 'x', nothingJudged: 'yes' }],
      'verdict 1 at nothingJudged: ',
    ],
    ['a reason that there is not', [{ notJudged: 'lazy', detail: 'x' }], 'verdict 1 at notJudged: '],
    ['a text', ['secret'], 'verdict 1: '],
    [
      'more than anybody reads',
      Array.from({ length: 10_001 }, () => PROBLEM),
      '10,001 verdicts, at most 10,000 are taken',
    ],
  ])('names the field of %s, and no value', (_, returned, expected) => {
    expect(() => verdictsOf(returned)).toThrow(expected);
    expect(() => verdictsOf(returned)).not.toThrow(/fatal|lazy|secret/);
  });

  it('says in words what is missing', () => {
    expect(() => verdictsOf([{ ...PROBLEM, message: undefined }])).toThrow(
      'verdict 1 at message: is missing: it must be text',
    );
  });

  it('comes of facts that it can not change, since other checks judge by them', () => {
    for (const change of [
      (of: ReturnType<typeof facts>) => (of.collection.name = ''),
      (of: ReturnType<typeof facts>) => of.collections.get('shop.orders')?.keys.pop(),
    ]) {
      const given = facts();
      const judge = withParsedVerdicts({ judge: change } as never).judge as (of: unknown) => unknown;
      expect(() => judge(given)).toThrow(TypeError);
      expect(given).toEqual(facts());
    }
  });

  it('is asked of the check itself, which may rely on this', () => {
    const check = {
      ...PROBLEM,
      verdicts: [PROBLEM],
      judge() {
        return this.verdicts;
      },
    };
    expect((withParsedVerdicts(check as never).judge as () => unknown)()).toEqual([PROBLEM]);
  });
});
