import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatDuration, formatShare, inWords, plural } from '../src/format.js';

describe('format', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('%j are %s in words', (items, text) => expect(inWords(items)).toBe(text));

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [16 * 1024 * 1024, '16 MB'],
    [12.34 * 1024 * 1024, '12 MB'],
    [1024 * 1024 - 1, '1 MB'],
    [5 * 1024 ** 4, '5 TB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [30_000, '30,000'],
    [1.25, '1.3'],
    [12.6, '13'],
    [999, '999'],
    [1_000.6, '1,001'],
    [1_234_567_890, '1,234,567,890'],
    [-1_000, '-1,000'],
    [0, '0'],
  ])('%d is %s', (count, text) => expect(formatCount(count)).toBe(text));

  it.each([
    [0, '0 %'],
    [1, '100 %'],
    [0.034, '3.4 %'],
    [0.5, '50 %'],
    [0.00001, '< 0.1 %'],
    [0.9999, '> 99.9 %'],
    [0.997, '99.7 %'],
  ])('%d is %s', (share, text) => expect(formatShare(share)).toBe(text));

  it.each([
    [0, '0 ms'],
    [350.4, '350 ms'],
    [8_200, '8.2 s'],
    [60_000, '1 min'],
    [5_400_000, '1.5 h'],
    [24 * 60 * 60 * 1_000, '1 day'],
    [36 * 60 * 60 * 1_000, '1.5 days'],
    [1_234.5 * 24 * 60 * 60 * 1_000, '1,234.5 days'],
  ])('%d ms are %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

  it.each([
    [1, '1 document'],
    [0, '0 documents'],
    [1_000, '1,000 documents'],
  ])('%d counts as %s', (count, text) => expect(plural(count, 'document')).toBe(text));
  it('takes an irregular plural', () => expect(plural(2, 'index', 'indexes')).toBe('2 indexes'));
});
