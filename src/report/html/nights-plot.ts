import { SEVERITIES } from '../../finding/severity.js';
import { formatBytes, formatCount, plural } from '../../format.js';
import type { Night } from '../../growth/night.js';
import { swatch } from './growth-plot.js';
import { html, type Html, rounded } from './prose-html.js';
import type { PageSection } from './section-html.js';

// In the units of the drawing.
const WIDTH = 380;
const HEIGHT = 150;
const TOP = 12;
const BOTTOM = 24;
const LEFT = 56;
const RIGHT = 10;
const LABEL_GAP = 6;
const HEADROOM = 1.08;

interface Line {
  readonly name: string;
  /** Class that gives it its color. */
  readonly kind: string;
  /** One for each night; null if there was none. */
  readonly values: readonly (number | null)[];
}

/** How findings, sizes and arrays that grow went over the nights; without earlier ones, nothing. */
export function nightsSection(nights: readonly Night[]): PageSection {
  const shown = nights.length < 2 ? [] : nights;
  const last = shown.at(-1);
  const plots =
    last === undefined
      ? []
      : [
          plot('Findings', shown, formatCount, findingLines(shown)),
          plot('Size of the documents', shown, formatBytes, [
            { name: 'documents', kind: 'typical', values: shown.map(({ bytes }) => bytes) },
          ]),
          ...last.arrays.map(({ namespace, path }) =>
            plot(`Longest ${path} of ${namespace}, in elements`, shown, formatCount, [
              { name: 'longest', kind: 'typical', values: shown.map((night) => largestOf(night, namespace, path)) },
            ]),
          ),
        ];
  return { id: 'nights', heading: 'Trend', count: shown.length, body: html`<div class="card nights">${plots}</div>` };
}

function findingLines(nights: readonly Night[]): Line[] {
  return SEVERITIES.map((severity) => ({
    name: severity,
    kind: severity,
    values: nights.map(({ findings }) => findings[severity]),
  }));
}

function largestOf({ arrays }: Night, namespace: string, path: string): number | null {
  return arrays.find((one) => one.namespace === namespace && one.path === path)?.largest ?? null;
}

function plot(title: string, nights: readonly Night[], text: (value: number) => string, lines: readonly Line[]): Html {
  const times = nights.map(({ at }) => Date.parse(at));
  const [from, to] = [times[0] as number, times.at(-1) as number];
  const highest = Math.max(1, ...lines.flatMap(({ values }) => values.flatMap((value) => value ?? [])));
  const x = (time: number) => rounded(LEFT + ((time - from) / Math.max(1, to - from)) * (WIDTH - LEFT - RIGHT));
  const y = (value: number) => rounded(HEIGHT - BOTTOM - (value / (HEADROOM * highest)) * (HEIGHT - TOP - BOTTOM));
  const drawn = lines.map(({ kind, values }) => {
    const points = values.flatMap((value, index) =>
      value === null ? [] : [[x(times[index] as number), y(value)] as const],
    );
    return html`<polyline class="${kind}" points="${points.map((point) => point.join(',')).join(' ')}"/>${points.map(([cx, cy]) => html`<circle class="${kind}" cx="${cx}" cy="${cy}" r="2"/>`)}`;
  });
  const course = lines.map(({ name, values }) => `${name} ${courseText(values, text)}`).join('; ');
  const label = (value: number) =>
    html`<text x="${LEFT - LABEL_GAP}" y="${y(value)}" text-anchor="end" dominant-baseline="middle" aria-hidden="true">${text(value)}</text>`;
  return html`<figure class="plot night">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">
<title>${title} over ${plural(nights.length, 'run')}</title>
<desc>${course}</desc>
<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>
${drawn}
${label(highest)}${label(0)}
<text x="${LEFT}" y="${HEIGHT - 8}" aria-hidden="true">${dayOf(from)}</text><text x="${WIDTH - RIGHT}" y="${HEIGHT - 8}" text-anchor="end" aria-hidden="true">${dayOf(to)}</text>
</svg>
<figcaption>${title}: ${lines.map(({ name, kind, values }, index) => html`${index === 0 ? '' : ', '}${lines.length === 1 ? '' : html`${swatch(kind)} ${name} `}${courseText(values, text)}`)}</figcaption>
</figure>`;
}

/** "120 → 340". */
function courseText(values: readonly (number | null)[], text: (value: number) => string): string {
  const seen = values.filter((value) => value !== null);
  const [first, last] = [seen[0] ?? 0, seen.at(-1) ?? 0];
  return first === last ? text(last) : `${text(first)} → ${text(last)}`;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
