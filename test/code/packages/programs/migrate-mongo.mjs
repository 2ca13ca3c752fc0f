import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { config, database, down, status, up } from 'migrate-mongo';
import { databaseName, uri } from './support.mjs';

const folder = join(process.cwd(), 'migrations-made');
await rm(folder, { recursive: true, force: true });
await mkdir(folder);
for (const name of ['1-one.mjs', '2-two.mjs', '3-three.mjs'])
  await writeFile(join(folder, name), 'export const up = async () => {};\nexport const down = async () => {};\n');
const settings = {
  // It does not wait for the index of its locks: with one connection, that is built before what follows, and before `close`.
  mongodb: { url: uri, databaseName, options: { maxPoolSize: 1 } },
  migrationsDir: folder,
  migrationFileExtension: '.mjs',
  moduleSystem: 'esm',
  changelogCollectionName: 'changelog',
};
global.options = {};
for (const more of [{}, { lockCollectionName: 'changelog_lock', lockTtl: 60 }, { useFileHash: true }]) {
  config.set({ ...settings, ...more });
  const { db, client } = await database.connect();
  await up(db, client);
  await status(db);
  await down(db, client);
  await client.close();
}
