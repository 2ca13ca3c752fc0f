import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { clipped, flowed, labelled, listed, padded, textWidth, wrapped } from '../../src/report/text-layout.js';

describe('clipped', () => {
  it.each([
    ['shop.orders', 11, 'end', 'shop.orders'],
    ['shop.orders', 8, 'end', 'shop.or…'],
    ['shop.orders', 8, 'middle', 'sho…ders'],
    ['日本語のカタログ', 9, 'end', '日本語の…'],
    ['日本語のカタログ', 8, 'end', '日本語…'],
    ['日本語のカタログ', 10, 'middle', '日本…ログ'],
    ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 5, 'end', '👨‍👩‍👧👨‍👩‍👧…'],
    ['anything', 1, 'end', '…'],
  ] as const)('%s in %i columns, cut at the %s, is %s', (text, width, where, expected) => {
    const result = clipped(text, width, where);
    expect(result).toBe(expected);
    expect(textWidth(result)).toBeLessThanOrEqual(width);
  });
});

describe('flowed', () => {
  it('fills lines with whole items', () => {
    expect(flowed(['median 12', 'p99 8,204', 'maximum 41,210'], ' · ', 22)).toEqual([
      'median 12 · p99 8,204',
      'maximum 41,210',
    ]);
  });

  it('breaks only an item that is longer than a line', () => {
    expect(flowed(['one two three', 'four'], ' · ', 8)).toEqual(['one two', 'three', 'four']);
  });
});

describe('wrapped', () => {
  it.each([
    ['a time', 'in 4.7 s, of', 8, ['in', '4.7 s,', 'of']],
    ['a share', 'some 41 % of', 8, ['some', '41 % of']],
    ['bytes', 'at (16 MB)', 7, ['at', '(16 MB)']],
    ['a sign and its number', 'makes up > 99.9 % of it', 14, ['makes up', '> 99.9 % of it']],
    ['a bracket and what follows', 'index { at: 1 }', 8, ['index', '{ at:', '1 }']],
  ])('keeps %s together', (_, text, width, lines) => {
    expect(wrapped(text, width)).toEqual(lines);
  });

  it('breaks between a number and a noun, and between brackets that hold more', () => {
    expect(wrapped('has 4 sockets', 8)).toEqual(['has 4', 'sockets']);
    expect(wrapped('[{ $match: { at: 1 } }]', 15)).toEqual(['[{ $match:', '{ at: 1 } }]']);
  });

  it('measures wide characters as two columns', () => {
    expect(wrapped('日本 日本 日本', 9)).toEqual(['日本 日本', '日本']);
  });

  it('breaks narrow characters as the library breaks any', () => {
    const text = array(string({ unit: constantFrom('a', '_', '.', '…', '·'), minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 20,
    }).map((words) => words.join(' '));
    assert(
      property(text, integer({ min: 1, max: 40 }), (words, width) => {
        expect(wrapped(words, width)).toEqual(wrapAnsi(words, width).split('\n'));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('does not break a name', () => {
    expect(wrapped('in shop.customers_archive now', 10)).toEqual(['in', 'shop.customers_archive', 'now']);
  });
});

describe('small pieces', () => {
  it('pads by columns', () => {
    expect(padded('日本', 6)).toBe('日本  ');
    expect(padded('12', 4, 'left')).toBe('  12');
  });

  it('aligns lines behind a label', () => {
    expect(labelled('more', 6, ['one', '', 'two'])).toEqual(['more  one', '', '      two']);
  });

  it('counts names beyond the limit', () => {
    expect(listed(['a', 'b', 'c'], 3)).toBe('a, b, c');
    expect(listed(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  });
});
