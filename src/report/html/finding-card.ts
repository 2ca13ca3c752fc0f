import { lineText } from '../../code/source-line.js';
import type { Finding, Severity } from '../../finding.js';
import { separated } from '../../findings/further-reasons.js';
import { formatCount, plural } from '../../format.js';
import { arrayGrowthOf, type ReportedArrayGrowth } from '../array-growth.js';
import { figuresOf } from '../evidence-figures.js';
import { lineUrl, locationTexts } from '../finding-location.js';
import { statusOf, statusText } from '../finding-status.js';
import { COMMAND_WIDTH, furtherReasonTexts, impactTexts, ownerText } from '../finding-text.js';
import { type CodeBlock, shownSteps } from '../remedy-steps.js';
import { distributionPlot } from './distribution-plot.js';
import { COMPACT, html, type Html, placeHtml, proseHtml, rounded } from './prose-html.js';

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
const SEVERITY_NAMES: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Info' };

/** How the filter calls findings that nobody answers for. */
export const NO_OWNER = 'no owner';

export interface LinkedFinding {
  readonly id: string;
  readonly finding: Finding;
}

/** Each with its fingerprint as id; the second of two with the same gets a number. */
export function linkedFindings(findings: readonly Finding[]): LinkedFinding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const times = (seen.get(finding.fingerprint) ?? 0) + 1;
    seen.set(finding.fingerprint, times);
    return { id: times === 1 ? finding.fingerprint : `${finding.fingerprint}-${times}`, finding };
  });
}

export function severityBadge(severity: Severity): Html {
  return html`<span class="badge ${severity}">${SEVERITY_NAMES[severity]}</span>`;
}

/**
 * A finding in full; evidence and remedy are folded away.
 *
 * @param codeUrl the address of a line of the source, with `{file}` and `{line}`
 */
export function findingCard({ id, finding }: LinkedFinding, codeUrl: string | undefined): Html {
  const { check, severity, confidence, namespace, title, message } = finding;
  const status = statusText(finding);
  const owner = ownerText(finding);
  return html`<article class="finding ${severity}" id="${id}" tabindex="-1" aria-labelledby="${id}-title" data-severity="${severity}" data-confidence="${confidence}" data-check="${check}" data-namespace="${namespace}" data-status="${statusOf(finding)}"${finding.owner === undefined ? null : html` data-owner="${finding.owner ?? NO_OWNER}"`}>
<header>${severityBadge(severity)}${newBadge(finding)}<h3 id="${id}-title">${title}</h3><a class="permalink" href="#${id}" aria-label="Link to this finding: ${title} in ${namespace}">#</a></header>
<p class="place">${placeHtml(finding)}</p>
<p class="message">${proseHtml(message)}</p>${furtherReasonTexts(finding).map(
    ({ label, text }) => html`
<p class="message">${label}: ${proseHtml(text)}</p>`,
  )}
${sourceHtml(finding, codeUrl)}<p class="facts"><span>${confidence} confidence</span><span>${check}</span>${owner === null ? null : html`<span>${owner}</span>`}${status === null ? null : html`<span>${status}</span>`}</p>
<details><summary>Evidence and remedy</summary>
${evidenceHtml(finding)}
${remedyHtml(finding)}
</details>
</article>
`;
}

function sourceHtml(finding: Finding, codeUrl: string | undefined): Html | null {
  const texts = locationTexts(finding);
  if (texts.length === 0) return null;
  const links = (finding.locations ?? []).flatMap((location) => {
    const url = lineUrl(codeUrl, location);
    return url === null ? [] : [html` <a href="${url}">${lineText(location)}</a>`];
  });
  return html`<p class="source">Source: ${texts.join('; ')}${links}</p>
`;
}

function newBadge(finding: Finding): Html | null {
  if (statusOf(finding) !== 'new') return null;
  return html`<span class="badge new">${(finding.baseline?.severityBefore ?? null) === null ? 'New' : 'Worse'}</span>`;
}

function evidenceHtml(finding: Finding): Html {
  const { evidence } = finding;
  const figures = figuresOf(evidence).map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  const impact = impactTexts(finding);
  const plot = evidence.distribution === undefined ? null : distributionPlot(evidence.distribution);
  const growth = separated(finding).flatMap((one) => arrayGrowthOf(one.evidence) ?? [])[0];
  return html`<h4>Evidence</h4>
<p class="soft">${evidence.source}: ${evidence.window}</p>
<div class="evidence">${figures.length === 0 ? null : html`<dl class="figures">${figures}</dl>`}${plot}${growth === undefined ? null : growthPlot(growth)}</div>${
    impact.length === 0
      ? null
      : html`
<p>Impact: ${impact.join(' · ')}</p>`
  }`;
}

function remedyHtml({ remedy, check }: Finding): Html {
  const steps = shownSteps(remedy).map(
    ({ text, blocks }) => html`${text === '' ? null : html`<p>${proseHtml(text)}</p>`}${blocks.map(blockHtml)}`,
  );
  return html`<h4>Remedy</h4>
${steps.length === 1 ? steps : html`<ol class="steps">${steps.map((step) => html`<li>${step}</li>`)}</ol>`}
<p class="soft">More: <code>mongolint explain ${check}</code></p>`;
}

function blockHtml(block: CodeBlock): Html {
  const name = block.isMongosh ? 'mongosh' : 'code';
  return html`
<div class="command"><p class="soft">${name}<button type="button" class="copy" hidden>Copy</button></p><pre tabindex="0" aria-label="${block.isMongosh ? 'Statement for mongosh' : 'Code'}"><code>${block.lines(COMMAND_WIDTH).join('\n')}</code></pre></div>
`;
}

function growthPlot(growth: ReportedArrayGrowth): Html {
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

function swatch(line: 'typical' | 'largest'): Html {
  return html`<svg class="key" viewBox="0 0 20 8" aria-hidden="true"><line class="${line}" x1="0" x2="20" y1="4" y2="4"/></svg>`;
}

function daysText(days: number): string {
  return plural(days < WHOLE_DAYS ? Math.round(days * 10) / 10 : Math.round(days), 'day');
}

function compactCount(elements: number): string {
  return elements > LONGEST_WRITTEN_OUT ? COMPACT.format(elements) : formatCount(Math.round(elements));
}
