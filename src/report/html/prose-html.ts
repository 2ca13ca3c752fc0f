import { MISSING_INDEX, type Place } from '../finding-text.js';
import { prosePartsOf } from '../prose.js';
import { html, type Html } from './html-text.js';

export function proseHtml(text: string): Html[] {
  return prosePartsOf(text).map((part) => (part.code ? html`<code>${part.text}</code>` : html`${part.text}`));
}

export function placeHtml({ namespace, path, pathIs }: Place): Html {
  return path === null
    ? html`<code>${namespace}</code>`
    : html`<code>${namespace}</code> <span class="soft">${pathIs === undefined ? 'at' : MISSING_INDEX}</span> <code>${path}</code>`;
}
