import * as fc from 'fast-check';
import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../../checks/index.js';
import type { AnyClusterCheck } from '../../../src/check.js';
import { LogContext, slowQueryOf } from '../../../src/workload/sources/slow-query.js';
import { judgeCluster } from '../../support/checks/joined-evidence.js';
import { PLANTED_JOINS } from '../../support/planted-joins.js';
import { slowLine } from '../../support/workload/log-text.js';

const SEED = 20_261_123;
const RUNS = 800;
const PIPELINES_AT_ONCE = 40;

const COMMANDS: readonly Document[] = [
  ...PLANTED_JOINS.map(({ pipeline, options }) => ({ aggregate: 'orders', pipeline, ...options })),
  {
    find: 'orders',
    filter: { k: 1, $or: [{ a: 1 }, { b: { $in: [1, 2] } }] },
    sort: { k: 1 },
    projection: { k: 1 },
    limit: 5,
  },
  { distinct: 'orders', key: 'k', query: { a: 1 } },
  { count: 'orders', query: { a: { $regex: 'a', $options: 'i' } }, limit: 1 },
  { q: { a: 1 }, u: { $push: { a: { $each: [1], $slice: 3 } } }, multi: true },
  { q: { a: 1 }, limit: 1 },
  { findAndModify: 'orders', query: { k: 1 }, update: { $set: { a: 1 } }, fields: { a: 1 } },
];

/** What no server writes there, and a garbled or forged line may. */
const JUNK: readonly unknown[] = [
  null,
  5,
  -1,
  true,
  '',
  '$',
  '$$',
  '$$ROOT',
  '$a.b',
  'a..b',
  '.',
  '*',
  '__proto__',
  [],
  {},
  [[]],
  [null],
  [{}],
  { '': 1 },
  { $oid: 5 },
  { $date: null },
  { $numberLong: {} },
  { $regularExpression: null },
  { $expr: null },
  { $and: {} },
  { $or: [] },
  { $eq: 1 },
  { toString: 1 },
  { constructor: 1, valueOf: {} },
  { _bsontype: 'Long' },
  { $getField: { toString: 1 } },
  { $literal: { toString: 1 } },
];
const NAMES = ['__proto__', '', '$', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '$expr', '$eq'];

/** A command in which something stands that is not in place. */
const garbledCommands: fc.Arbitrary<Document> = fc
  .record({
    command: fc.constantFrom(...COMMANDS),
    turns: fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
    junk: fc.constantFrom(...JUNK),
    name: fc.option(fc.constantFrom(...NAMES)),
  })
  .map(({ command, turns, junk, name }) => garbled(command, turns, junk, name) as Document);

function garbled(value: unknown, [turn, ...further]: readonly number[], junk: unknown, name: string | null): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return junk;
  const entries = Object.entries(value);
  const at = (turn ?? 0) % entries.length;
  const [key, inner] = entries[at] as [string, unknown];
  const isHere = further.length === 0;
  const changed = isHere ? (name === null ? junk : inner) : garbled(inner, further, junk, name);
  entries[at] = [isHere && name !== null ? name : key, changed];
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

const isOfWorkload = (check: unknown): check is AnyClusterCheck =>
  ((check as { clusterNeeds?: readonly string[] }).clusterNeeds ?? []).includes('workload');

describe('garbled commands', () => {
  it('cost their line and nothing else', () => {
    const context = new LogContext();
    fc.assert(
      fc.property(garbledCommands, fc.constantFrom('command', 'update', 'remove', null), (command, type) => {
        const found = slowQueryOf(slowLine(command, { type }), context).execution;
        expect(found === 'ignored' || found === 'unreadable' || typeof found === 'object').toBe(true);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('cost one count where the figures are garbled', () => {
    const names = [
      'docsExamined',
      'nreturned',
      'durationMillis',
      'cursorid',
      'planSummary',
      'reslen',
      'appName',
      'user',
      'queryFramework',
      'ninserted',
    ];
    for (const name of names) {
      for (const junk of JUNK) {
        const { execution } = slowQueryOf(slowLine({ find: 'orders', filter: {} }, { [name]: junk }), new LogContext());
        expect(typeof execution).toBe('object');
      }
    }
  });

  const collections = Object.fromEntries(
    ['orders', 'customers', ...PLANTED_JOINS.map(({ foreign }) => foreign)].map((name) => [name, {}]),
  );

  it.each(builtInChecks.filter(isOfWorkload).map((check) => [check.id, check] as const))(
    'are no fault of %s',
    (_id, check) => {
      fc.assert(
        fc.property(
          fc.array(garbledCommands, { minLength: PIPELINES_AT_ONCE, maxLength: PIPELINES_AT_ONCE }),
          (commands) => {
            const operations = commands.map((command) => ({
              kind: 'pipeline' in command ? ('aggregate' as const) : ('find' as const),
              command,
            }));
            expect(Array.isArray(judgeCluster(check, { collections, operations }))).toBe(true);
          },
        ),
        { seed: SEED, numRuns: 25 },
      );
    },
  );
});
