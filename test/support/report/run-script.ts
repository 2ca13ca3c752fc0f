import { runInNewContext } from 'node:vm';
import type { RemedyCommand } from '../../../src/finding.js';
import { recordingShell } from '../shell-database.js';

/**
 * Runs a script of `--format mongosh` in a JavaScript engine of its own, with a stand-in for the shell's `db` that only takes
 * down what it is asked to run. Anything else that the script reaches for is an error.
 */
export function commandsOfScript(script: string): RemedyCommand[] {
  const ran: RemedyCommand[] = [];
  runInNewContext(script, { db: recordingShell((command) => ran.push(command)) });
  return ran;
}

/** Runs a migration of migrate-mongo, one way, with a stand-in for its database and client. */
export async function commandsOfMigration(source: string, way: 'up' | 'down'): Promise<RemedyCommand[]> {
  const ran: RemedyCommand[] = [];
  const database = (db: string) => ({
    command: async (command: RemedyCommand['command']) =>
      void ran.push({ db, command: JSON.parse(JSON.stringify(command)) as RemedyCommand['command'] }),
  });
  const module: { exports?: Record<'up' | 'down', (db: object, client: object) => Promise<void>> } = {};
  runInNewContext(source, { module });
  await module.exports?.[way](database(''), { db: database });
  return ran;
}

/** The commands of the comments that undo a script's commands, the last first. */
export function rollbackOf(script: string): RemedyCommand[] {
  const parts = script.split('// Rollback:\n').slice(1);
  const statements = parts.map((part) => {
    const lines = part.split('\n');
    const end = lines.findIndex((line) => !line.startsWith('// '));
    return lines
      .slice(0, end === -1 ? undefined : end)
      .map((line) => line.slice('// '.length))
      .join('\n');
  });
  return statements.toReversed().flatMap(commandsOfScript);
}
