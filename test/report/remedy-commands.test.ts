import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { mongoshStatement } from '../../src/report/remedy-steps.js';
import * as fc from '../support/fast-check.js';
import { UNPRINTABLE } from '../support/report/unprintable.js';

type Command = Parameters<typeof mongoshStatement>[0];

/** Runs a statement as mongosh would, with a `db` that only writes down what it is told. */
function recorded(statement: string): Command {
  const commands: Command[] = [];
  const db = {
    getSiblingDB: (name: string) => ({
      runCommand: (command: Command['command']) => commands.push({ db: name, command }),
    }),
  };
  runInNewContext(statement, { db });
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
      createIndexes: 'orders',
      indexes: [{ key: { customerId: 1, 'items.sku': -1 }, name: 'by_customer', unique: true, hidden: null }],
    };
    expect(mongoshStatement({ db: 'shop', command }, 60)).toEqual([
      'db.getSiblingDB("shop").runCommand({',
      '  createIndexes: "orders",',
      '  indexes: [',
      '    {',
      '      key: { customerId: 1, "items.sku": -1 },',
      '      name: "by_customer",',
      '      unique: true,',
      '      hidden: null,',
      '    },',
      '  ],',
      '});',
    ]);
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
