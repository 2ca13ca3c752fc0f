import { html, type Html } from './prose-html.js';

const WIDTH = 72;

/** A share from 0 to 1 as a bar; the figure stands beside it. Nothing is an empty one. */
export function bar(share: number): Html {
  const width = share === 0 ? 0 : Math.max(1, Math.round(WIDTH * share));
  return html`<svg class="bar" width="${WIDTH}" height="8" aria-hidden="true"><rect class="track" width="${WIDTH}" height="8" rx="2"/><rect width="${width}" height="8" rx="2"/></svg>`;
}
