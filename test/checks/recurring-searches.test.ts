/** Queries for few of 9,000 documents: cheap today, and a fault of the design if an application repeats them. */
import { describe, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan.js';
import { fullCount } from '../../checks/full-count.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { unselectiveFilter } from '../../checks/unselective-filter.js';
import type { AnyClusterCheck } from '../../src/check.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { foundIn, problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const BY_CUSTOMER: Recorded = { command: { filter: { customer: 4_711 } } };
const PATTERN: Recorded = { command: { filter: { mail: /^ada$/i } }, plan: 'IXSCAN { mail: 1 }' };
/** So many executions on 9,000 documents: below what a warning is given for at once. */
const nineThousand = (executions: number, returned: number, examined = 9_000) => ({
  executions,
  documentsExamined: executions * examined,
  documentsReturned: executions * returned,
});
const FIRST: Recorded = { command: { ...BY_CUSTOMER.command, limit: 1 } };
const UNANCHORED: Recorded = { command: { filter: { title: /ada/ } } };
const COUNTED: Recorded = {
  kind: 'aggregate',
  command: { pipeline: [{ $match: { customer: 7 } }, { $group: { _id: '$status', count: { $sum: 1 } } }] },
};

const parts = (elements: number): FieldType => ({
  path: 'parts',
  types: { array: 100 },
  documents: 100,
  elementsPerArray: elements,
  longestString: null,
});
const searched = (filter: object): Recorded => ({ command: { filter }, figures: nineThousand(40, 3, 900) });
const within = (path: string): FieldType => ({ ...parts(0), path, types: { string: 100 }, elementsPerArray: null });

describe('a search within arrays of 900 documents', () => {
  it.each<[string, number, string[]]>([
    ['100 elements each', 100, ['warning parts.name']],
    ['4 elements each', 4, []],
  ])('compares each element: %s', (_, elements, expected) => {
    const fields = [parts(elements), within('parts[].name'), within('title')];
    const judged = (check: AnyClusterCheck, filter: object) =>
      foundIn(check, { recorded: [searched(filter)], documents: 900, fields, days: 1 / 48 });
    expect(judged(caseInsensitiveRegex, { 'parts.name': /ada/i })).toEqual(expected);
    expect(judged(unselectiveFilter, { 'parts.name': /ada/ })).toEqual(expected);
    expect(judged(caseInsensitiveRegex, { title: /ada/i })).toEqual([]);
  });
});

const ON_KEYS: Recorded = { ...UNANCHORED, plan: 'IXSCAN { title: 1 }' };
const COUNTED_BY: Recorded = { command: { query: { customer: 7 } }, kind: 'count', plan: 'IXSCAN { customer: 1 }' };
const NEWEST: Recorded = { command: { filter: { room: 1 }, sort: { at: -1 }, limit: 20 }, plan: 'IXSCAN { room: 1 }' };

describe('a search of 900 documents by an index, a thousand times', () => {
  const often = { ...UNANCHORED, plan: 'IXSCAN { title: 1 }', figures: nineThousand(1_000, 3, 900) };
  it.each<[string, number, object]>([
    ['a fifth of all that is examined', 4e6, { severity: 'warning', severityIfSure: undefined }],
    ['nearly a tenth of it, so that it may have been one before', 9e6, { severity: 'info', severityIfSure: 'warning' }],
    ['a twentieth of it', 17e6, { severity: undefined, severityIfSure: undefined }],
  ])('is %s', (_, elsewhere, expected) => {
    const [problem] = problemsIn(unselectiveFilter, {
      recorded: [often],
      documents: 1_200,
      elsewhere,
      days: 1 / 48,
    });
    expect({ severity: problem?.severity, severityIfSure: problem?.severityIfSure }).toEqual(expected);
  });
});

describe('documents of 16 KB', () => {
  it.each<[string, AnyClusterCheck, Recorded, number, string[], string[]]>([
    ['that a report scans', collectionScan, COUNTED, 4_000, ['info customer_1'], ['warning customer_1']],
    ['that a search by an index compares', unselectiveFilter, ON_KEYS, 900, [], ['warning title']],
    ['that are sorted for a page', inMemorySort, NEWEST, 200, ['info room_1_at_-1'], ['warning room_1_at_-1']],
    ['that are counted', fullCount, COUNTED_BY, 900, [], ['warning null']],
  ])('%s count as four', (_, check, query, examined, ofSmall, ofLarge) => {
    const figures = { ...nineThousand(40, 10, examined), inMemorySorts: check === inMemorySort ? 40 : 0 };
    const judged = (bytes: number) =>
      foundIn(check, {
        recorded: [{ ...query, figures }],
        documents: Math.max(1_000, examined),
        bytes,
        indexes: check === collectionScan ? [] : [index({ room: 1 }), index({ customer: 1 })],
        days: 1 / 48,
      });
    expect(judged(200)).toEqual(ofSmall);
    expect(judged(16 * 1024)).toEqual(ofLarge);
  });
});

describe('a scan of 9,000 documents', () => {
  const minutes = 1 / 48;

  it.each<[string, Recorded, object, string[]]>([
    ['for one, by an application', BY_CUSTOMER, { figures: nineThousand(40, 1) }, ['warning customer_1']],
    ['for the first, found half-way', FIRST, { figures: nineThousand(40, 1, 4_400) }, ['warning customer_1']],
    ['for one, by somebody who tried it twice', BY_CUSTOMER, { figures: nineThousand(2, 1) }, ['info customer_1']],
    ['for a fifth of them', BY_CUSTOMER, { figures: nineThousand(40, 1_900) }, []],
    ['for a tenth of them', BY_CUSTOMER, { figures: nineThousand(40, 900) }, ['warning customer_1']],
    ['for a page that is full soon', FIRST, { figures: nineThousand(40, 200, 1_500) }, ['info customer_1']],
    ['by a report, nobody knows on how many', COUNTED, { figures: nineThousand(40, 5) }, ['info customer_1']],
    ['by a report on none', COUNTED, { figures: nineThousand(40, 0) }, ['warning customer_1']],
    [
      'by a count',
      { command: { query: { customer: 7 } }, kind: 'count' },
      { figures: nineThousand(40, 1) },
      ['info customer_1'],
    ],
    ['of a command that was cut', { ...BY_CUSTOMER, truncated: true }, { figures: nineThousand(40, 1) }, ['info null']],
  ])('%s', (_, query, further, expected) => {
    const given = { recorded: [{ ...query, ...further }], documents: 9_000, days: minutes };
    expect(foundIn(collectionScan, given)).toEqual(expected);
  });

  it.each<[string, RegExp, number, number, string[]]>([
    ['one name in any case, looked up again and again', /^ada$/i, 40, 2_000, ['warning name']],
    ['beginnings', /^ada/i, 40, 2_000, ['warning name']],
    ['words', /ada/i, 40, 2_000, ['warning name']],
    ['one name in any case, looked up twice', /^ada$/i, 2, 2_000, ['info name']],
    ['one name in any case, among a few', /^ada$/i, 40, 900, []],
  ])('by index keys for %s', (_, name, executions, keys, expected) => {
    const figures = {
      executions,
      keysExamined: keys * executions,
      documentsExamined: executions,
      documentsReturned: executions,
    };
    const recorded = [{ command: { filter: { name }, limit: 1 }, plan: 'IXSCAN { name: 1 }', figures }];
    expect(foundIn(caseInsensitiveRegex, { recorded, documents: 9_000, days: minutes })).toEqual(expected);
  });

  it.each<[string, number, string[]]>([
    ['that no index could save', 40, ['warning title']],
    ['that no index could save, tried once', 1, ['info title']],
  ])('%s', (_, executions, expected) => {
    const recorded = [{ ...UNANCHORED, figures: nineThousand(executions, 3) }];
    expect(foundIn(unselectiveFilter, { recorded, documents: 9_000, days: minutes })).toEqual(expected);
  });

  it.each<[string, number, number, string]>([
    ['each night', 30, 30, 'info'],
    ['a hundred times a day', 200, 2, 'warning'],
    ['two hundred times a day', 400, 2, 'error'],
  ])('%s', (_, executions, days, severity) => {
    const recorded = [{ ...BY_CUSTOMER, figures: nineThousand(executions, 1) }];
    expect(foundIn(collectionScan, { recorded, documents: 9_000, days })).toEqual([`${severity} customer_1`]);
  });

  it('that is expected in production is one of an application, though a test ran it once', () => {
    const once: Recorded = { ...BY_CUSTOMER, figures: { executions: 1, documentsExamined: 60, documentsReturned: 2 } };
    const judged = (expected: object) =>
      foundIn(collectionScan, { recorded: [once], documents: 60, days: minutes, expected });
    expect(judged({ documents: 9_000 })).toEqual(['warning customer_1']);
    expect(judged({ documents: 9_000, executionsPerDay: 12_000 })).toEqual(['error customer_1']);
    expect(judged({ documents: 9_000, executionsPerDay: 1 })).toEqual(['info customer_1']);
  });

  it.each<[string, Recorded, Recorded['figures'], string[]]>([
    [
      'first page of all, sorted',
      { command: { filter: {}, sort: { placed: -1 }, limit: 20 } },
      nineThousand(40, 20),
      ['warning placed_-1'],
    ],
    [
      'first page, sorted once',
      { command: { filter: {}, sort: { placed: -1 }, limit: 20 } },
      nineThousand(1, 20),
      ['info placed_-1'],
    ],
    ['export in order', { command: { filter: {}, sort: { placed: -1 } } }, nineThousand(40, 9_000), ['info placed_-1']],
  ])('the same: the %s in memory', (_, query, figures, expected) => {
    const recorded = [{ ...query, figures: { ...figures, inMemorySorts: figures?.executions ?? 0 } }];
    expect(foundIn(inMemorySort, { recorded, documents: 9_000, days: minutes })).toEqual(expected);
  });

  it.each<[string, Recorded['figures'], number, string[]]>([
    ['for one, by an application', { ...nineThousand(40, 1), keysExamined: 360_000 }, minutes, ['warning mail']],
    ['for one, tried twice', { ...nineThousand(2, 1), keysExamined: 18_000 }, minutes, ['info mail']],
    ['for half of them', { ...nineThousand(40, 4_500), keysExamined: 360_000 }, minutes, ['info mail']],
    ['for one, each night', { ...nineThousand(30, 1), keysExamined: 270_000 }, 30, ['info mail']],
    ['for one, two hundred times a day', { ...nineThousand(400, 1), keysExamined: 3_600_000 }, 2, ['error mail']],
  ])('the same: keys of an index compared without case, %s', (_, figures, days, expected) => {
    const recorded = [{ ...PATTERN, figures: { ...figures, documentsExamined: 0 } }];
    expect(foundIn(caseInsensitiveRegex, { recorded, documents: 9_000, days })).toEqual(expected);
  });
});
