import { prosePartsOf } from '../prose.js';
import { html, type Html } from './html-text.js';

/** A text for people, with what stands between backticks as code. */
export function proseHtml(text: string): Html[] {
  return prosePartsOf(text).map((part) => (part.code ? html`<code>${part.text}</code>` : html`${part.text}`));
}

/** Where a finding is: the collection, and the path in it. */
export function placeHtml({ namespace, path }: { readonly namespace: string; readonly path: string | null }): Html {
  return path === null
    ? html`<code>${namespace}</code>`
    : html`<code>${namespace}</code> <span class="soft">at</span> <code>${path}</code>`;
}
