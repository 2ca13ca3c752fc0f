import type { MongoClient } from 'mongodb';
import type { Finding } from '../../src/finding.js';

/** Runs the commands of the findings' remedies, as a user would. Fails where a finding has none. */
export async function runRemedies(client: MongoClient, findings: readonly Finding[]): Promise<void> {
  for (const { check, remedy } of findings) {
    if (remedy.commands === undefined) throw new Error(`The finding of ${check} has no commands to run.`);
    for (const { db, command } of remedy.commands) await client.db(db).command(command);
  }
}
