// The commands are run by a real server; mongosh itself runs them in test/mongosh.
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RemedyCommand } from '../../src/finding.js';
import { renderMigration } from '../../src/report/migration.js';
import { renderMongosh } from '../../src/report/mongosh.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { hostileFindings } from '../support/report/hostile-remedies.js';
import { commandsOfMigration, commandsOfScript, rollbackOf } from '../support/report/run-script.js';
import { reportOf } from '../support/report/sample-report.js';

describe('the commands of a script', () => {
  const client = new MongoClient(sharedReplicaSetUri());
  beforeAll(() => client.connect());
  afterAll(() => client.close());
  const database = freshDatabase(client);
  const run = async (commands: readonly RemedyCommand[]) => {
    for (const { db, command } of commands) await client.db(db === '' ? database.databaseName : db).command(command);
  };

  it.each(['mongosh', 'migration'])(
    'of the format %s build, guard and hide, and their rollback undoes it',
    async (format) => {
      const { names, findings, state } = hostileFindings(database, format);
      for (const name of names) await database.collection(name).createIndex({ old: 1 }, { name: 'old_1' });
      await database.collection('bystander').insertOne({ kept: true });
      const before = await state();
      const report = reportOf({ findings });
      const source = format === 'mongosh' ? renderMongosh(report) : renderMigration(report);
      await run(format === 'mongosh' ? commandsOfScript(source) : await commandsOfMigration(source, 'up'));
      const after = await state();
      for (const name of names)
        expect(after[name]).toMatchObject({ indexes: ['_id_', 'new_1', 'old_1 hidden'], isValidated: true });
      await run(format === 'mongosh' ? rollbackOf(source) : await commandsOfMigration(source, 'down'));
      expect(await state()).toEqual(before);
      expect(await database.collection('bystander').countDocuments()).toBe(format === 'mongosh' ? 1 : 2);
    },
  );
});
