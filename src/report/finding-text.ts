import type { Finding } from '../finding.js';
import { evidenceFigures } from './evidence-figures.js';
import { painter, type Paint } from './paint.js';
import { mongoshStatement } from './remedy-commands.js';

/** Longest line of a command before it is broken, where no terminal sets the width. Columns. */
export const COMMAND_WIDTH = 96;

/** For texts that are not coloured. */
export const PLAIN: Paint = painter(false);

/** Where a finding is: "shop.threads posts", or the namespace alone. */
export function placeOf({ namespace, path }: Pick<Finding, 'namespace' | 'path'>): string {
  return path === null ? namespace : `${namespace} ${path}`;
}

/** What is wrong and where, as a headline: "Unbounded array: shop.threads posts". */
export function headlineOf(finding: Pick<Finding, 'title' | 'namespace' | 'path'>): string {
  return `${finding.title}: ${placeOf(finding)}`;
}

/** The commands of the remedy as lines to paste into mongosh. */
export function commandLinesOf({ remedy }: Finding): string[] {
  return (remedy.commands ?? []).flatMap((command) => mongoshStatement(command, COMMAND_WIDTH));
}

/** The evidence of a finding as one line: source, window, figures. */
export function evidenceTextOf({ evidence }: Finding): string {
  const figures = evidenceFigures(evidence, PLAIN).join(', ');
  return `${evidence.source}, ${evidence.window}${figures === '' ? '' : `: ${figures}`}`;
}

/** What stands behind the message of a finding, as plain lines: evidence, remedy, commands, where to read more. */
export function detailLinesOf(finding: Finding): string[] {
  const commands = commandLinesOf(finding);
  return [
    `Evidence: ${evidenceTextOf(finding)}`,
    `Confidence: ${finding.confidence}`,
    `Remedy: ${finding.remedy.text}`,
    ...(commands.length === 0 ? [] : ['mongosh:', ...commands.map((line) => `  ${line}`)]),
    `More: mongolint explain ${finding.check}`,
  ];
}
