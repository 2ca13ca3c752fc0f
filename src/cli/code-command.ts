import { resolve } from 'node:path';
import { isListed, type CodeFilter, type CodeShape, type Place } from '../code/place.js';
import { lineText } from '../code/source-line.js';
import { beginReading } from '../code/source-process.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import { formatCount, plural } from '../format.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { callCounts, causeText, countsText } from '../report/call-counts.js';
import { terminalText } from '../text/terminal-text.js';
import { MS_PER_MINUTE } from '../time-units.js';
import { renderListing } from './code-listing.js';
import type { Io } from './io.js';

/** In ms. */
const LONGEST = 10 * MS_PER_MINUTE;

/** The most lines on what was not read or followed. */
const MOST_LINES = 50;

interface CodeOptions {
  /** Globs of files. */
  readonly exclude: readonly string[];
  readonly asJson: boolean;
}

/** Lists the operations that the source below a folder sends, with their lines, and what of them is not understood. */
export async function codeCommand(folder: string, { exclude, asJson }: CodeOptions, io: Io): Promise<ExitCode> {
  const selected = { dir: resolve(io.cwd(), folder), exclude };
  const reading = await beginReading([selected], AbortSignal.timeout(LONGEST));
  const code = await reading.code;
  io.stdout.write(asJson ? renderListing(code) : codeText(code));
  return EXIT_CODES.clean;
}

/** One line a place, by file, and then how much is understood. */
export function codeText(code: UnderstoodCode): string {
  const own = code.places.filter(isListed);
  const places = own.map((place) => terminalText(placeText(place)));
  const left = code.places.flatMap((place) =>
    place.moreCallers === undefined
      ? []
      : [`${lineText(place)} has ${plural(place.moreCallers, 'more caller')}, which were not followed.`],
  );
  const unread = code.unread.map(({ file, why }) => `${file} was not read: ${why}.`);
  const lines = [...places, ...firstOf(left), ...firstOf(unread), ...summary(code)];
  return `${lines.join('\n')}\n`;
}

function firstOf(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES).map(terminalText),
    ...(more > 0 ? [`and ${formatCount(more)} more like it.`] : []),
  ];
}

function placeText(place: Place): string {
  return `${lineText(place)} ${callText(place)}`;
}

/** A call as it is understood: "orders.find: by status, createdAt?, sorted by createdAt". */
export function callText(place: Place): string {
  const { collection, oneOf, method, shapes, because, role, through } = place;
  const ways = [...new Set((shapes ?? []).map(shapeText))].filter((text) => text !== '');
  const details = [
    ...ways.slice(0, 2),
    ...(ways.length > 2 ? [`${ways.length - 2} other ways`] : []),
    ...(because === 'collection' ? ['collection unknown'] : because === 'arguments' ? ['not all of it known'] : []),
    ...(through === undefined ? [] : [`through ${lineText(through)}`]),
    ...(role === 'application' ? [] : [role]),
  ];
  return `${collection ?? oneOf?.join('|') ?? '?'}.${method}${details.length === 0 ? '' : `: ${details.join('; ')}`}`;
}

function shapeText({ filter, sort, stages, update, more, limited }: CodeShape): string {
  const parts = [
    ...(filter === undefined ? [] : filterText(filter)),
    ...(stages === undefined
      ? []
      : [stages.map(({ name, join }) => (join === undefined ? name : `${name} ${join.from ?? '?'}`)).join(', ')]),
    ...(update === undefined
      ? []
      : [update === 'replacement' ? 'a replacement' : Object.keys(update.shape).join(', ')]),
    ...(more === true ? ['…'] : []),
    ...(sort === null || sort === undefined ? [] : [`sorted by ${Object.keys(sort).join(', ')}`]),
    ...(limited === true ? ['limited'] : []),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function filterText({ shape, closed, sometimes }: CodeFilter): string[] {
  const paths = Object.keys(shape).map((path) => (sometimes.has(path) ? `${path}?` : path));
  const all = [...paths, ...(closed ? [] : ['…'])];
  return all.length === 0 ? [] : [`by ${all.join(', ')}`];
}

function summary({ places, files, unread, generated }: UnderstoodCode): string[] {
  const counts = callCounts(places);
  const others = places.filter((place) => isListed(place) && place.role !== 'application').length;
  return [
    ...counts.causes.map((cause) => terminalText(`Collection unknown: ${causeText(cause)}.`)),
    `${plural(files, 'file')} read${unread.length === 0 ? '' : `, ${formatCount(unread.length)} not`}` +
      `${generated === 0 ? '' : `, ${plural(generated, 'minified or generated one')} left out`}. ` +
      `${countsText(counts)}.` +
      (others === 0 ? '' : ` ${plural(others, 'place')} more in tests, migrations, scripts and clients.`),
  ];
}
