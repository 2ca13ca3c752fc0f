import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { expressionFilter } from '../../checks/expression-filter.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { unselectiveFilter } from '../../checks/unselective-filter.js';
import { index } from '../support/checks/index-builders.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';

const of = (filter: object, further: Partial<Recorded> = {}): GivenWorkload => ({
  recorded: [{ command: { filter }, ...further }],
});
const LIST = { $expr: { $in: ['$status', ['open', 'paid']] } };
const OVERPAID = { $where: 'this.total < this.paid' };
const examined = (documents: number, returned = 0, executions = 1_000) => ({
  executions,
  documentsExamined: executions * documents,
  documentsReturned: executions * returned,
});

describe('expression-filter', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['a list in $expr', of(LIST), ['warning status']],
    ['a list in $expr, a hundred times a day', { ...of(LIST), days: 10 }, ['error status']],
    ['a list in $expr, ten times a day', { ...of(LIST), days: 100 }, ['info status']],
    ['a list in $expr, once', of(LIST, { figures: examined(9_000, 1, 1) }), ['info status']],
    ['a part of a date', of({ $expr: { $eq: [{ $year: '$placed' }, 2_026] } }), ['warning placed']],
    ['two fields', of({ $expr: { $lt: ['$total', '$paid'] } }), ['warning total']],
    ['a script of two fields', of(OVERPAID), ['warning null']],
    ['a script that returns most', of(OVERPAID, { figures: examined(20_000, 15_000) }), ['warning null']],
    ['a script on 2,000 documents', of(OVERPAID, { figures: examined(2_000, 1_500) }), ['warning null']],
    [
      'a script on 200,000 documents',
      { ...of(OVERPAID, { figures: examined(200_000) }), documents: 200_000 },
      ['error null'],
    ],
    ['an expression beside a negation', of({ ...LIST, kind: { $ne: 5 } }), ['warning status']],
    ['an expression in an alternative', of({ $or: [{ kind: 5 }, LIST] }), ['warning status']],
    [
      'an expression on 60 documents, of which five million are expected',
      { ...of(LIST, { figures: examined(60) }), documents: 60, expected: { documents: 5_000_000 } },
      ['error status'],
    ],
    ['an expression that an index serves', of(LIST, { plan: 'IXSCAN { status: 1 }', figures: examined(10, 10) }), []],
    ['an expression beside an equality', of({ ...LIST, customer: 5 }), []],
    ['an expression that returns a third', of(LIST, { figures: examined(20_000, 7_000) }), []],
    ['900 documents', of(LIST, { figures: examined(900), plan: 'IXSCAN { a: 1 }' }), []],
    ['no expression', of({ status: { $in: ['open', 'paid'] } }), []],
    ['a pattern', of({ sku: /77/ }), []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(expressionFilter, given)).toEqual(expected);
  });

  it('prints the plain condition and its index, and no value', () => {
    const [finding] = problemsIn(expressionFilter, of(LIST));
    expect(finding?.message).toBe(
      'An expression is computed for each document: find by $expr. An execution examines 20,000 documents to return 10, in 5 ms on average (1,000 executions in 30 days).',
    );
    expect(finding?.remedy.steps?.flatMap(({ code }) => code ?? [])).toEqual([
      'db.getSiblingDB("shop").orders.find({ "status": { $in: statusValues } })',
      'db.getSiblingDB("shop").orders.createIndex({ "status": 1 })',
    ]);
    expect(finding?.remedy.commands).toBeUndefined();
    expect(JSON.stringify(finding)).not.toMatch(/open|paid/);
  });

  it('names the index that is there', () => {
    const [finding] = problemsIn(expressionFilter, { ...of(LIST), indexes: [index({ status: 1 })] });
    expect(finding?.remedy.steps?.[1]?.text).toBe('The index `status_1` serves that already.');
  });

  it('prints no statement for a script, and nothing of its text', () => {
    const [finding] = problemsIn(expressionFilter, of({ $where: 'this.names.indexOf("Ada") > 0' }));
    expect(finding?.message).toMatch(/^A script runs for each document: find by \$where\. /);
    expect(finding?.remedy.steps).toHaveLength(1);
    expect(JSON.stringify(finding)).not.toContain('Ada');
  });

  it.each([LIST, OVERPAID])('%j is told by no other check', (filter) => {
    expect(foundIn(collectionScan, of(filter))).toEqual([]);
    expect(foundIn(unselectiveFilter, of(filter))).toEqual([]);
    expect(foundIn(poorTargeting, of(filter, { plan: 'IXSCAN { at: 1 }' }))).toEqual([]);
  });

  it('tells nothing by 60 documents', () => {
    expect(judgeWorkload(expressionFilter, { ...of(LIST, { figures: examined(60) }), documents: 60 })).toEqual([
      { namespace: 'shop.orders', notJudged: 'too-small', detail: expect.stringContaining('Run there: find by $expr') },
    ]);
  });
});
