import { describe, expect, it } from 'vitest';
import type { RemedyCommand } from '../../src/finding.js';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { renderMigration } from '../../src/report/migration.js';
import { renderMongosh } from '../../src/report/mongosh.js';
import { ALL_REPORTS, HOSTILE_NAMES, reportWithFindings } from '../support/report/pipeline-reports.js';
import { commandsOfMigration, commandsOfScript, rollbackOf } from '../support/report/run-script.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

type Command = RemedyCommand['command'];

const creation = (collection: string, name: string): Command => ({
  createIndexes: collection,
  indexes: [{ key: { [name]: 1 }, name, collation: { locale: name } }],
});
const hiding = (collection: string, name: string, hidden = true): Command => ({
  collMod: collection,
  index: { name, hidden },
});
const validator = (collection: string, name: string): Command => ({
  collMod: collection,
  validator: { $jsonSchema: { required: [name], properties: { [name]: { bsonType: 'string' } } } },
  validationLevel: 'moderate',
  validationAction: 'warn',
});

const findingWith = (db: string, command: Command, name = 'a') =>
  findingOf({
    namespace: `${db}.${name}`,
    path: name,
    message: `${name}\n*/ db.dropDatabase(); //`,
    remedy: reportedRemedy({
      steps: [
        { text: `${name}\u2028db.dropDatabase()`, command: { db, command } },
        {
          text: `Check: ${name}.`,
          code: `db.getCollection(${JSON.stringify(name)}).countDocuments({})\r\ndb.dropDatabase()`,
        },
      ],
    }),
  });

const MONGOSH = [(report: Parameters<typeof renderMongosh>[0]) => commandsOfScript(renderMongosh(report))] as const;
const kindsOf = (commands: readonly RemedyCommand[]) => commands.map(({ command }) => Object.keys(command)[0]);

describe('the script for mongosh, and the migration', () => {
  it('run new indexes first, then what is unhidden, validators, and what is hidden', async () => {
    const commands = [hiding('a', 'h'), validator('a', 'v'), hiding('a', 'u', false), creation('a', 'c')];
    const report = reportOf({ findings: commands.map((command) => findingWith('shop', command)) });
    const expected = [creation('a', 'c'), hiding('a', 'u', false), validator('a', 'v'), hiding('a', 'h')];
    expect(commandsOfScript(renderMongosh(report))).toEqual(expected.map((command) => ({ db: 'shop', command })));
    const up = await commandsOfMigration(renderMigration(report), 'up');
    expect(up).toEqual(expected.map((command) => ({ db: '', command })));
  });

  it('have what undoes each, in the opposite order', async () => {
    const commands = [hiding('a', 'h'), validator('a', 'v'), hiding('a', 'u', false), creation('a', 'c')];
    const report = reportOf({ findings: commands.map((command) => findingWith('shop', command)) });
    const expected = [
      hiding('a', 'h', false),
      { collMod: 'a', validator: {}, validationLevel: 'strict', validationAction: 'error' },
      hiding('a', 'u', true),
      { dropIndexes: 'a', index: 'c' },
    ];
    expect(rollbackOf(renderMongosh(report)).map(({ command }) => command)).toEqual(expected);
    const down = await commandsOfMigration(renderMigration(report), 'down');
    expect(down.map(({ command }) => command)).toEqual(expected);
  });

  it.each<[string, Command]>([
    [
      'an index that expires documents',
      { createIndexes: 'a', indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 0 }] },
    ],
    ['one that is made to', { collMod: 'a', index: { name: 'at_1', expireAfterSeconds: 0 } }],
    ['an index that is dropped', { dropIndexes: 'a', index: 'b_1' }],
    ['a collection that is dropped', { drop: 'a' }],
    ['documents that are written', { aggregate: 'a', pipeline: [{ $merge: 'a' }], cursor: {} }],
    ['a collection that is sharded anew', { reshardCollection: 'shop.a', key: { b: 1 } }],
    ['an index that is hidden while something else changes', { ...hiding('a', 'b'), validator: {} }],
    ['compaction', { compact: 'a' }],
  ])('leave to a person: %s', async (_, command) => {
    const report = reportOf({ findings: [findingWith('shop', command)] });
    expect(commandsOfScript(renderMongosh(report))).toEqual([]);
    expect(await commandsOfMigration(renderMigration(report), 'up')).toEqual([]);
    for (const text of [renderMongosh(report), renderMigration(report)]) {
      expect(text).toContain('a person must decide');
      expect(text).toContain(' error unbounded-array: shop.a a');
    }
  });

  it('run a command once that two findings have, and none of what is suppressed or known', () => {
    const suppressed = { by: 'f', reason: 'r', expires: null };
    const findings = [
      findingWith('shop', creation('a', 'c')),
      findingWith('shop', creation('a', 'c')),
      { ...findingWith('shop', creation('b', 'c')), suppressed },
      { ...findingWith('shop', creation('d', 'c')), baseline: { status: 'known' as const, severityBefore: null } },
    ];
    expect(commandsOfScript(renderMongosh(reportOf({ findings })))).toEqual([
      { db: 'shop', command: creation('a', 'c') },
    ]);
  });

  it('name the database in a migration only if there are several', async () => {
    const findings = ['shop', 'x"); db.dropDatabase(); ("'].map((db) => findingWith(db, creation('a', 'c')));
    const up = await commandsOfMigration(renderMigration(reportOf({ findings })), 'up');
    expect(up.map(({ db }) => db)).toEqual(['shop', 'x"); db.dropDatabase(); ("']);
  });

  it('declare the indexes for mongoose, with the line of the schema', () => {
    const locations = [{ file: 'src/a.ts', line: 7, of: 'schema', certain: true }] as const;
    const finding = { ...findingWith('shop', creation('a', 'c')), locations: [...locations] };
    expect(renderMigration(reportOf({ findings: [finding] }))).toContain(
      '// "a" (src/a.ts:7):\n//   schema.index({ c: 1 }, { name: "c", collation: { locale: "c" } });\n',
    );
  });
});

describe('hostile names', () => {
  it.each(HOSTILE_NAMES)('are strings in a script: %j', async (name) => {
    const commands = [creation(name, name), hiding(name, name), validator(name, name)];
    const findings = commands.map((command) => findingWith(name, command, name));
    const report = { ...reportOf({ findings }), target: name };
    const ordered = [creation(name, name), validator(name, name), hiding(name, name)];
    expect(commandsOfScript(renderMongosh(report))).toEqual(ordered.map((command) => ({ db: name, command })));
    expect(kindsOf(rollbackOf(renderMongosh(report)))).toEqual(['collMod', 'collMod', 'dropIndexes']);
    const up = await commandsOfMigration(renderMigration(report), 'up');
    expect(up.map(({ command }) => command)).toEqual(ordered);
  });

  it('stay data as "__proto__"', () => {
    const [ran] = MONGOSH[0](reportOf({ findings: [findingWith('shop', creation('a', '__proto__'))] }));
    expect(JSON.stringify(ran?.command)).toBe(JSON.stringify(creation('a', '__proto__')));
  });

  it.each(ALL_REPORTS)(
    'end no comment and no string of the %s report, whose commands are the same both ways',
    async (_, report) => {
      const commands = commandsOfScript(renderMongosh(report)).map(({ command }) => command);
      const up = await commandsOfMigration(renderMigration(report), 'up');
      expect(up.map(({ command }) => command)).toEqual(commands);
      const down = await commandsOfMigration(renderMigration(report), 'down');
      expect(down.map(({ command }) => command)).toEqual(
        rollbackOf(renderMongosh(report)).map(({ command }) => command),
      );
    },
  );

  it('are counted: 200 findings have the commands of 200', () => {
    const report = reportWithFindings(200);
    const kinds = new Set(kindsOf(commandsOfScript(renderMongosh(report))));
    expect([...kinds]).toEqual(['createIndexes', 'collMod']);
  });
});
