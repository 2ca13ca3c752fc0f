import { beforeAll, describe, expect, it } from 'vitest';
import { FOREIGN_LINE, UNREAD_LINE } from '../../src/code/source-line.js';
import { namedLines } from '../../src/lint/lint.js';
import { executionOf, isExecution, type LineOf } from '../../src/workload/operations/execution.js';
import { OperationTally } from '../../src/workload/operations/operation-tally.js';
import { understood } from '../support/code/understood.js';

let lineOf: LineOf;
beforeAll(async () => {
  const deep = `${'deep/'.repeat(70)}a.ts`;
  lineOf = namedLines(await understood({ 'orders.ts': 'one();\ntwo();\n', 'a b.ts': 'one();', [deep]: 'one();' }));
});

function tallied(comments: readonly unknown[], reader: LineOf | null = lineOf) {
  const tally = new OperationTally();
  for (const comment of comments) {
    const execution = executionOf({
      fields: { ns: 'shop.orders', command: { find: 'orders', filter: { status: 1 }, comment } },
      operation: 'query',
      at: 0,
      milliseconds: 1,
      responseBytes: 1,
      user: null,
      truncated: false,
      ...(reader !== null && { lineOf: reader }),
    });
    if (isExecution(execution)) tally.add(execution);
  }
  return tally.operations();
}

describe('of the comment of an operation', () => {
  it.each([
    ['at=src/orders.ts:1', 'src/orders.ts:1'],
    ['at=src/orders.ts:2', 'src/orders.ts:2'],
    ['at=src/a b.ts:1', 'src/a b.ts:1'],
  ])('%s is kept: a line that was read', (comment, line) => {
    expect(lineOf(comment)).toBe(line);
  });

  it.each([
    ['a file that was not read', 'at=src/customers.ts:1', UNREAD_LINE],
    ['a file of another language', 'at=src/orders.py:1', FOREIGN_LINE],
    ['a path that leads elsewhere', 'at=src/../../etc/passwd:1', UNREAD_LINE],
    ['a path that leads back', 'at=src/x/../orders.ts:1', UNREAD_LINE],
    ['an absolute path', 'at=/src/orders.ts:1', UNREAD_LINE],
    ['a name that every object has', 'at=constructor:1', UNREAD_LINE],
  ])('nothing is kept but that it names a file that was not read: %s', (_, comment, kept) => {
    expect(lineOf(comment)).toBe(kept);
    expect(JSON.stringify(tallied([comment]))).not.toMatch(/passwd|customers|constructor|\.py/);
  });

  it.each([
    ['a line beyond the end', 'at=src/orders.ts:3'],
    ['no line', 'at=src/orders.ts'],
    ['line 0', 'at=src/orders.ts:0'],
    ['a number of another form', 'at=src/orders.ts:1e0'],
    ['other text', 'card 4111 1111'],
    ['text before it', 'card 4111 at=src/orders.ts:1'],
    ['text behind it', 'at=src/orders.ts:1 card 4111'],
    ['a further line of text', 'at=src/orders.ts:1\ncard 4111'],
    ['nothing', ''],
    ['no text', { at: 'src/orders.ts:1' }],
    ['none', undefined],
    ['more than 300 characters, though they name a line', `at=src/${'deep/'.repeat(70)}a.ts:1`],
  ])('nothing is kept: %s', (_, comment) => {
    expect(lineOf(comment)).toBeNull();
    expect(JSON.stringify(tallied([comment]))).not.toMatch(/4111|passwd|customers/);
  });

  it.each([
    ["db_driver='x',file='src%2Forders.ts',line='2'", 'src/orders.ts:2'],
    ["file='orders.ts',line='1',note='card 4111'", 'src/orders.ts:1'],
    ["file='orders.ts'", 'src/orders.ts'],
    ["file='orders.ts',line='9'", null],
    ["file='%E0%A4%A',line='1'", UNREAD_LINE],
    ["file='orders.py',line='1'", FOREIGN_LINE],
    ['at=src/orders.ts:2', 'src/orders.ts:2'],
    ["route='/orders'", null],
  ])('a form of its own is read: %s', async (comment, kept) => {
    const code = await understood({ 'orders.ts': 'one();\ntwo();\n' });
    const comments = ["file='(?<file>[^']+)'(?:,line='(?<line>\\d+)')?"];
    expect(namedLines(code, ['lib', { dir: '/app/src', name: 'src', comments }])(comment)).toBe(kept);
  });

  it('nothing is kept without source', () => {
    const [operation] = tallied(['at=src/orders.ts:1'], null);
    expect(operation).not.toHaveProperty('sentFrom');
    expect(JSON.stringify(operation)).not.toContain('orders.ts');
  });

  it('each line is kept once, and that an execution names none', () => {
    const comments = ['at=src/orders.ts:1', 'at=src/orders.ts:2', 'at=src/orders.ts:1'];
    expect(tallied(comments)).toMatchObject([{ sentFrom: ['src/orders.ts:1', 'src/orders.ts:2'] }]);
    expect(tallied([...comments, 'card 4111'])[0]?.sentFrom).toEqual(['src/orders.ts:1', 'src/orders.ts:2', null]);
  });

  it('no more than 100 lines are kept of a shape', async () => {
    const many = namedLines(await understood({ 'long.ts': 'one();\n'.repeat(150) }));
    const [operation] = tallied(
      Array.from({ length: 150 }, (_, index) => `at=src/long.ts:${index + 1}`),
      many,
    );
    expect(operation?.sentFrom).toHaveLength(100);
  });
});
