import type { FindingEvidence } from '../../finding.js';
import { formatBytes, formatCount, formatShare } from '../../format.js';
import { bucketText } from '../plain-table.js';
import { COMPACT, html, type Html, rounded } from './prose-html.js';

type Distribution = NonNullable<FindingEvidence['distribution']>;

// All in the units of the drawing, which is shown at about its natural size on a phone too.
const WIDTH = 380;
const HEIGHT = 150;
const TOP = 18;
const BOTTOM = 24;
const SIDE = 6;
const GAP = 2;
/** A column that counts something is never invisible. */
const LEAST_COLUMN = 2;
/** Width of a character of the labels, and the space between two of them. */
const CHARACTER = 6.2;
const LABEL_GAP = 8;

const CAPTIONS: Readonly<Record<Distribution['unit'], string>> = {
  elements: 'Lengths, in elements',
  bytes: 'Sizes',
  levels: 'Depths, in levels',
  fields: 'Numbers of fields',
};

/** Null if there are fewer than two columns. */
export function distributionPlot({ unit, buckets }: Distribution): Html | null {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const last = buckets.at(-1);
  if (total === 0 || last === undefined || buckets.length < 2) return null;
  const slot = (WIDTH - 2 * SIDE) / buckets.length;
  const largest = Math.max(...buckets.map(({ count }) => count));
  const tail = buckets.findLastIndex(({ count }) => count > 0);
  const columns = buckets.map((bucket, index) => {
    const height = columnHeight(bucket.count / largest);
    const [x, y] = [rounded(SIDE + index * slot + GAP / 2), rounded(HEIGHT - BOTTOM - height)];
    return html`<rect class="${index === tail ? 'column tail' : 'column'}" x="${x}" y="${y}" width="${rounded(slot - GAP)}" height="${rounded(height)}" rx="1"><title>${bucketText(bucket, unit, ' to ')}: ${formatCount(bucket.count)} (${formatShare(bucket.count / total)})</title></rect>`;
  });
  const counts = spaced(
    buckets.map(({ count }, index) => ({
      text: count === 0 ? '' : COMPACT.format(count),
      x: SIDE + (index + 0.5) * slot,
      y: HEIGHT - BOTTOM - columnHeight(count / largest) - 5,
    })),
  );
  const edges = spaced(
    [...buckets.map(({ from }) => from), last.to].map((value, index) => ({
      text: unit === 'bytes' ? formatBytes(value) : COMPACT.format(value),
      x: SIDE + index * slot,
      y: HEIGHT - 8,
    })),
  );
  return html`<figure class="plot">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${CAPTIONS[unit]}: ${buckets
    .filter(({ count }) => count > 0)
    .map((bucket) => `${bucketText(bucket, unit, ' to ')}: ${formatCount(bucket.count)}`)
    .join('; ')}">
<line class="axis" x1="${SIDE}" x2="${WIDTH - SIDE}" y1="${HEIGHT - BOTTOM + 0.5}" y2="${HEIGHT - BOTTOM + 0.5}"/>
${columns}${counts.map((label) => labelText(label, 'count'))}${edges.map((label) => labelText(label, 'edge'))}
</svg>
<figcaption>${CAPTIONS[unit]}</figcaption>
</figure>`;
}

interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

function columnHeight(share: number): number {
  return share === 0 ? 0 : Math.max(LEAST_COLUMN, share * (HEIGHT - TOP - BOTTOM));
}

/** The labels that have room, the last one first of all: the maximum is what matters. */
function spaced(labels: readonly Label[]): Label[] {
  const placed: Label[] = [];
  let free = WIDTH;
  for (const label of labels.filter(({ text }) => text !== '').toReversed()) {
    const half = (label.text.length * CHARACTER) / 2;
    const x = Math.min(Math.max(label.x, half), WIDTH - half);
    if (x + half > free) continue;
    placed.push({ ...label, x });
    free = x - half - LABEL_GAP;
  }
  return placed.toReversed();
}

function labelText({ text, x, y }: Label, kind: string): Html {
  return html`<text class="${kind}" x="${rounded(x)}" y="${rounded(y)}" text-anchor="middle" aria-hidden="true">${text}</text>`;
}
