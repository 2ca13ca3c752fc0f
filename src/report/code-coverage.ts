import { z } from 'zod';
import { isListed } from '../code/place.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import { formatCount, plural } from '../format.js';
import { count } from './published-schema.js';

/** How much of the source is understood. */
export const codeSchema = z.strictObject({
  files: count().describe('Files of JavaScript and TypeScript that were read.'),
  unreadFiles: count().describe('Files that could not be read, or are too large.'),
  places: count().describe(
    'Calls of the application that send operations; tests, migrations, scripts and clients do not count.',
  ),
  withCollection: count().describe('Those of which the collection is known.'),
  complete: count().describe('Those of which all is known that they ask for.'),
});

type CodeCoverage = z.infer<typeof codeSchema>;

export function codeCoverage({ places, files, unread }: UnderstoodCode): CodeCoverage {
  const own = places.filter((place) => place.role === 'application' && isListed(place));
  return {
    files,
    unreadFiles: unread.length,
    places: own.length,
    withCollection: own.filter(({ collection }) => collection !== null).length,
    complete: own.filter(({ complete }) => complete).length,
  };
}

/** "643 places; 560 with their collection, 498 read completely; the rest not judged, because …" */
export function codeCoverageTexts(code: CodeCoverage | undefined): string[] {
  if (code === undefined) return [];
  const { places, withCollection, complete, files, unreadFiles } = code;
  const because = [
    ...(withCollection < places ? [`the collection of ${formatCount(places - withCollection)}`] : []),
    ...(complete < withCollection ? [`a part of what ${formatCount(withCollection - complete)} ask for`] : []),
  ];
  const rest =
    because.length === 0 ? '' : `; the rest not judged, because ${because.join(' and ')} is known only when it runs`;
  const unread = unreadFiles === 0 ? '' : `, ${formatCount(unreadFiles)} not`;
  return [
    `${plural(places, 'place')}; ${formatCount(withCollection)} with their collection, ${formatCount(complete)} read completely${rest}`,
    `${plural(files, 'file')} read${unread}`,
  ];
}
