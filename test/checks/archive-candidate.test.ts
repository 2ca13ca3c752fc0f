import { describe, expect, it } from 'vitest';
import { archiveCandidate } from '../../checks/archive-candidate.js';
import type { FieldType } from '../../src/profile/field-types.js';
import type { OperationFigures } from '../../src/workload/workload.js';
import { index } from '../support/checks/index-builders.js';
import { judgeWorkload, type GivenWorkload, type Recorded } from '../support/checks/workload-builders.js';

const DAY = 86_400_000;
/** When the recording of the builders ends. */
const NOW = Date.UTC(2026, 10, 21);
/** Documents of ten years, as many each day. */
const deciles = Array.from({ length: 9 }, (_, tenth) => NOW - (9 - tenth) * 365 * DAY);
const field = (path: string, rest: Partial<FieldType> = {}): FieldType => ({
  path,
  types: { date: 100 },
  documents: 100,
  elementsPerArray: null,
  longestString: null,
  deciles,
  ...rest,
});
const EXECUTIONS = 1_000;
type Bounds = NonNullable<OperationFigures['ageBounds']>;

/** An operation whose executions all have these bounds, in days or in documents. */
const asked = (
  bounds: Readonly<Record<string, { days?: number; newest?: number; executions?: number }>>,
  rest: Partial<Recorded> = {},
): Recorded => ({
  command: { find: 'orders', filter: { state: Object.keys(bounds).length } },
  plan: 'IXSCAN { placed: 1 }',
  ...rest,
  figures: {
    ageBounds: Object.fromEntries(
      Object.entries(bounds).map(([path, { days, newest, executions = EXECUTIONS }]): [string, Bounds[string]] => [
        path,
        { executions, ...(days !== undefined && { oldestMs: days * DAY }), ...(newest !== undefined && { newest }) },
      ]),
    ),
    ...rest.figures,
  },
});
/** 2 GB of orders. */
const orders = (recorded: readonly Recorded[], rest: Partial<GivenWorkload> = {}): GivenWorkload => ({
  documents: 10_000_000,
  fields: [field('placed'), field('_id', { types: { objectId: 100 } })],
  recorded,
  ...rest,
});
const inserts: Recorded = { kind: 'insert', command: { insert: 'orders' }, plan: 'none' };

const codesOf = (recorded: readonly Recorded[], rest: Partial<GivenWorkload> = {}) =>
  judgeWorkload(archiveCandidate, orders(recorded, rest)).flatMap((found) =>
    'severity' in found ? found.remedy.steps.flatMap(({ code }) => code ?? []) : [],
  );
const placed = asked({ placed: { days: 29.5 } });
const byId = asked(
  { _id: { days: 7 } },
  { command: { find: 'orders', filter: { _id: 1 } }, figures: { executions: 900 } },
);

describe('old documents that no query reads', () => {
  it.each<[string, GivenWorkload, [confidence: string, path: string, says: string]]>([
    [
      'all by a date',
      orders([asked({ placed: { days: 30 } }), inserts]),
      [
        'low',
        'placed',
        'The 1,000 recorded queries of shop.orders read nothing older than 30 days by `placed`. An estimated 90 % of the documents or more are older: 1.7 GB',
      ],
    ],
    ['a month', orders([asked({ placed: { days: 30 } })], { days: 40 }), ['medium', 'placed', '30 days']],
    [
      'by a date, and single ones by id',
      orders([
        asked({ placed: { days: 400 } }),
        asked({ _id: { days: 40 } }, { command: { find: 'orders', filter: { _id: 1 } } }),
      ]),
      [
        'low',
        'placed',
        'The 2,000 recorded queries of shop.orders read nothing older than 400 days by `placed` and 40 days by `_id`. An estimated 70 % of the documents or more are older by each of these: 1.3 GB',
      ],
    ],
    [
      'the newest ones',
      orders([asked({ placed: { newest: 60 } })]),
      [
        'low',
        'placed',
        'older than 365 days by `placed`. An estimated 80 % of the documents or more are older: 1.5 GB',
      ],
    ],
    [
      'at the size of production',
      orders([asked({ placed: { days: 30 } })], { documents: 100_000, expected: { documents: 10_000_000 } }),
      ['low', 'placed', '100,000 documents here, 10,000,000 expected.'],
    ],
  ])('%s', (_, given, [confidence, path, says]) => {
    const [found, ...others] = judgeWorkload(archiveCandidate, given);
    expect(others).toEqual([]);
    if (found === undefined || !('severity' in found)) throw new Error('A problem was expected.');
    expect([found.severity, found.confidence, found.path]).toEqual(['info', confidence, path]);
    expect(found.message).toContain(says);
  });

  it.each<[string, GivenWorkload]>([
    ['a query of any age', orders([asked({ placed: { days: 30 } }), asked({}, { figures: { executions: 1 } })])],
    ['one execution without the bound', orders([asked({ placed: { days: 30, executions: EXECUTIONS - 1 } })])],
    [
      'an update by another field',
      orders([asked({ placed: { days: 30 } }), { kind: 'update', command: { q: { a: 1 }, u: {} } }]),
    ],
    [
      'an operation that was recorded in part',
      orders([asked({ placed: { days: 30 } }), asked({ placed: { days: 1 } }, { truncated: true })]),
    ],
    ['bounds that reach far', orders([asked({ placed: { days: 2_000 } })])],
    [
      'bounds of two fields, each far',
      orders([
        asked({ placed: { days: 800 } }),
        asked({ _id: { days: 1_200 } }, { command: { find: 'orders', filter: { _id: 1 } } }),
      ]),
    ],
    ['a bound without a figure, as of a date that is none', orders([asked({ placed: {} })])],
    [
      'the newest 42 in a hundred, of which the latest four tenths hold but 40',
      orders([asked({ placed: { newest: 4_200_000 } })]),
    ],
    ['a field that is no date', orders([asked({ number: { newest: 10 } })])],
    [
      'a field that some lack',
      orders([asked({ placed: { days: 30 } })], { fields: [field('placed', { documents: 90 })] }),
    ],
    [
      'ages that are unknown',
      orders([asked({ placed: { days: 30 } })], { fields: [field('placed', { deciles: null })] }),
    ],
    ['less than a week', orders([asked({ placed: { days: 30 } })], { days: 6 })],
    ['few queries', orders([asked({ placed: { days: 30, executions: 50 } }, { figures: { executions: 50 } })])],
    ['nothing but inserts', orders([inserts])],
    ['less than a gigabyte', orders([asked({ placed: { days: 30 } })], { documents: 5_000_000 })],
    [
      'a TTL index',
      orders([asked({ placed: { days: 30 } })], { indexes: [index({ placed: 1 }, { expireAfterSeconds: 9 })] }),
    ],
    [
      'a join with itself',
      orders([
        asked(
          { placed: { days: 30 } },
          {
            kind: 'aggregate',
            command: {
              aggregate: 'orders',
              pipeline: [
                { $match: { a: 1 } },
                { $lookup: { from: 'orders', localField: 'before', foreignField: '_id', as: 'b' } },
              ],
            },
          },
        ),
      ]),
    ],
    [
      'a pipeline that writes to it',
      orders([
        asked(
          { placed: { days: 30 } },
          {
            kind: 'aggregate',
            command: { aggregate: 'orders', pipeline: [{ $match: { a: 1 } }, { $merge: { into: 'orders' } }] },
          },
        ),
      ]),
    ],
  ])('is silent: %s', (_, given) => {
    expect(judgeWorkload(archiveCandidate, given)).toEqual([]);
  });

  it('copies, deletes and copies back what one filter of fixed moments finds, in a collection of its own', () => {
    const old = '{ "placed": { $lt: ISODate("2026-10-22") } }';
    const [copy, remove, undo] = codesOf([placed]);
    expect(copy).toContain(`{ $match: ${old} }`);
    expect(copy).toContain('into: "orders_archive_20261121"');
    expect(remove).toContain(`deleteMany(${old})`);
    expect(undo).toContain(`{ $match: ${old} }`);
    expect(codesOf([placed]).join()).not.toContain('now');
  });

  it('moves what is old by each of the paths, and offers no TTL index for that', () => {
    const codes = codesOf([placed, byId]);
    const second = Date.UTC(2026, 10, 14) / 1_000;
    expect(codes).toHaveLength(3);
    for (const code of codes)
      expect(code).toContain(
        `{ "placed": { $lt: ISODate("2026-10-22") }, "_id": { $lt: ObjectId.createFromTime(${second}) } }`,
      );
    expect(JSON.stringify(judgeWorkload(archiveCandidate, orders([byId])))).not.toContain('TTL');
  });

  it('names a TTL index if nobody needs what is old', () => {
    const [found] = judgeWorkload(archiveCandidate, orders([placed]));
    expect(JSON.stringify(found)).toContain('a TTL index on `placed` deletes them for good');
    expect(JSON.stringify(found)).toContain('down to 30 days');
  });
});
