import type { Threshold, Thresholds } from '../check.js';
import { type ConfigSource, foundConfig } from '../config/find-config.js';
import { type CheckSettings, settingsOf } from '../findings/check-settings.js';
import { formatBytes, formatCount } from '../format.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { checkPage } from '../report/check-page.js';
import { indented, isNarrow, wrappedNarrow } from '../report/narrow-text.js';
import { HIDDEN, isLikeUri } from '../text/hidden-uris.js';
import { didYouMean } from '../text/spelling.js';
import { terminalText } from '../text/terminal-text.js';
import { catalogue, type CheckEntry } from './check-catalogue.js';
import { columnsOf, type Io } from './io.js';

const MOST_COLUMNS = 96;

const LEAST_SUMMARY = 18;

/** Fewer digits are taken for the name of a check. */
export const LIKE_FINGERPRINT = /^[0-9a-f]{4,}$/;

/** The beginning of a fingerprint, too short to name one. */
const BEGINNING = /^(?=.*\d)[0-9a-f]{1,3}$/;

/** A shorter word is on every page. */
const LEAST_WORD = 4;
/** What a word in a summary counts for, compared with one on the page. */
const SUMMARY_WEIGHT = 3;
const MOST_SUGGESTED = 3;

const LIST_MARK = '- ';

const ITEM = /^(- |\d+\. )([^]*)$/;

/** They hold what `npm run docs` writes. */
const MARKS = /^<!-- thresholds:(?:start|end) -->\n/gm;

/** Lists the checks, including those of plugins, with what each flags; as JSON with their thresholds and settings, too. */
export async function checksCommand(source: ConfigSource, asJson: boolean, io: Io): Promise<ExitCode> {
  const { checks, settings } = await knownChecks(source);
  if (asJson) {
    const all = checks.map((check) => described(check, settings));
    io.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
    return EXIT_CODES.clean;
  }
  const idWidth = Math.max(...checks.map(({ id }) => id.length)) + 2;
  const width = Math.max(LEAST_SUMMARY, columnsOf(io) - idWidth - 2);
  const summaries = checks.map((check) => terminalText(summaryOf(check)));
  const wrapped = await wrapping(summaries.join(''));
  const lines = checks.flatMap(({ id }, index) => {
    const [first = '', ...rest] = wrapped(summaries[index] ?? '', width);
    return [id.padEnd(idWidth) + first, ...indented(rest, idWidth)];
  });
  io.stdout.write(`${lines.join('\n')}\n`);
  return EXIT_CODES.clean;
}

type Wrapping = typeof wrappedNarrow;

/** Breaks lines of a text. What also does it with wide characters is loaded only if there are some. */
async function wrapping(text: string): Promise<Wrapping> {
  return isNarrow(text.replaceAll('\n', '')) ? wrappedNarrow : (await import('../report/text-layout.js')).wrapped;
}

/** The checks that there are, and what is set for them. The code of checks is loaded only with a configuration or a plugin. */
async function knownChecks(
  source: ConfigSource,
): Promise<{ readonly checks: readonly CheckEntry[]; readonly settings: CheckSettings }> {
  const file = await foundConfig(source);
  if (file === null && source.plugins.length === 0) return { checks: catalogue, settings: {} };
  const { loadConfig } = await import('../config/load-config.js');
  return loadConfig(source, file);
}

/** What a check is about, in a line, whether it runs only if it is asked for, and whether it counts yet. */
export function summaryOf({ summary, optional, preview }: CheckEntry): string {
  return `${summary}${optional === true ? ' (optional)' : ''}${preview === true ? ' (preview)' : ''}`;
}

/** A check for programs. `severity` is "by-finding" unless one is set for all that it finds. */
function described(check: CheckEntry, settings: CheckSettings) {
  const { id, title, summary, docs = null } = check;
  const { off, severity = 'by-finding', thresholds } = settingsOf(check, null, settings);
  const limits = Object.entries(check.thresholds as Thresholds).map(([name, threshold]) => {
    return [name, { ...threshold, value: thresholds[name] }] as const;
  });
  return { id, title, summary, docs, severity: off ? 'off' : severity, thresholds: Object.fromEntries(limits) };
}

/** Prints the page of a check: what it flags, why it hurts, how to fix it, when to ignore it. @throws LintError without one */
export async function explainCommand(id: string, source: ConfigSource, io: Io): Promise<ExitCode> {
  const { checks } = await knownChecks(source);
  const check = checks.find((candidate) => candidate.id === id);
  if (check === undefined) {
    const name = (isLikeUri(id) ? HIDDEN : id).replace(/[^\x20-\x7e]/g, '?');
    throw new LintError(`There is no check "${name}"${hintFor(id, checks)}`);
  }
  const page = pageOf(check);
  io.stdout.write(pageText(page, columnsOf(io), await wrapping(page)));
  return EXIT_CODES.clean;
}

/** The page of a check, in Markdown. */
export function pageOf(check: CheckEntry): string {
  return checkPage(check.id)?.markdown ?? pluginPage(check);
}

function hintFor(id: string, checks: readonly CheckEntry[]): string {
  const ids = checks.map((candidate) => candidate.id);
  if (BEGINNING.test(id)) return ': give at least four digits of a fingerprint; reports print seven.';
  const containing = ids.filter((known) => known.includes(id) || id.includes(known));
  if (containing.length > 0) return suggestion(containing);
  return didYouMean(id, ids) || suggestion(mentioning(id, checks));
}

function suggestion(ids: readonly string[]): string {
  return ids.length === 0 ? ': `mongolint checks` lists them.' : `: did you mean ${ids.join(' or ')}?`;
}

/** The few checks whose pages use a word, such as COLLSCAN, most often: the first uses it most. */
function mentioning(word: string, checks: readonly CheckEntry[]): string[] {
  if (word.length < LEAST_WORD) return [];
  const wanted = word.toLowerCase();
  const usesIn = (text: string) => text.toLowerCase().split(wanted).length - 1;
  const uses = checks.map((check) => ({
    id: check.id,
    count: SUMMARY_WEIGHT * usesIn(check.summary) + usesIn(pageOf(check)),
  }));
  return uses
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST_SUGGESTED)
    .map(({ id }) => id);
}

/** The page of a plugin's check, made of its metadata. */
function pluginPage({ id, title, summary, docs, thresholds }: CheckEntry): string {
  const limits = thresholdLines(thresholds);
  const lines = [
    `# ${title}`,
    '',
    `\`${id}\`: ${summary}.`,
    ...(limits.length === 0 ? [] : ['', '## Thresholds', '', ...limits]),
    ...(docs === undefined ? [] : ['', `More: ${docs}`]),
  ];
  return `${lines.map(terminalText).join('\n')}\n`;
}

/** The Markdown page of a check for a terminal: paragraphs and lists wrapped to its columns. Code and tables stay as they are. */
export function pageText(markdown: string, columns: number, wrapped: Wrapping = wrappedNarrow): string {
  const width = Math.min(columns, MOST_COLUMNS);
  const parts = markdown.replace(MARKS, '').split(/^(```[^]*?^```)$/m);
  return parts.map((part, index) => (index % 2 === 1 ? part : proseText(part, width, wrapped))).join('');
}

/** The thresholds of a check as a list, with the published source of each that has one: the others are our judgement. */
export function thresholdLines(thresholds: CheckEntry['thresholds']): string[] {
  return Object.entries(thresholds as Readonly<Record<string, Threshold>>).map(([name, threshold]) => {
    const { description, source } = threshold;
    const origin = source.startsWith('judgement') ? '' : ` (${source})`;
    return `${LIST_MARK}\`${name}\`, ${defaultText(threshold)}: ${description}${origin}.`;
  });
}

/** "67,108,864 bytes (64 MB)", "0.99 (share)" or "20 values"; without the unit if the description begins with it. */
function defaultText({ default: value, unit, description }: Threshold): string {
  const isNamed = description.startsWith(`${unit} `);
  if (unit === 'share' || unit === 'ratio') return isNamed ? String(value) : `${value} (${unit})`;
  const counted = isNamed ? formatCount(value) : `${formatCount(value)} ${unit}`;
  return unit === 'bytes' ? `${counted} (${formatBytes(value)})` : counted;
}

function proseText(text: string, width: number, wrapped: Wrapping): string {
  return text
    .split('\n\n')
    .map((block) => blockText(block, width, wrapped))
    .join('\n\n');
}

function blockText(block: string, width: number, wrapped: Wrapping): string {
  if (/^\n*[|#]/.test(block)) return block;
  const [, before = '', body = '', after = ''] = /^(\n*)([^]*?)(\n*)$/.exec(block) ?? [];
  const items = body.split(/\n(?=- |\d+\. )/);
  return `${before}${items.flatMap((item) => itemLines(item, width, wrapped)).join('\n')}${after}`;
}

function itemLines(item: string, width: number, wrapped: Wrapping): string[] {
  const [, mark, text] = ITEM.exec(item) ?? [];
  if (mark === undefined || text === undefined) return wrapped(item.replaceAll('\n', ' '), width);
  const [first = '', ...rest] = wrapped(text.replace(/\n */g, ' '), width - mark.length);
  return [`${mark}${first}`, ...indented(rest, mark.length)];
}
