import { z } from 'zod';
import { isListed } from '../code/place.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import { formatCount, plural } from '../format.js';
import { callCounts, callsSchema, causeText, countsText } from './call-counts.js';
import { count } from './published-schema.js';

/** How much of the source is understood. */
export const codeSchema = z.strictObject({
  files: count().describe('Files of JavaScript and TypeScript that were read.'),
  unreadFiles: count().describe('Files that could not be read, or are too large.'),
  unread: z
    .array(
      z.strictObject({
        file: z.string().describe('The file.'),
        why: z.string().describe('Why it was not read, in half a sentence.'),
      }),
    )
    .optional()
    .describe('The first ten of these, and why; absent if there are none.'),
  places: count().describe(
    'Calls of the application that send operations; tests, migrations, scripts and clients do not count.',
  ),
  withCollection: count().describe('Those of which the collection is known.'),
  complete: count().describe('Those of which all is known that they ask for.'),
  calls: callsSchema.optional().describe('How far they are understood. Absent in reports of older versions.'),
  generatedFiles: count()
    .optional()
    .describe('Minified and generated files, which are left out; absent if there are none.'),
  callersNotFollowed: count()
    .optional()
    .describe('Callers of functions that have more than are followed; absent if there are none.'),
});

type CodeCoverage = z.infer<typeof codeSchema>;

/** Files that are named. */
const MOST_NAMED = 10;

/** How many of these a line names. */
const MOST_IN_LINE = 3;

export function codeCoverage({ places, files, unread, generated }: UnderstoodCode): CodeCoverage {
  const more = places.reduce((sum, { moreCallers = 0 }) => sum + moreCallers, 0);
  const own = places.filter((place) => place.role === 'application' && isListed(place));
  return {
    files,
    unreadFiles: unread.length,
    ...(unread.length > 0 && { unread: unread.slice(0, MOST_NAMED) }),
    places: own.length,
    withCollection: own.filter(({ collection }) => collection !== null).length,
    complete: own.filter(({ complete }) => complete).length,
    calls: callCounts(places),
    ...(generated > 0 && { generatedFiles: generated }),
    ...(more > 0 && { callersNotFollowed: more }),
  };
}

/** "643 places; 560 with their collection, 498 read completely; the rest not judged, because …" */
export function codeCoverageTexts(code: CodeCoverage | undefined): string[] {
  if (code === undefined) return [];
  const { places, withCollection, complete, files, unreadFiles, unread = [], callersNotFollowed = 0 } = code;
  const { calls, generatedFiles = 0 } = code;
  const because = [
    ...(withCollection < places ? [`the collection of ${formatCount(places - withCollection)}`] : []),
    ...(complete < withCollection ? [`a part of what ${formatCount(withCollection - complete)} ask for`] : []),
  ];
  const rest =
    because.length === 0 ? '' : `; the rest not judged, because ${because.join(' and ')} is known only when it runs`;
  const named = unread.slice(0, MOST_IN_LINE).map(({ file, why }) => `${file} (${why})`);
  const all = [...named, ...(named.length > 0 && unreadFiles > named.length ? ['…'] : [])];
  const notRead =
    unreadFiles === 0 ? '' : `, ${formatCount(unreadFiles)} not${named.length === 0 ? '' : `: ${all.join(', ')}`}`;
  return [
    `${plural(places, 'place')}; ${formatCount(withCollection)} with their collection, ${formatCount(complete)} read completely${rest}`,
    `${plural(files, 'file')} read${notRead}`,
    ...(calls === undefined ? [] : [countsText(calls), ...calls.causes.slice(0, MOST_IN_LINE).map(causeText)]),
    ...(generatedFiles === 0 ? [] : [`${plural(generatedFiles, 'minified or generated file')} left out`]),
    ...(callersNotFollowed === 0 ? [] : [`${plural(callersNotFollowed, 'caller')} more than are followed`]),
  ];
}
