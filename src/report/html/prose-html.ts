import { MISSING_INDEX, type Place } from '../finding-text.js';
import { prosePartsOf } from '../text-layout.js';

const WIDTH = 72;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function proseHtml(text: string): Html[] {
  return prosePartsOf(text).map((part) => (part.code ? html`<code>${part.text}</code>` : html`${part.text}`));
}

export function placeHtml({ namespace, path, pathIs }: Place): Html {
  return path === null
    ? html`<code>${namespace}</code>`
    : html`<code>${namespace}</code> <span class="soft">${pathIs === undefined ? 'at' : MISSING_INDEX}</span> <code>${path}</code>`;
}

/** A section of the page, with what its link in the navigation says. */
export interface PageSection {
  readonly id: string;
  readonly heading: string;
  /** How many things are in it; null if they are not counted. */
  readonly count: number | null;
  readonly body: Html;
}

/** A text for the inside of an element or of a quoted attribute. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => REFERENCES[character] as string);
}

/** HTML that is safe: made by {@link html}, or written in mongolint's own source. */
export class Html {
  constructor(readonly source: string) {}
}

type Content = Html | string | number | null | readonly Content[];

/** Escapes every text that is put in, except {@link Html}. Null is nothing. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(
    strings
      .map((string, index) => string + (index < contents.length ? sourceOf(contents[index] as Content) : ''))
      .join(''),
  );
}

function sourceOf(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.source;
  return Array.isArray(content) ? content.map(sourceOf).join('') : htmlText(String(content));
}

/** A share from 0 to 1 as a bar; the figure stands beside it. Nothing is an empty one. */
export function bar(share: number): Html {
  const width = share === 0 ? 0 : Math.max(1, Math.round(WIDTH * share));
  return html`<svg class="bar" width="${WIDTH}" height="8" aria-hidden="true"><rect class="track" width="${WIDTH}" height="8" rx="2"/><rect width="${width}" height="8" rx="2"/></svg>`;
}
