import { BSON, type Document } from 'mongodb';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  executionOf,
  type Execution,
  type NoExecution,
  type RecordedEntry,
  isExecution,
} from '../../../src/workload/operations/execution.js';
import { KnownShapes, readShape } from '../../../src/workload/operations/known-shapes.js';
import type { RecordedCommand } from '../../../src/workload/shapes/operation-shape.js';
import { recordedCommands } from '../../support/workload/random-commands.js';

const SEED = 20_261_122;
const RUNS = 300;

/** Small differences, each of which is one of shape, and those that are none. */
const CHANGES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('Zq7', 'Other'),
  (text) => text.replaceAll('"Zq7', '"$Zq7'),
  (text) => text.replace(/"Zq7[^"\\]*"(?=[,}\]])/, '5'),
  (text) => text.replace(/"Zq7[^"\\]*"(?=[,}\]])/, '["a","b",3]'),
  (text) => text.replace(/"Zq7[^"\\]*"(?=[,}\]])/, '{"$oid":"5f5f5f5f5f5f5f5f5f5f5f5f"}'),
  (text) => text.replace(/"Zq7[^"\\]*"(?=[,}\]])/, '{"$regularExpression":{"pattern":"^a","options":"i"}}'),
  (text) => text.replace('"total"', '"$total"'),
  (text) => text.replace('"name"', '"name2"'),
  (text) => text.replace('$gt', '$exists'),
  (text) => text.replace('$match', '$addFields'),
];

function entryOf(operation: string, command: Document): RecordedEntry {
  return {
    fields: { ns: 'shop.orders', command },
    operation,
    at: 0,
    milliseconds: 5,
    responseBytes: 5,
    user: undefined,
    truncated: false,
  };
}

function find(filter: Document, more: Document = {}): RecordedCommand {
  return { kind: 'find', namespace: 'shop.orders', command: { find: 'orders', filter, ...more }, truncated: false };
}

function keyOf(execution: Execution | NoExecution): Pick<Execution, 'key' | 'shape'> {
  if (!isExecution(execution)) throw new Error(JSON.stringify(execution));
  return { key: execution.key, shape: execution.shape };
}

describe('shapes that are remembered', () => {
  it('are those that are read anew, whatever commands came before', () => {
    const known = new KnownShapes();
    fc.assert(
      fc.property(recordedCommands, ({ operation, command }) => {
        const text = JSON.stringify(BSON.EJSON.serialize(command));
        for (const change of CHANGES) {
          const entry = entryOf(operation, JSON.parse(change(text)) as Document);
          expect(executionOf(entry, (recorded) => known.shapeOf(recorded))).toMatchObject(keyOf(executionOf(entry)));
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('are found again whatever values are compared with', () => {
    const known = new KnownShapes();
    const first = known.shapeOf(
      find({ total: { $gt: 5 }, name: 'a', $or: [{ at: { $date: '2026-01-01T00:00:00Z' } }] }, { limit: 5 }),
    );
    const again = known.shapeOf(
      find({ total: { $gt: 7 }, name: 'b', $or: [{ at: { $date: '2026-01-02T00:00:00Z' } }] }, { limit: 9 }),
    );
    expect(again).toBe(first);
  });

  it.each<[string, RecordedCommand, RecordedCommand]>([
    ['types', find({ total: 5 }), find({ total: 'five' })],
    ['regular expressions', find({ name: { $regex: '^a' } }), find({ name: { $regex: 'a' } })],
    ['directions', find({}, { sort: { at: 1 } }), find({}, { sort: { at: -1 } })],
    ['projections', find({}, { projection: { at: 1 } }), find({}, { projection: { at: 0 } })],
    ['limits', find({}, { limit: 1 }), find({}, { limit: 0 })],
    ['collations', find({}, { collation: { locale: 'en' } }), find({}, { collation: { locale: 'fr' } })],
    ['truncation', find({}), { ...find({}), truncated: true }],
    ['collections', find({}), { ...find({}), namespace: 'shop.carts' }],
    ['names', find({ a: 1, b: 2 }), find({ ab: 1, c: 2 })],
  ])('are told apart by %s', (_what, one, other) => {
    const known = new KnownShapes();
    known.shapeOf(one);
    expect(known.shapeOf(other)).toEqual(readShape(other));
    expect(known.shapeOf(other).key).not.toBe(readShape(one).key);
  });

  it('tell of the longest array of each command', () => {
    const known = new KnownShapes();
    const lengths = [3, 8, 5].map(
      (length) =>
        known.shapeOf(find({ total: { $in: Array.from({ length }, (_, index) => index) } })).longestLiteralArray,
    );
    expect(Math.max(...lengths)).toBe(8);
  });

  it.each([
    ['after thousands of others', find({ name: { $exists: true } }), 6_000],
    ['where they are very long', find({ $expr: { $gt: ['$total', 'x'.repeat(5_000)] } }), 0],
  ])('are forgotten %s, so that they take bounded memory', (_what, command, others) => {
    const known = new KnownShapes();
    const first = known.shapeOf(command);
    for (let number = 0; number < others; number += 1) known.shapeOf(find({ name: { $exists: number } }));
    expect(known.shapeOf(command)).toEqual(first);
    expect(known.shapeOf(command)).not.toBe(first);
  });
});
