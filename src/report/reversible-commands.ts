import type { Finding, RemedyCommand } from '../finding.js';
import { worstFirst } from '../findings/finding-order.js';
import { terminalJavaScript } from '../text/terminal-text.js';
import { shortFingerprint } from './finding-list.js';
import { isActive } from './finding-status.js';
import { ownerText, placeOf } from './finding-view.js';
import { brokenCode } from './remedy-steps.js';
import type { Report } from './report.js';
import { wrapped } from './text-layout.js';

type Command = RemedyCommand['command'];

/** Columns of a comment, without its mark. */
const COMMENT_WIDTH = 97;

/** A command of a remedy that loses nothing, and what undoes it. */
export interface ReversibleCommand {
  readonly finding: Finding;
  /** What it does and what it costs. */
  readonly text: string;
  readonly run: RemedyCommand;
  readonly undo: RemedyCommand;
  /** How to see that it worked: the texts of the steps behind it, and their code. */
  readonly check: readonly { readonly text: string; readonly code?: string | undefined }[];
}

/** In this order: what a hidden index is replaced by is there before. */
const KINDS: readonly ((command: Command) => Command | null)[] = [
  undoOfCreation,
  (command) => undoOfVisibility(command, false),
  undoOfValidator,
  (command) => undoOfVisibility(command, true),
];

/**
 * The commands of the findings that count which anybody may run and take back: new indexes first, then indexes that are
 * unhidden, validators, and indexes that are hidden. What changes or deletes documents is never among them.
 */
export function reversibleCommands({ findings }: Report): ReversibleCommand[] {
  const seen = new Set<string>();
  const all = worstFirst(findings.filter(isActive)).flatMap((finding) => {
    const { steps } = finding.remedy;
    return steps.flatMap(({ text, command: run }, index) => {
      if (run === undefined || seen.has(JSON.stringify(run))) return [];
      const rank = KINDS.findIndex((undoOf) => undoOf(run.command) !== null);
      const undo = KINDS[rank]?.(run.command) ?? null;
      if (undo === null) return [];
      seen.add(JSON.stringify(run));
      const check = steps.slice(index + 1).filter((step) => step.command === undefined && step.text !== '');
      return [{ rank, command: { finding, text, run, undo: { db: run.db, command: undo }, check } }];
    });
  });
  return all.toSorted((one, other) => one.rank - other.rank).map(({ command }) => command);
}

/** Comments that list the findings that count and are not put right by these commands alone; none if there are none. */
export function otherFindingLines(report: Report, commands: readonly ReversibleCommand[]): string[] {
  const covered = new Set(commands.map(({ finding }) => finding));
  const short = shortFingerprint(report.findings);
  const others = worstFirst(report.findings.filter((finding) => isActive(finding) && !covered.has(finding)));
  if (others.length === 0) return [];
  return [
    'Not in it, since a person must decide or change code (mongolint explain FINGERPRINT):',
    ...others.map((one) => `${short(one)} ${one.severity} ${one.check}: ${ownedPlace(one)}`),
  ].flatMap(commentLines);
}

/** JavaScript comments, a line each: what the texts hold can't end them, since whatever breaks a line is escaped. */
export function commentLines(text: string): string[] {
  return wrapped(terminalJavaScript(text), COMMENT_WIDTH).map((line) => `// ${line}`.trimEnd());
}

/** Why, and what it does. */
export function reasonLines({ finding, text }: ReversibleCommand, title: string): string[] {
  const head = `${title}${finding.check}, ${finding.severity}, ${finding.confidence} confidence: ${ownedPlace(finding)}`;
  return [head, finding.message, text].flatMap(commentLines);
}

/** How to see that it worked. */
export function checkLines({ check }: ReversibleCommand): string[] {
  return check.flatMap(({ text, code }) => [
    ...commentLines(text),
    ...(code === undefined ? [] : brokenCode(code.split('\n').map(terminalJavaScript), COMMENT_WIDTH)).map((line) =>
      `//   ${line}`.trimEnd(),
    ),
  ]);
}

function ownedPlace(finding: Finding): string {
  return [placeOf(finding), ownerText(finding)].filter((text) => text !== null).join(', ');
}

function undoOfCreation(command: Command): Command | null {
  const { createIndexes: collection, indexes } = command;
  if (typeof collection !== 'string' || !Array.isArray(indexes)) return null;
  const names = indexes.flatMap((index) => {
    const { name, expireAfterSeconds } = index as { readonly name?: unknown; readonly expireAfterSeconds?: unknown };
    // A TTL index deletes documents, and no command brings them back.
    return typeof name === 'string' && expireAfterSeconds === undefined ? [name] : [];
  });
  const [first, ...others] = names;
  if (names.length < indexes.length || first === undefined) return null;
  return { dropIndexes: collection, index: others.length === 0 ? first : names };
}

function undoOfVisibility({ collMod, index, ...others }: Command, isHidden: boolean): Command | null {
  const { name, hidden, ...more } = (index ?? {}) as Record<string, unknown>;
  const isOther = Object.keys(more).length > 0 || Object.keys(others).length > 0 || hidden !== isHidden;
  if (typeof collMod !== 'string' || typeof name !== 'string' || isOther) return null;
  return { collMod, index: { name, hidden: !isHidden } };
}

/** They are only advised where there is none yet. The level and the action are those of a collection without any. */
function undoOfValidator({ collMod, validator, ...others }: Command): Command | null {
  const isOther = Object.keys(others).some((name) => name !== 'validationLevel' && name !== 'validationAction');
  if (typeof collMod !== 'string' || validator === undefined || isOther) return null;
  return { collMod, validator: {}, validationLevel: 'strict', validationAction: 'error' };
}
