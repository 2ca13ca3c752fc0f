import { describe, expect, it } from 'vitest';
import type { IndexProposal } from '../../src/check.js';
import { withSharedIndexes } from '../../src/findings/shared-indexes.js';
import { reportedRemedy } from '../../src/findings/stamp.js';
import type { StampedFinding } from '../../src/findings/stamp.js';
import { indexSteps } from '../../src/judgement/indexes/index-steps.js';

type Key = Readonly<Record<string, 1 | -1>>;

const WHOLE: Key = { owner: 1, deletedAt: 1 };
const WIDER: Key = { owner: 1, deletedAt: 1, placed: -1 };

function finding(check: string, key: Key, field: string | null): StampedFinding {
  const name = Object.entries(key).flat().join('_');
  const proposal: IndexProposal = {
    namespace: 'shop.orders',
    action: 'create',
    name,
    key,
    options: {},
    documents: 30_000,
    supersedes: [],
    ...(field !== null && {
      partial: { field, name: `${name}_partial`, key: { owner: 1 }, leftOut: 0.75, entries: 22_412, bytes: 90_000 },
    }),
  };
  return {
    check,
    severity: 'warning',
    confidence: 'high',
    namespace: 'shop.orders',
    path: name,
    title: 'An index is missing',
    message: 'It is not there.',
    evidence: { source: 'profiler', window: '10 executions' },
    remedy: reportedRemedy({ steps: indexSteps([proposal], 'It is missing.') }),
    docs: 'page',
    fingerprint: check,
    proposes: [proposal],
  };
}

const offers = (findings: readonly StampedFinding[]) =>
  withSharedIndexes(findings).flatMap(({ remedy }) =>
    remedy.steps.flatMap(({ code }) => /partialFilterExpression": \{ "(\w+)"/.exec(code ?? '')?.[1] ?? []),
  );

describe('the offer of a partial index', () => {
  it.each<[string, readonly StampedFinding[], readonly string[]]>([
    ['of a finding alone stays', [finding('one', WHOLE, 'deletedAt')], ['deletedAt']],
    [
      'of two findings with one index stays once, if both have it',
      [finding('one', WHOLE, 'deletedAt'), finding('two', WHOLE, 'deletedAt')],
      ['deletedAt'],
    ],
    [
      'goes if another finding needs the same index whole',
      [finding('one', WHOLE, 'deletedAt'), finding('two', WHOLE, null)],
      [],
    ],
    [
      'goes if a finding that needs the whole gives way to the longer index',
      [finding('wide', WIDER, 'deletedAt'), finding('narrow', WHOLE, null)],
      [],
    ],
    [
      'goes if the finding that has it gives way to a longer index that must be whole',
      [finding('wide', WIDER, null), finding('narrow', WHOLE, 'deletedAt')],
      [],
    ],
    [
      'goes if two findings leave out different documents',
      [finding('one', WHOLE, 'deletedAt'), finding('two', WHOLE, 'owner')],
      [],
    ],
    [
      'stays with the longer index if both can do with it',
      [finding('wide', WIDER, 'deletedAt'), finding('narrow', WHOLE, 'deletedAt')],
      ['deletedAt'],
    ],
    [
      'stays beside one of another index',
      [finding('one', WHOLE, 'deletedAt'), finding('two', { placed: 1 }, null)],
      ['deletedAt'],
    ],
  ])('%s', (_, findings, expected) => {
    expect(offers(findings)).toEqual(expected);
    expect(offers(findings.toReversed())).toEqual(expected);
  });

  it('says what it leaves out, what it saves, and what it is of no use for', () => {
    const [one] = withSharedIndexes([finding('one', WHOLE, 'deletedAt')]);
    expect(one?.remedy.steps[1]).toEqual({
      text:
        'Or create a partial index in its place: every recorded query that it serves asks for `deletedAt: null`. ' +
        'It leaves out 75 % of the documents, by the sample, which saves some 22,000 entries and an estimated 88 KB. ' +
        "A query without `deletedAt: null` can't use it.",
      code:
        'db.getSiblingDB("shop").getCollection("orders").createIndex({ "owner": 1 }, ' +
        '{ "name": "owner_1_deletedAt_1_partial", "partialFilterExpression": { "deletedAt": null } })',
    });
  });
});
