import { describe, expect, it } from 'vitest';
import { looksLikeData } from '../../src/workload/data-name.js';

describe('a field name by itself', () => {
  it.each([
    'DE89370400440532013000',
    '+4917012345N',
    '+49',
    'John Smith',
    'eyJhbGciOi0SECRET',
    'user-118785-alice',
    'bob@example.com',
    '@bob',
    '20240131',
    '2024-01-31',
    'john.smith',
    'a/b',
    'user:alice',
    'tags[]',
    '١٢٣٤٥',
    'x'.repeat(41),
    'dGhpc0lzQVRva2Vu9',
    'line\nbreak',
  ])('%j looks like data', (name) => {
    expect(looksLikeData(name)).toBe(true);
  });

  it.each([
    '',
    '_id',
    'name',
    '$ref',
    'address_line_2',
    'shippingAddressLine2',
    'iso3166CountryCode',
    'utf8EncodedFileName',
    'sha256Checksum',
    'größe',
    '订单',
    'हिन्दी',
    'First-Name',
    '2024',
    'x'.repeat(40),
    'MAX_CONNECTIONS',
    'numberOfConcurrentOperationsPerformed',
  ])('%j may be given by people', (name) => {
    expect(looksLikeData(name)).toBe(false);
  });
});
