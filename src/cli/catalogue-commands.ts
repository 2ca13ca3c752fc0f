import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Table from 'cli-table3';
import { builtInChecks } from '../../checks/index.js';
import { EXIT_CODES, type ExitCode } from '../findings/exit-code.js';
import { packageRoot } from '../package-root.js';
import { columnsOf, type Io } from './io.js';

/** Lists the checks with what each flags. */
export function checksCommand(io: Io): ExitCode {
  const longest = Math.max(...builtInChecks.map(({ id }) => id.length));
  const idWidth = longest + 2;
  const table = new Table({
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
    colWidths: [idWidth, Math.max(20, columnsOf(io) - idWidth)],
    wordWrap: true,
  });
  for (const { id, summary } of builtInChecks) table.push([id, summary]);
  io.stdout.write(`${table.toString().replace(/ +$/gm, '')}\n`);
  return EXIT_CODES.clean;
}

const NO_BORDERS = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'].map(
    (side) => [side, ''],
  ),
);

/** Prints the page of a check: what it flags, why it hurts, how to fix it, when not to heed it. */
export async function explainCommand(id: string, io: Io): Promise<ExitCode> {
  if (!builtInChecks.some((check) => check.id === id)) {
    const near = builtInChecks.filter((check) => check.id.includes(id) || id.includes(check.id)).map((check) => check.id);
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '`mongolint checks` lists them.';
    io.stderr.write(`There is no check "${id.replace(/[^\x20-\x7e]/g, '?')}": ${hint}\n`);
    return EXIT_CODES.fault;
  }
  io.stdout.write(await readFile(join(packageRoot(), 'checks', `${id}.md`), 'utf8'));
  return EXIT_CODES.clean;
}
