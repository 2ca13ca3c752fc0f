import type { Db } from 'mongodb';

const ALL_OPERATIONS = 2;
const OFF = 0;

/** Runs operations as an application would, so that the database's profiler has them on record. */
export async function recordOperations(database: Db, run: () => Promise<void>): Promise<void> {
  await database.command({ profile: ALL_OPERATIONS });
  try {
    await run();
  } finally {
    await database.command({ profile: OFF });
  }
}
