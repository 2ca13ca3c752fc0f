import { describe, expect, it } from 'vitest';
import { denormalizedDrift } from '../../checks/denormalized-drift.js';
import type { CopiedField } from '../../src/check.js';
import { absent } from '../../src/presence.js';
import { COPY, shopFollowing } from '../support/checks/followed-references.js';
import { foundIn, judgeCluster, problemIn } from '../support/checks/joined-evidence.js';
import { shardedCollection } from '../support/checks/sharded-evidence.js';

const WARNING = ['warning shop.invoices customer_name'];
const INFO = ['info shop.invoices customer_name'];
const UNKNOWN = { updated: 0, untouched: 0 };
const UNTOUCHED = { updated: 0, untouched: 30 };

const withCopy = (copy: Partial<CopiedField>, ...others: readonly CopiedField[]) =>
  shopFollowing({ copies: [{ ...COPY, ...copy }, ...others] });

describe('a copy', () => {
  it.each<[string, Partial<CopiedField>, readonly string[]]>([
    ['that follows its source, a tenth missed', {}, WARNING],
    ['few missed', { differing: 10 }, INFO],
    ['very few missed', { differing: 4 }, []],
    ['none missed', { differing: 0 }, []],
    ['of which a tenth differs, who knows why', { history: UNKNOWN }, INFO],
    ['that is never changed', { history: UNTOUCHED }, INFO],
    ['that is changed more often than not', { history: { updated: 20, untouched: 19 } }, WARNING],
    ['that seems changed on two documents', { history: { updated: 2, untouched: 0 } }, INFO],
    ['that differs too often to be one', { differing: 200 }, []],
    ['of few documents of many', { compared: 49, differing: 10 }, []],
    ['of few values', { valuesAgreed: 9 }, []],
    ['that agrees by chance', { agreementByChance: 0.85 }, []],
    ['of what many hold, such as a city', { valuesPerSource: 0.1, agreementByChance: 0.1 }, []],
    [
      'of what many hold, beside the `_id`',
      { valuesPerSource: 0.1, agreementByChance: 0.1, isBesideId: true },
      WARNING,
    ],
    ['of a date that follows', { family: 'date' }, WARNING],
    ['of a date that may say when', { family: 'date', history: UNKNOWN }, []],
  ])('%s', (_, copy, expected) => {
    expect(foundIn(denormalizedDrift, withCopy(copy))).toEqual(expected);
  });

  it.each<[string, Partial<CopiedField>, byChance: boolean, readonly string[]]>([
    ['about one in a hundred, who knows why', { differing: 6, history: UNKNOWN }, true, []],
    ['surely more, who knows why', { differing: 20, history: UNKNOWN }, true, INFO],
    ['about one in a hundred, though copies follow', { differing: 6 }, true, INFO],
    ['about one in a hundred of the same documents each time', { differing: 6, history: UNKNOWN }, false, INFO],
  ])('that differs in a random sample: %s', (_, copy, byChance, expected) => {
    const copies = [{ ...COPY, compared: 500, ...copy }];
    expect(foundIn(denormalizedDrift, shopFollowing({ copies, sampled: 500, ...(byChance && { byChance }) }))).toEqual(
      expected,
    );
  });

  it('is an info of low confidence if the few that there are were all compared', () => {
    const few: CopiedField = { ...COPY, compared: 49, differing: 10, valuesAgreed: 12 };
    const given = shopFollowing({ complete: true, copies: [few] });
    expect(problemIn(denormalizedDrift, given)).toMatchObject({ severity: 'info', confidence: 'low' });
    expect(
      foundIn(denormalizedDrift, shopFollowing({ complete: true, copies: [{ ...few, valuesAgreed: 9 }] })),
    ).toEqual([]);
  });

  it('is of the field that it agrees with most', () => {
    const other: CopiedField = { ...COPY, sourcePath: 'customer_name', differing: 190 };
    expect(problemIn(denormalizedDrift, withCopy({}, other)).evidence['copiedFrom']).toBe('shop.customers name');
    expect(problemIn(denormalizedDrift, shopFollowing({ copies: [other, COPY] })).evidence['copiedFrom']).toBe(
      'shop.customers name',
    );
  });

  it('is as sure as its history is', () => {
    expect(problemIn(denormalizedDrift, withCopy({})).confidence).toBe('high');
    expect(problemIn(denormalizedDrift, withCopy({ history: { updated: 5, untouched: 0 } })).confidence).toBe('medium');
    expect(problemIn(denormalizedDrift, withCopy({ history: UNKNOWN })).confidence).toBe('low');
  });

  it('says how many differ, and what its history tells', () => {
    const { message, evidence } = problemIn(denormalizedDrift, withCopy({}));
    expect(message).toBe(
      '10 % of the compared copies in `customer_name` differ from their source, `name` of shop.customers: 50 of 500 copies. Older copies of the same documents are up to date: the application updates copies, and missed these (seen on 20 documents).',
    );
    expect(evidence).toMatchObject({
      differing: 50,
      shareDiffering: 0.1,
      shareDifferingRange: [expect.closeTo(0.0758, 3), expect.closeTo(0.13, 2)],
      valuesAgreed: 250,
      copiedBy: 'customer_id',
      sourcesWithOlderCopiesUpdated: 20,
    });
    expect(evidence.window).toBe('500 copies in 500 documents');
    expect(problemIn(denormalizedDrift, withCopy({ history: UNTOUCHED })).message).toContain(
      'meant to record how things were',
    );
    expect(problemIn(denormalizedDrift, withCopy({ history: UNKNOWN })).message).toContain(
      'The data do not show whether the copy is meant to follow its source.',
    );
  });

  it('shows ids where there are some', () => {
    expect(problemIn(denormalizedDrift, withCopy({ ids: ['1'] })).evidence['ids']).toEqual(['1']);
    expect(problemIn(denormalizedDrift, withCopy({})).evidence).not.toHaveProperty('ids');
  });
});

describe('the remedy', () => {
  it('is a command where copies are shown to follow, and is left to people elsewhere', () => {
    const { commands } = problemIn(denormalizedDrift, withCopy({})).remedy;
    expect(commands).toMatchObject([{ db: 'shop', command: { aggregate: 'invoices', cursor: {} } }]);
    expect(JSON.stringify(commands)).toContain(
      '"whenMatched":[{"$set":{"customer_name":{"$cond":[{"$eq":["$customer_name","$$new.copy"]},"$$new.value","$customer_name"]}}}]',
    );
    const asked = problemIn(denormalizedDrift, withCopy({ history: UNKNOWN })).remedy;
    expect(asked.commands).toBeUndefined();
    expect(asked.text).toMatch(/^Decide whether `customer_name` follows `name` of shop.customers/);
    expect(asked.text).toContain('"$merge"');
  });

  it.each([
    [
      'in arrays',
      shopFollowing({
        path: 'lines[].customer_id',
        isInArray: true,
        copies: [{ ...COPY, path: 'lines[].customer_name' }],
      }),
    ],
    [
      'in a sharded collection',
      shopFollowing({ copies: [COPY] }, { invoices: { options: { sharding: shardedCollection().sharding } } }),
    ],
    ['of two collections', shopFollowing({ furtherTargets: ['shop.archive'], copies: [COPY] })],
    ['by UUIDs as text', shopFollowing({ conversion: 'string to UUID', copies: [COPY] })],
  ])('is none to run for copies %s', (_, given) => {
    const { commands, text } = problemIn(denormalizedDrift, given).remedy;
    expect(commands).toBeUndefined();
    expect(text).toContain('in the application');
  });
});

it('says what could not be looked at', () => {
  const given = shopFollowing({}, { referenceIntegrity: { references: [], gaps: [absent('bound', 'too many')] } });
  expect(judgeCluster(denormalizedDrift, given)).toEqual([{ notJudged: 'bound', detail: 'too many' }]);
});
