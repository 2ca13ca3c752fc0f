import type { Drift } from '../../drift/drift-schema.js';
import { formatCount } from '../../format.js';
import { driftGroups, driftSentences, loneCollections, notComparedGroups } from '../drift-text.js';
import type { PageSection } from './prose-html.js';
import { html, type Html } from './prose-html.js';
import { proseHtml } from './prose-html.js';

/** Names that are shown before the rest is folded away. */
const SHOWN_NAMES = 40;

/** What differs between two runs that were compared. */
export function driftSection(drift: Drift, index: number): PageSection {
  const lone = loneCollections(drift).map(
    ({ heading, namespaces }) => html`<li><h3>${heading}</h3>${namesHtml(namespaces)}</li>`,
  );
  const groups = driftGroups(drift).map(
    ({ namespace, messages }) =>
      html`<li><h3>${namespace === null ? 'Servers' : html`<code>${namespace}</code>`}</h3><ul class="drift">${messages.map((message) => html`<li>${proseHtml(message)}</li>`)}</ul></li>`,
  );
  const unread = notComparedGroups(drift).map(
    ({ heading, places, detail }) =>
      html`<li><h3>${heading}</h3>${namesHtml(places)}<p class="soft">${places.length > 1 ? 'For example: ' : null}${proseHtml(detail)}</p></li>`,
  );
  const items = [...lone, ...groups, ...unread];
  return {
    id: index === 0 ? 'drift' : `drift-${index + 1}`,
    heading: 'Drift',
    count: null,
    body: html`<p>${driftSentences(drift).join(' ')}</p>${items.length === 0 ? null : html`<ul class="card skipped">${items}</ul>`}`,
  };
}

function namesHtml(names: readonly string[]): Html | null {
  if (names.length === 0) return null;
  const list = html`<ul class="names">${names.map((name) => html`<li><code>${name}</code></li>`)}</ul>`;
  return names.length <= SHOWN_NAMES
    ? list
    : html`<details><summary>${formatCount(names.length)} names</summary>${list}</details>`;
}
