import { formatCount, plural } from '../../format.js';
import type { ReportedArrayGrowth } from '../array-growth.js';
import { COMPACT, html, type Html, rounded } from './prose-html.js';

// All in the units of the drawing, which is shown at about its natural size on a phone too.
const WIDTH = 380;
const HEIGHT = 170;
const TOP = 12;
const BOTTOM = 24;
const LEFT = 42;
const RIGHT = 6;
const LABEL_GAP = 6;
const LINE_HEIGHT = 12;

/** Elements at which forecasts of arrays are made: the first calls for an info, the second for a warning. */
const MARKS = [
  { elements: 200, severity: 'info' },
  { elements: 1_000, severity: 'warning' },
] as const;

/** The line of the largest may leave the picture above this many elements, so that the marks do not shrink to the bottom. */
const LEAST_TOP_ELEMENTS = 2_000;

/** Nor does it leave the picture below this many times the highest of everything else in it. */
const LARGEST_PER_WHOLE = 2;
const HEADROOM = 0.08;

/** Two years: the rate is ever less likely to stay the same. */
const LONGEST_HORIZON_DAYS = 730;

/** From so many days, fractions of a day are noise. */
const WHOLE_DAYS = 10;

const LONGEST_WRITTEN_OUT = 9_999;
/** How an array grows from today on: a typical one with its range, and the largest. */
export function growthPlot(growth: ReportedArrayGrowth): Html {
  const { typicalLength, largestLength, elementsPerDay, largestElementsPerDay, elementsPerDayRange } = growth;
  const days = horizonDays(growth);
  const [low, typical, high] = [elementsPerDayRange[0], elementsPerDay, elementsPerDayRange[1]].map(
    (rate) => typicalLength + rate * days,
  ) as [number, number, number];
  const largest = largestLength + largestElementsPerDay * days;
  const whole = Math.max(1, high, largestLength);
  const highest = Math.max(whole, Math.min(largest, Math.max(LEAST_TOP_ELEMENTS, LARGEST_PER_WHOLE * whole)));
  const top = (1 + HEADROOM) * highest;
  const largestDays = largest > top ? (top - largestLength) / largestElementsPerDay : days;
  const x = (day: number) => rounded(LEFT + (day / days) * (WIDTH - LEFT - RIGHT));
  const y = (elements: number) => rounded(HEIGHT - BOTTOM - (elements / top) * (HEIGHT - TOP - BOTTOM));
  const marks = MARKS.filter(({ elements }) => elements <= top);
  return html`<figure class="plot growth">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">
<title>Length of the array from today on, at the rates measured</title>
<desc>In a typical document ${plural(Math.round(typicalLength), 'element')} now and ${formatCount(Math.round(typical))} (${formatCount(Math.round(low))} to ${formatCount(Math.round(high))}) in ${daysText(days)}. In the largest ${formatCount(Math.round(largestLength))} now and ${formatCount(Math.round(largest))} then.</desc>
<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>
<polygon class="range" points="${x(0)},${y(typicalLength)} ${x(days)},${y(high)} ${x(days)},${y(low)}"/>
${marks.map(({ elements, severity }) => html`<line class="mark ${severity}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(elements)}" y2="${y(elements)}"/>`)}
<line class="largest" x1="${x(0)}" y1="${y(largestLength)}" x2="${x(largestDays)}" y2="${y(largestLength + largestElementsPerDay * largestDays)}"/>
<line class="typical" x1="${x(0)}" y1="${y(typicalLength)}" x2="${x(days)}" y2="${y(typical)}"/>
<circle class="largest" cx="${x(0)}" cy="${y(largestLength)}" r="3"/><circle class="typical" cx="${x(0)}" cy="${y(typicalLength)}" r="3"/>
${lengthLabels([...marks.map(({ elements }) => elements).toReversed(), highest].map((elements) => ({ elements, y: y(elements) })))}
<text x="${LEFT}" y="${HEIGHT - 8}" aria-hidden="true">today</text><text x="${WIDTH - RIGHT}" y="${HEIGHT - 8}" text-anchor="end" aria-hidden="true">in ${daysText(days)}</text>
</svg>
<figcaption>Lengths, in elements: ${swatch('typical')} typical, ${formatCount(Math.round(typicalLength))} now; ${swatch('largest')} largest, ${formatCount(Math.round(largestLength))} now</figcaption>
</figure>`;
}

/** Until the last limit that is passed within the horizon; without a forecast, as far ahead as was measured. */
function horizonDays({ forecastDays, windowDays }: ReportedArrayGrowth): number {
  const latest = Object.values(forecastDays)
    .flatMap(({ typical, largest }) => [typical?.[1] ?? 0, largest?.[1] ?? 0])
    .filter((days) => days > 0);
  const inTime = latest.filter((days) => days <= LONGEST_HORIZON_DAYS);
  if (inTime.length > 0) return Math.max(...inTime);
  return latest.length > 0 ? LONGEST_HORIZON_DAYS : Math.min(windowDays, LONGEST_HORIZON_DAYS);
}

/** Labels at the left edge that have room, the first ones first of all. */
function lengthLabels(labels: readonly { readonly elements: number; readonly y: number }[]): Html[] {
  const placed: number[] = [];
  return labels.flatMap(({ elements, y }) => {
    if (placed.some((other) => Math.abs(other - y) < LINE_HEIGHT)) return [];
    placed.push(y);
    return [
      html`<text x="${LEFT - LABEL_GAP}" y="${y}" text-anchor="end" dominant-baseline="middle" aria-hidden="true">${compactCount(elements)}</text>`,
    ];
  });
}

/** A piece of a line, as the legend of a plot shows it. @param line its class */
export function swatch(line: string): Html {
  return html`<svg class="key" viewBox="0 0 20 8" aria-hidden="true"><line class="${line}" x1="0" x2="20" y1="4" y2="4"/></svg>`;
}

function daysText(days: number): string {
  return plural(days < WHOLE_DAYS ? Math.round(days * 10) / 10 : Math.round(days), 'day');
}

function compactCount(elements: number): string {
  return elements > LONGEST_WRITTEN_OUT ? COMPACT.format(elements) : formatCount(Math.round(elements));
}
