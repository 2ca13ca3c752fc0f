import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { typedValuesAsStrings } from '../../checks/typed-values-as-strings.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { joinedCluster } from '../support/checks/joined-evidence.js';

const LIMITS = { sampled: 100, warning: 10_000, bytes: 100 * 1024 * 1024 };

const field = (path: string, types: FieldType['types'], rest: Partial<FieldType> = {}): FieldType => ({
  path,
  types,
  documents: 1_000,
  elementsPerArray: null,
  longestString: 24,
  averageString: 24,
  textFormat: null,
  spread: null,
  ...rest,
});
const text = (path: string, textFormat: FieldType['textFormat'] & string, rest: Partial<FieldType> = {}) =>
  field(path, { string: 1_000 }, { textFormat, ...rest });

/** How orders are asked for: each by its fields in half of the executions, unless given. */
interface Asked {
  readonly filter?: Document;
  readonly executions?: number;
  readonly indexed?: string;
  readonly coverage?: 'all' | 'slow';
}

function verdicts(
  orders: readonly FieldType[],
  invoices: readonly FieldType[] = [],
  documents = 20_000,
  { filter = inEach(orders), executions = 200, indexed, coverage = 'all' }: Asked = {},
) {
  const cluster = joinedCluster({
    collections: {
      orders: { documents, indexes: indexed === undefined ? [] : [index({ [indexed]: 1 })] },
      invoices: {},
    },
    operations: [{ command: { find: 'orders', filter }, on: 'orders', figures: { executions } }],
    coverage: { operations: coverage },
  });
  const { collections } = cluster;
  const fieldsOf = { 'shop.orders': orders, 'shop.invoices': invoices } as Record<string, readonly FieldType[]>;
  const known = [...collections].map(([name, one]) => {
    const value = { documents: 1_000, complete: false, fields: fieldsOf[name] ?? [] };
    return [name, { ...one, fieldTypes: { present: true, value } }] as const;
  });
  return typedValuesAsStrings.judge({ ...cluster, collections: new Map(known) } as never, LIMITS);
}

const inEach = (fields: readonly FieldType[]): Document =>
  Object.fromEntries(fields.map(({ path }) => [path.replaceAll('[]', ''), '2024-02-01']));

/** Of the fields of `shop.orders` with so many documents, and those of `shop.invoices`. */
function judged(...given: Parameters<typeof verdicts>) {
  return verdicts(...given).map((verdict) => {
    if (!('severity' in verdict)) throw new Error('A problem was expected.');
    const { severity, confidence, path, message, remedy } = verdict;
    return {
      found: `${severity} ${confidence} ${path}`,
      message,
      codes: remedy.steps.flatMap(({ code }) => code ?? []),
    };
  });
}

describe('typed values that are stored as text', () => {
  const DATE = field('billing.placed', { date: 1_000 });

  it.each<[string, Parameters<typeof judged>, found: string, says: string]>([
    [
      'dates that are dates elsewhere',
      [[text('placed', 'date')], [DATE]],
      'warning high placed',
      '`billing.placed` of shop.invoices holds dates',
    ],
    ['in few documents', [[text('placed', 'date')], [DATE], 9_000], 'info high placed', 'dates as text'],
    [
      'ids that are ObjectIds elsewhere',
      [[text('customerId', 'objectId')], [field('customerId', { objectId: 900 })]],
      'warning high customerId',
      'Text costs an estimated 332 KB more',
    ],
    [
      'UUIDs beside binary ones',
      [[text('deviceId', 'uuid', { averageString: 36 })], [field('deviceId', { binData: 1_000 })]],
      'warning high deviceId',
      'holds UUIDs as text',
    ],
    [
      'numbers that are numbers elsewhere, which are no longer',
      [[text('lines[].price', 'number', { averageString: 3 })], [field('price', { double: 1_000 })]],
      'warning high lines[].price',
      'the two never match in queries or joins.',
    ],
    [
      'digits of equal length, which may be codes: their name alone says that they are numbers',
      [[text('article', 'number', { averageString: 6, longestString: 6 })], [field('article', { int: 1_000 })]],
      'info medium article',
      'holds numbers as text',
    ],
    [
      'dates that are dates in the same collection',
      [[text('placed', 'date'), field('history[].placed', { date: 9 })]],
      'warning high placed',
      '`history[].placed` of shop.orders',
    ],
    [
      'that take a hundred megabytes more',
      [[text('placed', 'date')], [], 10_000_000],
      'info medium placed',
      '200 MB more',
    ],
  ])('%s', (_, given, found, says) => {
    const [first, ...others] = judged(...given);
    expect(others).toEqual([]);
    expect(first?.found).toBe(found);
    expect(first?.message).toContain(says);
    expect(first?.codes.at(-1)).toContain('$type');
  });

  it.each<[string, Asked, found: string]>([
    ['is searched by', { filter: { $or: [{ placed: '2024-02-01' }, { total: 1 }] } }, 'warning high placed'],
    ['has an index, and nothing asks for it', { filter: { total: 1 }, indexed: 'placed' }, 'warning high placed'],
    ['may be asked for by what was not recorded', { filter: { total: 1 }, coverage: 'slow' }, 'info high placed'],
    ['may be asked for by what did not run yet', { filter: { total: 1 }, executions: 99 }, 'info high placed'],
  ])('are worth a warning if something compares them: the field %s', (_, asked, found) => {
    expect(judged([text('placed', 'date')], [DATE], 20_000, asked)).toMatchObject([{ found }]);
  });

  it('are let pass as the form in which a value came that the same documents hold typed', () => {
    expect(verdicts([text('statement.placed', 'date'), field('placed', { date: 1_000 })])).toEqual([]);
  });

  it('are let pass if nothing that runs compares them', () => {
    expect(verdicts([text('info.placed', 'date')], [DATE], 20_000, { filter: { total: 1 } })).toEqual([
      {
        namespace: 'shop.orders',
        path: 'info.placed',
        exempt: 'dates as text; 200 recorded executions, none of which searches, sorts or joins by it',
      },
    ]);
  });

  it('are converted by an update, but for UUIDs', () => {
    expect(judged([text('placed', 'date')], [DATE])[0]?.codes[0]).toBe(
      'db.getSiblingDB("shop").orders.updateMany({ "placed": { "$type": "string" } }, [{ "$set": { "placed": { "$convert": { "input": "$placed", "to": "date", "onError": "$placed" } } } }])',
    );
    const uuids = judged([text('deviceId', 'uuid')], [field('deviceId', { binData: 9 })]);
    expect(uuids[0]?.codes).toHaveLength(1);
  });

  it.each<[string, Parameters<typeof judged>]>([
    ['if nothing else has the name', [[text('placed', 'date')], [field('issued', { date: 1_000 })]]],
    ['if the other is text as well', [[text('placed', 'date')], [field('placed', { date: 9, string: 991 })]]],
    ['if the other has another type', [[text('placed', 'date')], [field('placed', { int: 1_000 })]]],
    ['if they are phone numbers, however many', [[text('phone', 'number')], [], 100_000_000]],
    ['if they are texts of any kind', [[field('name', { string: 1_000 })], [field('name', { int: 1 })]]],
    [
      'if the field holds dates too, which mixed-types reports',
      [[text('placed', 'date', { types: { string: 900, date: 100 } })], [DATE]],
    ],
    ['if few documents have it', [[text('placed', 'date', { documents: 99 })], [DATE]]],
    ['under a name of anything', [[text('attributes[].v', 'number')], [field('attributes[].v', { int: 9 })]]],
    ['as an `_id`', [[text('_id', 'objectId')], [field('_id', { objectId: 1_000 })]]],
    [
      'if the evidence is of an older version',
      [[field('placed', { string: 1_000 }, { textFormat: undefined } as never)], [DATE]],
    ],
  ])('are no finding %s', (_, given) => expect(judged(...given)).toEqual([]));
});
