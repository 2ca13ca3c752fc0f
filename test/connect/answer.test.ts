import { Decimal128, Int32, Long } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { figureIn, figuresIn, neededDocuments, neededFigure, textIn, timeIn } from '../../src/connect/answer.js';

describe('figures of an answer', () => {
  it.each<[string, unknown, number | null]>([
    ['a number', 5, 5],
    ['zero', 0, 0],
    ['a Long', Long.fromNumber(7), 7],
    ['an Int32', new Int32(8), 8],
    ['a Decimal128', Decimal128.fromString('9'), 9],
    ['a bigint', 10n, 10],
    ['nothing', undefined, null],
    ['null', null, null],
    ['a text', '5', null],
    ['a boolean', false, null],
    ['a list', [], null],
    ['no number', Number.NaN, null],
    ['infinity', Infinity, null],
  ])('%s', (_, value, expected) => {
    expect(figureIn({ storageStats: { count: value } }, 'storageStats.count')).toBe(expected);
  });

  it('are null below what is no document', () => {
    expect(figureIn({ storageStats: 3 }, 'storageStats.count')).toBeNull();
    expect(figureIn(undefined, 'count')).toBeNull();
  });

  it('are missed by name if they are needed', () => {
    expect(() => neededFigure('$collStats', { count: 3 }, 'storageStats.count')).toThrow(
      '$collStats answers in another shape here: no storageStats.count',
    );
  });

  it('leave out those of a document that are none', () => {
    expect(figuresIn({ sizes: { a: 1, b: 'x', c: Long.fromNumber(2) } }, 'sizes')).toEqual({ a: 1, c: 2 });
    expect(figuresIn({ sizes: [1] }, 'sizes')).toBeNull();
  });
});

describe('other parts of an answer', () => {
  it('have the type that is asked for, or are missing', () => {
    expect(textIn({ version: '6.0.5' }, 'version')).toBe('6.0.5');
    expect(textIn({ version: 6 }, 'version')).toBeNull();
    expect(timeIn({ since: new Date(5) }, 'since')).toBe(5);
    expect(timeIn({ since: '1970' }, 'since')).toBeNull();
    expect(() => neededDocuments('listDatabases', { databases: {} }, 'databases')).toThrow(/no databases$/);
    expect(neededDocuments('listDatabases', { databases: [{ name: 'a' }] }, 'databases')).toEqual([{ name: 'a' }]);
  });
});
