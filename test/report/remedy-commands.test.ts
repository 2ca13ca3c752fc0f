import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { mongoshStatement } from '../../src/report/remedy-steps.js';
import * as fc from '../support/fast-check.js';
import { UNPRINTABLE } from '../support/report/unprintable.js';
import { recordingShell } from '../support/shell-database.js';

type Command = Parameters<typeof mongoshStatement>[0];

/** Runs a statement as mongosh would, with a `db` that only writes down what it is told. */
function recorded(statement: string): Command {
  const commands: Command[] = [];
  runInNewContext(statement, { db: recordingShell((command) => commands.push(command)) });
  expect(commands).toHaveLength(1);
  return commands[0] as Command;
}

describe('mongoshStatement', () => {
  it('fits on one line where there is room', () => {
    expect(mongoshStatement({ db: 'shop', command: { collMod: 'orders', validator: {}, sparse: [] } }, 100)).toEqual([
      'db.getSiblingDB("shop").runCommand({ collMod: "orders", validator: {}, sparse: [] });',
    ]);
  });

  it('is broken where there is not, and only where it must', () => {
    const command = {
      collMod: 'orders',
      index: { keyPattern: { customerId: 1, 'items.sku': -1 }, expireAfterSeconds: 3_600, hidden: null },
    };
    expect(mongoshStatement({ db: 'shop', command }, 60)).toEqual([
      'db.getSiblingDB("shop").runCommand({',
      '  collMod: "orders",',
      '  index: {',
      '    keyPattern: { customerId: 1, "items.sku": -1 },',
      '    expireAfterSeconds: 3600,',
      '    hidden: null,',
      '  },',
      '});',
    ]);
  });

  const KEY = { a: 1, b: -1 };
  it.each<[Command['command'], string]>([
    [{ createIndexes: 'orders', indexes: [{ key: KEY, name: 'a_1_b_-1' }] }, '.orders.createIndex({ a: 1, b: -1 });'],
    [
      { createIndexes: 'orders', indexes: [{ key: KEY, name: 'mine', unique: true }] },
      '.orders.createIndex({ a: 1, b: -1 }, { name: "mine", unique: true });',
    ],
    [
      {
        createIndexes: 'orders',
        indexes: [
          { key: { a: 1 }, name: 'a_1' },
          { key: { b: 1 }, name: 'b_1' },
        ],
      },
      '.orders.createIndexes([{ a: 1 }, { b: 1 }]);',
    ],
    [{ dropIndexes: 'orders', index: 'a_1' }, '.orders.dropIndex("a_1");'],
    [{ dropIndexes: 'orders', index: ['a_1', 'b_1'] }, '.orders.dropIndexes(["a_1", "b_1"]);'],
    [{ collMod: 'orders', index: { name: 'a_1', hidden: true } }, '.orders.hideIndex("a_1");'],
    [{ collMod: 'orders', index: { name: 'a_1', hidden: false } }, '.orders.unhideIndex("a_1");'],
    [{ drop: 'stats' }, '.getCollection("stats").drop();'],
    [{ drop: 'orderItems' }, '.getCollection("orderItems").drop();'],
    [{ create: 'orders', capped: true }, '.createCollection("orders", { capped: true });'],
  ])('is the call that people type: %j', (command, expected) => {
    const [line = '', ...more] = mongoshStatement({ db: 'shop', command }, 120);
    expect([line, more]).toEqual([`db.getSiblingDB("shop")${expected}`, []]);
    expect(recorded(line)).toEqual({ db: 'shop', command });
  });

  it.each<[string, Command['command']]>([
    [
      'indexes of different options',
      {
        createIndexes: 'orders',
        indexes: [
          { key: { a: 1 }, name: 'a_1', unique: true },
          { key: { b: 1 }, name: 'b_1' },
        ],
      },
    ],
    ['further options', { createIndexes: 'orders', indexes: [{ key: { a: 1 }, name: 'a_1' }], commitQuorum: 1 }],
    ['a validator', { collMod: 'orders', validator: { a: 1 } }],
    ['a TTL', { collMod: 'orders', index: { name: 'a_1', hidden: true, expireAfterSeconds: 1 } }],
    ['all indexes', { dropIndexes: 'orders', index: '*' }],
  ])('is the command itself for %s', (_, command) => {
    const text = mongoshStatement({ db: 'shop', command }, 200).join('\n');
    expect(text).toContain('.runCommand(');
    expect(recorded(text)).toEqual({ db: 'shop', command });
  });

  it.each([
    ['quotes and backslashes', 'a"b\\c\'d`${e}'],
    ['terminal escapes', '\u001b[31mred\u009b'],
    ['right-to-left marks', 'a\u202eb\u2066'],
    ['line separators', 'a\u2028b\nc'],
    ['text that looks like an escape', String.raw`\x1B\u{202E}`],
    ['lone surrogates', 'a\ud800'],
    ['the name of the prototype', '__proto__'],
  ])('is JavaScript that means the same with %s in names', (_, name) => {
    const given = {
      db: name,
      command: JSON.parse(JSON.stringify({ collMod: name, x: 1 }).replace('"x"', JSON.stringify(name))),
    };
    const lines = mongoshStatement(given, 60);
    expect(JSON.stringify(recorded(lines.join('\n')))).toBe(JSON.stringify(given));
    expect(lines.join('')).not.toMatch(UNPRINTABLE);
  });

  it('is JavaScript that means the same for any command, at any width', () => {
    const command = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1, noNullPrototype: true });
    fc.assert(
      fc.property(fc.string(), command, fc.integer({ min: 1, max: 120 }), (db, given, width) => {
        const statement = mongoshStatement({ db, command: given as Command['command'] }, width).join('\n');
        expect(JSON.stringify(recorded(statement))).toBe(JSON.stringify({ db, command: given }));
      }),
    );
  });
});
