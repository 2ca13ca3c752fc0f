import type { Drift } from '../drift/drift-schema.js';
import { driftGroups, loneCollections, notComparedGroups } from './drift-text.js';
import type { MarkdownSection } from './markdown-section.js';
import { markdownCode, markdownText } from './markdown-text.js';
import { formatCount } from '../format.js';

const SHOWN_NAMES = 10;

/** What differs between two runs, as a list for each namespace. */
export function driftSection(drift: Drift, share: number): MarkdownSection {
  const lone = loneCollections(drift).map(
    ({ heading, namespaces }) => `- **${markdownText(heading)}:** ${names(namespaces)}\n`,
  );
  const groups = driftGroups(drift).map(({ namespace, messages }) => {
    const items = messages.map((message) => `  - ${markdownText(message)}\n`);
    return `- ${namespace === null ? '**Servers**' : markdownCode(namespace)}\n${items.join('')}`;
  });
  return { pieces: [...lone, ...groups], share, wrap: (text) => `#### Drift\n\n${text}\n` };
}

/** What one of the runs does not know. */
export function notComparedSection(drift: Drift, share: number): MarkdownSection {
  const pieces = notComparedGroups(drift).map(({ heading, places, detail }) => {
    const of = places.length === 0 ? '' : ` ${names(places)}:`;
    return `- **${markdownText(heading)}:**${of} ${markdownText(detail)}\n`;
  });
  return { pieces, share, wrap: (text) => `${text}\n` };
}

function names(list: readonly string[]): string {
  const rest = list.length - SHOWN_NAMES;
  const shown = list.slice(0, SHOWN_NAMES).map(markdownCode).join(', ');
  return rest > 0 ? `${shown} and ${formatCount(rest)} more` : shown;
}
