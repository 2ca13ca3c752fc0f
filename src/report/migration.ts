import { lineText } from '../code/source-line.js';
import type { RemedyCommand } from '../finding.js';
import { indented } from './narrow-text.js';
import { printableReport } from './printable-report.js';
import { driverStatement, schemaLines } from './remedy-steps.js';
import type { Report } from './report.js';
import {
  commentLines,
  otherFindingLines,
  reasonLines,
  reversibleCommands,
  type ReversibleCommand,
} from './reversible-commands.js';
import { failureSentences } from './run-failure.js';

const WIDTH = 100;
const INDENT = 4;

/**
 * A migration of migrate-mongo with all commands that anybody may run and take back, and the lines that declare the same
 * indexes with mongoose.
 */
export function renderMigration(report: Report): string {
  const safe = printableReport(report);
  const commands = reversibleCommands(safe);
  const isOwn = new Set(commands.map(({ run }) => run.db)).size < 2;
  const statement = (command: RemedyCommand) => indented(driverStatement(command, isOwn, WIDTH - INDENT), INDENT);
  const up = commands.flatMap((command) => [...indented(reasonLines(command, ''), INDENT), ...statement(command.run)]);
  const down = commands.toReversed().flatMap(({ undo }) => statement(undo));
  const declared = commands.flatMap(mongooseLines);
  const { tool, startedAt } = safe;
  const lines = [
    ...commentLines(
      `${tool.name} ${tool.version}, ${startedAt.slice(0, 10)}: a migration for migrate-mongo.${isOwn ? ' It runs on the database that migrate-mongo is configured for.' : ''}`,
    ),
    ...failureSentences(safe).flatMap(commentLines),
    ...(declared.length === 0
      ? []
      : commentLines('If mongoose creates the indexes, put these lines into the schemas instead:')),
    ...declared,
    ...otherFindingLines(safe, commands),
    '',
    'module.exports = {',
    '  async up(db, client) {',
    ...up,
    '  },',
    '  async down(db, client) {',
    ...down,
    '  },',
    '};',
  ];
  return `${lines.join('\n')}\n`;
}

/** The lines of the schema, with the place of the schema if the source is known. */
function mongooseLines({ run: { command }, finding }: ReversibleCommand): string[] {
  const lines = schemaLines(command);
  if (lines.length === 0) return [];
  const places = (finding.locations ?? []).filter(({ of }) => of === 'schema').map(lineText);
  const where = places.length === 0 ? '' : ` (${places.join(' or ')})`;
  return [
    ...commentLines(`${JSON.stringify(command['createIndexes'])}${where}:`),
    ...lines.map((line) => `//   ${line}`),
  ];
}
