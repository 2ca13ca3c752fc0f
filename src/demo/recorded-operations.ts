import type { Db } from 'mongodb';

const ALL_OPERATIONS = 2;
const OFF = 0;
/** The server's own 1 MB holds a thousand operations, and the exhibits together have more. */
const PROFILE_BYTES = 8 * 1024 * 1024;

/** Runs operations as an application would, so that the database's profiler records them. */
export async function recordOperations(database: Db, run: () => Promise<void>): Promise<void> {
  const profiles = await database.listCollections({ name: 'system.profile' }, { nameOnly: true }).toArray();
  if (profiles.length === 0) await database.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
  await database.command({ profile: ALL_OPERATIONS });
  try {
    await run();
  } finally {
    await database.command({ profile: OFF });
  }
}
