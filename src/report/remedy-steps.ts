import type { RemedyStep, ReportedRemedy } from '../finding.js';
import { brokenCode } from './broken-code.js';
import { mongoshStatement } from './remedy-commands.js';
import { terminalJavaScript } from '../terminal-text.js';

/** Lines that are run or copied as they stand. */
export interface CodeBlock {
  /** True for a command of the remedy; false for what lists or verifies, and for code of the application. */
  readonly isCommand: boolean;
  /** True for a statement of mongosh. */
  readonly isMongosh: boolean;
  /** Of at most `width` columns, if names and strings allow it. */
  lines(width: number): string[];
}

/** A step as every format shows it. */
export interface ShownStep {
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
}

export function shownSteps({ steps }: ReportedRemedy): ShownStep[] {
  const shown: ShownStep[] = [];
  for (const step of steps) {
    const before = shown.at(-1);
    // Without a text, it is another command of the step before.
    if (step.text === '' && before !== undefined)
      shown[shown.length - 1] = { ...before, blocks: [...before.blocks, ...blocksOf(step)] };
    else shown.push({ text: step.text, blocks: blocksOf(step) });
  }
  return shown;
}

/** "1. " before the first of several steps; a single step has no number. */
export function stepNumber(index: number, steps: readonly unknown[]): string {
  return steps.length > 1 ? `${index + 1}. ` : '';
}

/** What two remedies have in common that say the same of two collections. */
export function adviceOf({ steps }: ReportedRemedy): string {
  return steps.map(({ text }) => text).join('\n');
}

function blocksOf({ command, code }: RemedyStep): CodeBlock[] {
  return [
    ...(command === undefined
      ? []
      : [{ isCommand: true, isMongosh: true, lines: (width: number) => mongoshStatement(command, width) }]),
    ...(code === undefined ? [] : [codeBlock(code)]),
  ];
}

function codeBlock(code: string): CodeBlock {
  const lines = code.split('\n').map(terminalJavaScript);
  return { isCommand: false, isMongosh: /^db\b/.test(code), lines: (width) => brokenCode(lines, width) };
}
