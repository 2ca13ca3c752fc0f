import { formatBytes, plural } from '../../format.js';
import { type CollectionState, collectionStates, STATE_NAMES } from '../collection-state.js';
import type { Report } from '../report.js';
import { html, type Html, rounded } from './prose-html.js';

const WIDTH = 760;
const HEIGHT = 240;
/** Collections that are drawn each by itself; a map of more is no picture any more. Judgement. */
const MOST = 60;
/** A name with less room than this is left to the tooltip, in units of the drawing. */
const CHARACTER = 7;
const LEAST_LABEL = { width: 60, height: 22 } as const;

interface Tile {
  readonly name: string;
  readonly state: CollectionState;
  readonly data: number;
  readonly indexes: number;
}

interface Placed extends Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The collections as areas: as large as their data and indexes, in the colour of the worst finding. Null if no size is known. */
export function collectionMap(report: Report): Html | null {
  const all = collectionStates(report)
    .map(({ collection: { namespace, size, indexBytes }, state }) => ({
      name: namespace,
      state,
      data: size ?? 0,
      indexes: indexBytes ?? 0,
    }))
    .filter((tile) => bytesOf(tile) > 0)
    .toSorted((one, other) => bytesOf(other) - bytesOf(one));
  if (all.length < 2) return null;
  const shown = all.slice(0, MOST);
  const tiles = placed(shown, { x: 0, y: 0, width: WIDTH, height: HEIGHT });
  const more = all.length - shown.length;
  const total = all.reduce((sum, tile) => sum + bytesOf(tile), 0);
  return html`<div class="card wide"><h2>Collections by the size of their data and indexes: ${formatBytes(total)}</h2>
<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${shown.slice(0, 5).map(tileText).join('; ')}">${tiles.map(tileHtml)}</svg>
<p class="soft">The largest: ${shown.slice(0, 5).map((tile, index) => html`${index === 0 ? null : ', '}<code>${tile.name}</code> ${formatBytes(bytesOf(tile))}`)}.${more === 0 ? null : html` ${plural(more, 'smaller one')} not drawn.`}</p></div>`;
}

function bytesOf({ data, indexes }: Tile): number {
  return data + indexes;
}

function tileText({ name, state, data, indexes }: Tile): string {
  return `${name}: ${formatBytes(data)} of data, ${formatBytes(indexes)} of indexes, ${STATE_NAMES[state]}`;
}

function tileHtml(tile: Placed): Html {
  const { x, y, width, height, name, state } = tile;
  const [, ...rest] = name.split('.');
  const label = rest.join('.');
  const fits = width >= LEAST_LABEL.width && height >= LEAST_LABEL.height && label.length * CHARACTER < width - 8;
  const text = fits ? html`<text x="${rounded(x + 6)}" y="${rounded(y + 16)}">${label}</text>` : null;
  return html`<g><title>${tileText(tile)}</title><rect class="${state}" x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}"/>${text}</g>`;
}

type Area = Pick<Placed, 'x' | 'y' | 'width' | 'height'>;

/** Halves of about the same size again and again, across the longer side: few thin strips, and the largest at the top left. */
function placed(tiles: readonly Tile[], area: Area): Placed[] {
  const [first] = tiles;
  if (first === undefined) return [];
  if (tiles.length === 1) return [{ ...first, ...area }];
  const total = tiles.reduce((sum, tile) => sum + bytesOf(tile), 0);
  let count = 1;
  let taken = bytesOf(first);
  while (count < tiles.length - 1 && taken < total / 2) {
    taken += bytesOf(tiles[count] as Tile);
    count += 1;
  }
  const share = taken / total;
  const [head, tail] = [tiles.slice(0, count), tiles.slice(count)];
  const { x, y, width, height } = area;
  if (width >= height) {
    const left = width * share;
    return [...placed(head, { ...area, width: left }), ...placed(tail, { ...area, x: x + left, width: width - left })];
  }
  const top = height * share;
  return [...placed(head, { ...area, height: top }), ...placed(tail, { ...area, y: y + top, height: height - top })];
}
