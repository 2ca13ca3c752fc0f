import { SEVERITIES, type Severity } from '../../finding/severity.js';
import { formatCount } from '../../format.js';
import { MISSING_INDEX, type Place } from '../finding-view.js';
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

const SEVERITY_NAMES: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Info' };

export function severityBadge(severity: Severity): Html {
  return html`<span class="badge ${severity}">${SEVERITY_NAMES[severity]}</span>`;
}

/** A share from 0 to 1 as a bar; the figure stands beside it. Nothing is an empty one. */
export function bar(share: number): Html {
  const width = share === 0 ? 0 : Math.max(1, Math.round(WIDTH * share));
  return html`<svg class="bar" width="${WIDTH}" height="8" aria-hidden="true"><rect class="track" width="${WIDTH}" height="8" rx="2"/><rect width="${width}" height="8" rx="2"/></svg>`;
}

/** Findings by severity; suppressed ones have a tile of their own if there are any. */
export function severityTiles(counts: Readonly<Record<Severity, number>>, suppressed = 0): Html {
  const tile = (count: number, label: string, kind: string) =>
    html`<li class="${kind}"><strong>${formatCount(count)}</strong> ${label}</li>`;
  const tiles = SEVERITIES.map((severity) => {
    const count = counts[severity];
    return tile(count, severity === 'info' || count === 1 ? severity : `${severity}s`, count === 0 ? 'none' : severity);
  });
  return html`<ul class="tiles">${tiles}${suppressed === 0 ? null : tile(suppressed, 'suppressed', 'none')}</ul>`;
}

/** Things of several states, as long as there are many of each, and a legend. */
export function stateBar(
  states: readonly { readonly state: string; readonly count: number; readonly text: string }[],
): Html {
  const all = states.reduce((sum, { count }) => sum + count, 0);
  const percent = (count: number) => `${Math.round((10_000 * count) / all) / 100}%`;
  let before = 0;
  const parts = states.map(({ state, count }) => {
    const part = html`<rect class="${state}" x="${percent(before)}" width="${percent(count)}" height="100%"/>`;
    before += count;
    return part;
  });
  const legend = states.map(
    ({ state, text }) => html`<li><span class="swatch ${state}" aria-hidden="true"></span>${text}</li>`,
  );
  return html`<svg class="states" width="100%" height="14" aria-hidden="true">${parts}</svg><ul class="legend">${legend}</ul>`;
}

/** For numbers that have no room in a drawing. */
export const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A coordinate of a drawing. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
