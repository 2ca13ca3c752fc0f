import { plural } from '../format.js';
import { clusterTexts } from './coverage.js';
import { printableReport } from './printable-report.js';
import { mongoshStatement } from './remedy-steps.js';
import type { Report } from './report.js';
import { checkLines, commentLines, otherFindingLines, reasonLines, reversibleCommands } from './reversible-commands.js';
import { failureSentences } from './run-failure.js';

const WIDTH = 100;

/**
 * A script for mongosh of all commands that anybody may run and take back, each with its reason, how to see that it worked,
 * and what undoes it. What needs a person is listed at its end.
 */
export function renderMongosh(report: Report): string {
  const safe = printableReport(report);
  const commands = reversibleCommands(safe);
  const others = otherFindingLines(safe, commands);
  const { tool, target, cluster, startedAt } = safe;
  const of = [target, ...clusterTexts(cluster), startedAt.slice(0, 10)].filter((text) => text !== undefined);
  const steps = commands.flatMap((command, index) => [
    '',
    ...reasonLines(command, `${index + 1}. `),
    ...mongoshStatement(command.run, WIDTH),
    ...checkLines(command),
    '// Rollback:',
    ...mongoshStatement(command.undo, WIDTH - 3).map((line) => `// ${line}`),
  ]);
  const lines = [
    ...commentLines(`${tool.name} ${tool.version}: ${of.join(', ')}`),
    ...failureSentences(safe).flatMap(commentLines),
    ...commentLines(
      commands.length === 0
        ? 'No finding has a command that anybody may run and take back.'
        : `${plural(commands.length, 'command')} that lose nothing. Read them, then run them: mongosh URI --file THIS-FILE. The first that fails ends it.`,
    ),
    ...steps,
    ...(others.length === 0 ? [] : ['', ...others]),
  ];
  return `${lines.join('\n')}\n`;
}
