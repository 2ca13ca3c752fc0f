import { SEVERITIES } from '../../finding/severity.js';
import { formatCount, formatShare, plural, formatBytes } from '../../format.js';
import { examinedBy } from '../../workload/operations/waste.js';
import { STATE_NAMES, stateCounts } from '../collection-state.js';
import { conclusionSentences, severityCounts } from '../conclusion.js';
import { DO_FIRST, doFirst } from '../do-first.js';
import { baselineText } from '../finding-status.js';
import { PLAIN } from '../paint.js';
import type { Report } from '../report.js';
import { findingsOfShape, reasonText, shapeFigures, topShapesHeading, type ReportedShape } from '../top-shapes-text.js';
import { collectionMap } from './collection-map.js';
import { blockHtml, type LinkedFinding } from './finding-card.js';
import { bar, html, type Html, proseHtml, severityTiles, stateBar } from './prose-html.js';

/** Rows of operations, and of collections; those that changed most. */
const MOST_ROWS = 6;

/** One thing that both reports have a figure of. */
interface Pair {
  readonly label: Html;
  readonly before: number;
  readonly after: number;
}

/** Rows of the costliest operations that need no folding. */
const OPEN_SHAPES = 5;
const MOST_APPLICATIONS = 6;

export function overviewSection(report: Report, findings: readonly LinkedFinding[], before: Report | undefined): Html {
  const [headline = '', ...sentences] = conclusionSentences(report, PLAIN);
  const baseline = baselineText(report);
  const cautions = [sentences.join(' '), ...(report.notices ?? []).map(({ text }) => text)].filter(
    (text) => text !== '',
  );
  return html`<section aria-labelledby="headline">
<h1 id="headline">${headline}</h1>
${baseline === null ? null : html`<p>${baseline}</p>`}
${cautions.length === 0 ? null : html`<div class="caution">${cautions.map((text) => html`<p>${text}</p>`)}</div>`}
${before === undefined ? null : beforeAfterCard(before, report)}${topShapesCard(report, findings)}
${doFirstCard(report, findings)}<div class="glance">
<div class="card"><h2>Findings</h2>${severityTiles(severityCounts(report).main, report.summary.suppressed)}</div>
<div class="card"><h2>Collections</h2>${collectionsBar(report)}</div>
${collectionMap(report)}
${applicationsCard(report)}
</div>
</section>`;
}

/** A row for each of the costliest operations, with bars for its shares; the page's script sorts them. */
function topShapesCard(report: Report, linked: readonly LinkedFinding[]): Html | null {
  const { topShapes = [], findings } = report;
  if (topShapes.length === 0) return null;
  const ids = new Map(linked.map(({ id, finding }) => [finding.fingerprint, id]));
  const rows = topShapes.map((shape) => {
    const found = findingsOfShape(shape, findings).map(
      ({ severity, check, fingerprint }) =>
        html`<li><a href="#${ids.get(fingerprint) ?? ''}">${severity}: ${check}</a></li>`,
    );
    const applications = [...new Set((shape.ranBy ?? []).flatMap(({ appName }) => appName ?? []))];
    return html`<tr data-application="${applications.join('\n')}"><td data-value="${shape.msShare ?? 0}">${shareBar(shape.msShare)}</td><td data-value="${shape.examinedShare ?? 0}">${shareBar(shape.examinedShare)}</td><th scope="row"><code>${shape.namespace}</code> ${proseHtml(shape.shape)}<p class="soft">${shapeFigures(shape).join('; ')}</p></th><td>${found.length === 0 ? html`<span class="soft">${reasonText(shape)}</span>` : html`<ul class="names">${found}</ul>`}</td></tr>`;
  });
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Table of the costliest operations"><table class="sortable">
<thead><tr><th scope="col" aria-sort="none">Time</th><th scope="col" aria-sort="none">Examined</th><th scope="col">Operation</th><th scope="col">Findings</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  if (rows.length <= OPEN_SHAPES) return costliestCard(report, table);
  const first = topShapes
    .slice(0, OPEN_SHAPES)
    .map(
      ({ namespace, shape, msShare, examinedShare }) =>
        html`<li><p><span class="share">${shareBar(msShare)} of time</span> <span class="share">${shareBar(examinedShare)} examined</span></p><p><code>${namespace}</code> ${proseHtml(shape)}</p></li>`,
    );
  const all = html`<details><summary>${plural(rows.length, 'operation')} with figures and findings</summary>${table}</details>`;
  return costliestCard(report, html`<ol class="shapes">${first}</ol>${all}`);
}

function costliestCard(report: Report, body: Html): Html {
  return html`<div class="card" id="costliest"><h2>${topShapesHeading(report)}</h2>
${body}</div>
`;
}

/** Time and documents by the application that runs the operations; null unless several are known. */
function applicationsCard({ topShapes = [] }: Report): Html | null {
  const shares = new Map<string, { time: number; examined: number }>();
  for (const { ranBy = [], msShare, examinedShare } of topShapes)
    for (const { appName, share } of ranBy) {
      const name = appName ?? 'no appName';
      const { time, examined } = shares.get(name) ?? { time: 0, examined: 0 };
      shares.set(name, { time: time + share * (msShare ?? 0), examined: examined + share * (examinedShare ?? 0) });
    }
  if (shares.size < 2) return null;
  const rows = [...shares]
    .toSorted(([, one], [, other]) => other.time - one.time || other.examined - one.examined)
    .slice(0, MOST_APPLICATIONS)
    .map(
      ([name, { time, examined }]) =>
        html`<tr><th scope="row">${name}</th><td>${shareBar(time)}</td><td>${shareBar(examined)}</td></tr>`,
    );
  return html`<div class="card"><h2>By application, of the operations below</h2>
<table><thead><tr><th scope="col">Application</th><th scope="col">Time</th><th scope="col">Examined</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function shareBar(share: number | null): Html {
  if (share === null) return html`<span class="soft">unknown</span>`;
  return html`${bar(share)} ${formatShare(share)}`;
}

/** What to do first: what it is and costs, what the remedy saves, and its first step. */
function doFirstCard({ findings }: Report, linked: readonly LinkedFinding[]): Html | null {
  const ids = new Map(linked.map(({ id, finding }) => [finding.fingerprint, id]));
  const items = doFirst(findings).map(({ finding, title, costs, asides, saves, commands, step }) => {
    const facts = [...(saves === null ? [] : [saves]), ...costs, ...asides].join(' · ');
    const blocks = commands.map((block) => blockHtml(block));
    return html`<li><a href="#${ids.get(finding.fingerprint) ?? ''}">${proseHtml(title)}</a><p class="soft">${finding.severity} ${finding.check} · ${proseHtml(facts)}</p>${step === null ? null : html`<p>${proseHtml(step)}</p>`}${blocks}</li>`;
  });
  if (items.length === 0) return null;
  return html`<div class="card"><h2>${DO_FIRST}</h2><ol class="first">${items}</ol></div>
`;
}

function collectionsBar(report: Report): Html {
  const states = stateCounts(report).map(({ state, count }) => {
    return { state, count, text: `${formatCount(count)} ${STATE_NAMES[state]}` };
  });
  return states.length === 0 ? html`<p class="soft">There are none.</p>` : stateBar(states);
}

/**
 * Two reports side by side: findings by severity, what an execution of the same operation examines, sizes of the same
 * collection. What only one of them has is a finding's or the drift's, and is no pair.
 */
function beforeAfterCard(before: Report, after: Report): Html {
  const [older, newer] = [severityCounts(before).main, severityCounts(after).main];
  const findings = SEVERITIES.map((severity): Pair => ({
    label: html`${severity}`,
    before: older[severity],
    after: newer[severity],
  }));
  const parts = [
    rowsHtml('Findings', findings, formatCount),
    rowsHtml('Documents and keys examined per execution', changed(shapePairs(before, after)), formatCount),
    rowsHtml('Data and indexes', changed(sizePairs(before, after)), formatBytes),
  ];
  return html`<div class="card before-after"><h2>Before and after: ${startOf(before)} and ${startOf(after)} UTC</h2>
${parts}</div>
`;
}

function startOf({ startedAt }: Report): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}

function shapePairs({ topShapes: older = [] }: Report, { topShapes: newer = [] }: Report): Pair[] {
  const known = new Map(older.map((shape) => [keyOf(shape), examinedBy(shape)]));
  return newer.flatMap((shape) => {
    const [before, after] = [known.get(keyOf(shape)) ?? null, examinedBy(shape)];
    if (before === null || after === null) return [];
    return [{ label: html`<code>${shape.namespace}</code> ${proseHtml(shape.shape)}`, before, after }];
  });
}

function keyOf({ namespace, kind, shape }: ReportedShape): string {
  return JSON.stringify([namespace, kind, shape]);
}

function sizePairs({ collections: older }: Report, { collections: newer }: Report): Pair[] {
  const known = new Map(older.map((collection) => [collection.namespace, bytesOf(collection)]));
  return newer.flatMap((collection) => {
    const [before, after] = [known.get(collection.namespace) ?? null, bytesOf(collection)];
    return before === null || after === null
      ? []
      : [{ label: html`<code>${collection.namespace}</code>`, before, after }];
  });
}

/** Null if either is unknown. */
function bytesOf({ size, indexBytes }: Report['collections'][number]): number | null {
  return size === null || indexBytes === undefined ? null : size + indexBytes;
}

function changed(pairs: readonly Pair[]): Pair[] {
  const by = ({ before, after }: Pair) => Math.abs(after - before);
  return pairs.filter((pair) => by(pair) > 0).toSorted((one, other) => by(other) - by(one));
}

function rowsHtml(heading: string, pairs: readonly Pair[], format: (figure: number) => string): Html | null {
  if (pairs.length === 0) return null;
  const largest = Math.max(1, ...pairs.flatMap(({ before, after }) => [before, after]));
  const rows = pairs
    .slice(0, MOST_ROWS)
    .map(
      ({ label, before, after }) =>
        html`<tr><th scope="row">${label}</th><td class="number">${bar(before / largest)} ${format(before)}</td><td class="number">${bar(after / largest)} ${format(after)}</td></tr>`,
    );
  const more = pairs.length - rows.length;
  const last = html`<tr><td class="soft" colspan="3">and ${plural(more, 'smaller change')}</td></tr>`;
  return html`<table><thead><tr><th scope="col">${heading}</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th></tr></thead>
<tbody>${rows}${more === 0 ? null : last}</tbody></table>
`;
}
