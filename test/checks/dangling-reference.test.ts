import { describe, expect, it } from 'vitest';
import { danglingReference } from '../../checks/dangling-reference/check.js';
import type { ComparedReference } from '../../src/check.js';
import { absent } from '../../src/presence.js';
import { BACK, dangling, shopFollowing } from '../support/checks/followed-references.js';
import { index } from '../support/checks/index-builders.js';
import { foundIn, judgeCluster, problemIn, type GivenCollection } from '../support/checks/joined-evidence.js';
import { shardedCollection } from '../support/checks/sharded-evidence.js';

const WARNING = ['warning shop.invoices customer_id'];
const INFO = ['info shop.invoices customer_id'];
const TTL = [index({ at: 1 }, { expireAfterSeconds: 60 })];

describe('references', () => {
  it.each<
    [string, Partial<ComparedReference>, { invoices?: GivenCollection; customers?: GivenCollection }, readonly string[]]
  >([
    ['that all lead somewhere', {}, {}, []],
    ['of which a tenth leads nowhere', dangling(50), {}, WARNING],
    ['of which few lead nowhere', dangling(10), {}, INFO],
    ['of which very few lead nowhere', dangling(4), {}, []],
    ['of which most lead nowhere, so that they are none', dangling(260), {}, []],
    ['of few values', { ...dangling(5), values: 19 }, {}, []],
    ['in a small collection', dangling(50), { invoices: { documents: 900 } }, INFO],
    ['in a collection of unknown size', dangling(50), { invoices: { documents: null } }, WARNING],
    ['that all hold one value', dangling(50, 1), {}, INFO],
    ['of which most documents hold one more that leads nowhere', { references: 800, ...dangling(300, 1) }, {}, []],
    ['of which most documents hold several that lead nowhere', { references: 800, ...dangling(300, 2) }, {}, WARNING],
    ['of which half of the documents hold one more', { references: 800, ...dangling(250, 1) }, {}, INFO],
    ['to documents that expire', dangling(50), { customers: { indexes: TTL } }, []],
    ['to a capped collection', dangling(50), { customers: { options: { capped: { sizeBytes: 1_000 } } } }, []],
    ['in documents that expire', dangling(50), { invoices: { indexes: TTL } }, INFO],
  ])('%s', (_, reference, given, expected) => {
    expect(foundIn(danglingReference, shopFollowing(reference, given))).toEqual(expected);
  });

  it.each<[string, Partial<ComparedReference>, object]>([
    ['of many values', { values: 450 }, { severity: 'warning' }],
    [
      'of few values, by which neighbours may be alike',
      { values: 60 },
      { severity: 'info', severityIfSure: 'warning' },
    ],
  ])('that the random cursor drew are as sure as they are different: %s', (_, reference, expected) => {
    const { severity, severityIfSure } = problemIn(
      danglingReference,
      shopFollowing({ ...dangling(50), byChance: true, ...reference }),
    );
    expect({ severity, ...(severityIfSure && { severityIfSure }) }).toEqual(expected);
    const uniform = problemIn(danglingReference, shopFollowing({ ...dangling(50), ...reference }));
    expect(uniform).toMatchObject({ severity: 'warning' });
  });

  it('are reckoned for the whole collection', () => {
    const { message, evidence } = problemIn(danglingReference, shopFollowing(dangling(50)));
    expect(message).toBe(
      '10 % of the sampled references in `customer_id` to shop.customers lead nowhere: 50 of 500, in 50 of 500 sampled documents, so an estimated 1,500–2,600 documents in all.',
    );
    expect(evidence).toMatchObject({
      dangling: 50,
      shareDangling: 0.1,
      documentsReckoned: 2_000,
      referredTo: 'shop.customers',
    });
    const whole = problemIn(danglingReference, shopFollowing({ ...dangling(50), complete: true }));
    expect(whole.message).toContain('lead nowhere: 50 of 500, in 50 documents.');
    expect(whole.severity).toBe('info');
  });

  it('are said to be looked for in every collection that holds some', () => {
    const { message } = problemIn(
      danglingReference,
      shopFollowing({ ...dangling(50), furtherTargets: ['shop.archive'] }),
    );
    expect(message).toContain('in `customer_id` to shop.customers and shop.archive');
  });

  it.each<[string, Partial<ComparedReference>, GivenCollection, string]>([
    ['many', {}, {}, 'high'],
    ['few', { references: 90, ...dangling(9) }, {}, 'medium'],
    ['converted', { conversion: 'string to objectId' }, {}, 'medium'],
    ['in a database of very many collections', { isSoughtEverywhere: false }, {}, 'medium'],
    ['of one value', dangling(50, 1), {}, 'low'],
  ])('%s are as sure as that allows', (_, reference, invoices, expected) => {
    expect(
      problemIn(danglingReference, shopFollowing({ ...dangling(50), ...reference }, { invoices })).confidence,
    ).toBe(expected);
  });

  it('show ids where there are some', () => {
    const ids = ['{"$oid":"64f1c0ffee64f1c0ffee64f1"}'];
    expect(
      problemIn(danglingReference, shopFollowing({ dangling: { ...dangling(50).dangling, ids } })).evidence['ids'],
    ).toEqual(ids);
    expect(problemIn(danglingReference, shopFollowing(dangling(50))).evidence).not.toHaveProperty('ids');
  });
});

describe('two-way references', () => {
  it.each<[string, Partial<typeof BACK>, readonly string[]]>([
    ['of which a tenth is one-sided', {}, WARNING],
    ['of which few are', { oneSided: 10 }, INFO],
    ['of which none is', { oneSided: 0 }, []],
    ['of which many are, so that they are not two sides of one', { oneSided: 100 }, []],
    ['that can mostly not be compared', { followed: 2_000 }, []],
    ['of few', { followed: 19, compared: 19, oneSided: 2 }, []],
  ])('%s', (_, back, expected) => {
    expect(foundIn(danglingReference, shopFollowing({ backReferences: [{ ...BACK, ...back }] }))).toEqual(expected);
  });

  it('say which side is missing', () => {
    const { message, evidence, confidence } = problemIn(danglingReference, shopFollowing({ backReferences: [BACK] }));
    expect(message).toBe(
      '`customer_id` and `invoices` of shop.customers are two sides of one relation. For 10 % of the sampled references in `customer_id` the other document does not refer back: 48 of 480.',
    );
    expect(evidence).toMatchObject({ oneSided: 48, shareOneSided: 0.1, otherSide: 'shop.customers invoices' });
    expect(confidence).toBe('medium');
  });

  it('are one finding with what leads nowhere, the worst first', () => {
    const both = problemIn(danglingReference, shopFollowing({ ...dangling(10), backReferences: [BACK] }));
    expect(both.severity).toBe('warning');
    expect(both.message).toMatch(
      /^`customer_id` and `invoices`.* 2 % of the sampled references in `customer_id` to shop.customers lead nowhere/,
    );
    expect(both.evidence).toMatchObject({ dangling: 10, oneSided: 48 });
  });
});

describe('the remedy', () => {
  it('runs nothing by itself', () => {
    expect(problemIn(danglingReference, shopFollowing(dangling(50))).remedy.commands).toBeUndefined();
  });

  it('names the list that it checks by, whichever step comes first', () => {
    const { steps } = problemIn(danglingReference, shopFollowing({ ...dangling(10), backReferences: [BACK] })).remedy;
    const texts = steps.map(({ text }) => text);
    expect(texts[0]).toMatch(/^If `customer_id` is right, add/);
    expect(texts.findIndex((text) => text.startsWith('List the dangling references, and keep the list.'))).toBe(2);
    expect(texts).toContain('Check: list the dangling references again. The list must be empty.');
    expect(texts.join(' ')).not.toContain('first step');
  });

  it('unwinds arrays, and asks every collection', () => {
    const { text } = problemIn(
      danglingReference,
      shopFollowing({
        path: 'lines[].customer_id',
        isInArray: true,
        furtherTargets: ['shop.archive'],
        ...dangling(50),
      }),
    ).remedy;
    expect(text).toContain('{ "$unwind": "$lines" }, { "$unwind": "$lines.customer_id" }');
    expect(text).toContain('"from": "archive"');
    expect(text).toContain('Otherwise take them out of `lines[].customer_id` with $pull.');
  });

  it('writes to no sharded collection, where $merge wants the shard key', () => {
    const { sharding } = shardedCollection();
    const cleared = problemIn(danglingReference, shopFollowing(dangling(50), { invoices: { options: { sharding } } }))
      .remedy.text;
    expect(cleared).toContain('clear it with an update');
    expect(cleared).not.toContain('$merge');
    const added = problemIn(
      danglingReference,
      shopFollowing({ backReferences: [BACK] }, { customers: { options: { sharding } } }),
    ).remedy.text;
    expect(added).toContain('in the application');
    expect(added).not.toContain('$merge');
  });

  it('leaves UUIDs as text to the application', () => {
    expect(
      problemIn(danglingReference, shopFollowing({ conversion: 'string to UUID', ...dangling(50) })).remedy.text,
    ).toMatch(/^Find them in the application/);
  });
});

it('has judged nothing where no collection could be sampled', () => {
  expect(
    judgeCluster(danglingReference, { collections: { invoices: { fields: null }, customers: { fields: null } } }),
  ).toEqual(
    ['invoices', 'customers'].map((name) => ({
      namespace: `shop.${name}`,
      notJudged: 'privilege',
      detail: `reading ${name}: not authorized.`,
      nothingJudged: true,
    })),
  );
});

it('says what could not be looked at', () => {
  const given = shopFollowing(
    {},
    { invoices: { indexes: null }, referenceIntegrity: { references: [], gaps: [absent('timeout', 'too slow')] } },
  );
  expect(judgeCluster(danglingReference, given)).toEqual([
    { notJudged: 'timeout', detail: 'too slow' },
    { namespace: 'shop.invoices', notJudged: 'privilege', detail: 'reading invoices: not authorized.' },
  ]);
});
