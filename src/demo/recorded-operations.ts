import type { Db } from 'mongodb';

const ALL_OPERATIONS = 2;
const OFF = 0;

/** Runs operations as an application would, so that the database's profiler records them. */
export async function recordOperations(database: Db, run: () => Promise<void>): Promise<void> {
  await database.command({ profile: ALL_OPERATIONS });
  try {
    await run();
  } finally {
    await database.command({ profile: OFF });
  }
}
