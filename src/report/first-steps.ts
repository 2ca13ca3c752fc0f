import type { Finding } from '../finding.js';
import type { ShownFinding } from './alike-findings.js';
import type { Paint } from './paint.js';
import { type CodeBlock, shownSteps } from './remedy-steps.js';
import { labelled, wrapped } from './text-layout.js';

/** What a person looks into in a day. */
const FIRST = 5;
const GAP = 2;

/**
 * What to do about the first findings: the commands that anybody may run, or else the first sentence of the first step. The
 * rest is in the page of each finding.
 */
export function firstStepLines(
  shown: readonly ShownFinding[],
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
): string[] {
  const shownBefore = new Set<string>();
  return shown.slice(0, FIRST).flatMap(({ finding }) => {
    const id = short(finding);
    const column = width - id.length - GAP;
    const steps = shownSteps(finding.remedy);
    const commands = steps.flatMap(({ blocks }) => blocks.filter(({ isCommand }) => isCommand));
    const lines =
      commands.length > 0
        ? commands.flatMap((block) => commandLines(block, column).map((line) => paint('command', line)))
        : wrapped(firstSentence(steps[0]?.text ?? ''), column);
    // What one step puts right is said once.
    const text = lines.join('\n');
    if (shownBefore.has(text)) return [];
    shownBefore.add(text);
    return labelled(paint('aside', id), id.length + GAP, lines);
  });
}

/** In few lines; where a string holds a space, only between the members of brackets. */
function commandLines(block: CodeBlock, width: number): string[] {
  const [whole = ''] = block.lines(Number.POSITIVE_INFINITY);
  const isBreakable = !/"[^"]* [^"]*"/.test(whole.replaceAll(/"[^" ]*"/g, ''));
  return isBreakable ? wrapped(whole, width) : block.lines(width);
}

/** A point within a name or a figure ends no sentence. */
function firstSentence(text: string): string {
  return /^.+?\.(?=\s+[A-Z`{])/s.exec(text)?.[0] ?? text;
}
