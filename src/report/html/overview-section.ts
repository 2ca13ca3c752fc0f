import { SEVERITIES, type Severity } from '../../severity.js';
import { formatBytes, formatCount, formatShare, plural } from '../../format.js';
import { STATE_NAMES, stateCounts } from '../collection-state.js';
import { conclusionSentences } from '../conclusion.js';
import { baselineText } from '../finding-status.js';
import { PLAIN } from '../finding-text.js';
import { fixFirst, fixFirstHeadline } from '../fix-first.js';
import type { Report } from '../report.js';
import { fineChecks } from '../scorecard.js';
import { findingsOfShape, reasonText, shapeFigures, topShapesHeading } from '../top-shapes-text.js';
import type { LinkedFinding } from './finding-card.js';
import { html, type Html } from './prose-html.js';
import { placeHtml, proseHtml } from './prose-html.js';

/** Collections with the worst findings that are listed. */
const HOTSPOTS = 8;
/** Findings of one collection that are named before the rest is only counted. */
const MARKS = 5;

const SEVERITY_NOUNS: Readonly<Record<Severity, readonly [string, string]>> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['info', 'info'],
};

export function overviewSection(report: Report, findings: readonly LinkedFinding[]): Html {
  const [headline = '', ...sentences] = conclusionSentences(report, PLAIN);
  const baseline = baselineText(report);
  const cautions = [sentences.join(' '), ...(report.notices ?? []).map(({ text }) => text)].filter(
    (text) => text !== '',
  );
  return html`<section aria-labelledby="headline">
<h1 id="headline">${headline}</h1>
${baseline === null ? null : html`<p>${baseline}</p>`}
${cautions.length === 0 ? null : html`<div class="caution">${cautions.map((text) => html`<p>${text}</p>`)}</div>`}
${topShapesCard(report, findings)}${fixFirstCard(report, findings)}<div class="glance">
<div class="card"><h2>Findings</h2>${tiles(report)}</div>
<div class="card"><h2>Collections</h2>${stateBar(report)}</div>
${fineCard(report)}
${hotspots(report, findings)}
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
  return html`<div class="card" id="costliest"><h2>${topShapesHeading(report)}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of the costliest operations"><table class="sortable">
<thead><tr><th scope="col" aria-sort="none">Time</th><th scope="col" aria-sort="none">Examined</th><th scope="col">Operation</th><th scope="col">Findings</th></tr></thead>
<tbody>${rows}</tbody></table></div></div>
`;
}

function shareBar(share: number | null): Html {
  if (share === null) return html`<span class="soft">unknown</span>`;
  return html`<svg class="bar" width="72" height="8" aria-hidden="true"><rect width="${Math.max(1, Math.round(72 * share))}" height="8" rx="2"/></svg> ${formatShare(share)}`;
}

function fixFirstCard({ findings }: Report, linked: readonly LinkedFinding[]): Html | null {
  const first = fixFirst(findings);
  if (first === null) return null;
  const ids = new Map(linked.map(({ id, finding }) => [finding.fingerprint, id]));
  const items = first.findings.map(
    ({ finding, share }) =>
      html`<li>${formatShare(share)}: <a href="#${ids.get(finding.fingerprint) ?? ''}">${finding.title}</a> ${placeHtml(finding)}</li>`,
  );
  return html`<div class="card"><h2>${fixFirstHeadline(first)}</h2><ol>${items}</ol></div>
`;
}

function tiles({ summary }: Report): Html {
  const severities = SEVERITIES.map((severity) => {
    const count = summary.findings[severity];
    return tile(count, SEVERITY_NOUNS[severity][count === 1 ? 0 : 1], count === 0 ? 'none' : severity);
  });
  return html`<ul class="tiles">${severities}${summary.suppressed === 0 ? null : tile(summary.suppressed, 'suppressed', 'none')}</ul>`;
}

function tile(count: number, label: string, kind: string): Html {
  return html`<li class="${kind}"><strong>${formatCount(count)}</strong> ${label}</li>`;
}

function stateBar(report: Report): Html {
  const present = stateCounts(report);
  let x = 0;
  const parts = present.map(({ state, count }) => {
    const width = (100 * count) / report.collections.length;
    const part = html`<rect class="${state}" x="${percent(x)}" width="${percent(width)}" height="100%"/>`;
    x += width;
    return part;
  });
  const legend = present.map(
    ({ state, count }) =>
      html`<li><span class="swatch ${state}" aria-hidden="true"></span>${formatCount(count)} ${STATE_NAMES[state]}</li>`,
  );
  return present.length === 0
    ? html`<p class="soft">There are none.</p>`
    : html`<svg class="states" width="100%" height="14" aria-hidden="true">${parts}</svg><ul class="legend">${legend}</ul>`;
}

/** What is fine: a report that only complains is not read. */
function fineCard(report: Report): Html | null {
  const { inFull, inPart } = fineChecks(report);
  if (inFull.length + inPart.length === 0) return null;
  return html`<div class="card wide"><h2>Checks that found nothing</h2>
${checkList(inFull, 'judged everything')}
${checkList(inPart, 'could not judge everything')}
</div>`;
}

function checkList(checks: readonly string[], what: string): Html | null {
  return checks.length === 0
    ? null
    : html`<p>${plural(checks.length, 'check')} ${what}: <span class="soft">${checks.join(', ')}</span></p>`;
}

function percent(share: number): string {
  return `${Math.round(share * 100) / 100}%`;
}

function hotspots({ collections }: Report, findings: readonly LinkedFinding[]): Html | null {
  if (findings.length === 0) return null;
  const groups = new Map<string, LinkedFinding[]>();
  for (const linked of findings)
    groups.set(linked.finding.namespace, [...(groups.get(linked.finding.namespace) ?? []), linked]);
  const size = new Map(collections.map((collection) => [collection.namespace, collection]));
  const rows = [...groups].slice(0, HOTSPOTS).map(([namespace, group]) => {
    const { documents = null, size: bytes = null } = size.get(namespace) ?? {};
    const facts = [
      documents === null ? null : plural(documents, 'document'),
      bytes === null ? null : formatBytes(bytes),
    ].filter((fact) => fact !== null);
    return html`<li><code>${namespace}</code> <span class="soft">${facts.join(', ')}</span><span class="marks">${group.slice(0, MARKS).map(mark)}${group.length > MARKS ? html`<span class="soft">+${group.length - MARKS}</span>` : null}</span></li>`;
  });
  const more =
    groups.size > HOTSPOTS
      ? html`<p class="soft">and ${plural(groups.size - HOTSPOTS, 'more collection')}, below</p>`
      : null;
  return html`<div class="card wide"><h2>Collections with the worst findings</h2><ol class="hotspots">${rows}</ol>${more}</div>`;
}

function mark({ id, finding: { severity, title, path } }: LinkedFinding): Html {
  return html`<a class="badge ${severity}" href="#${id}"><span class="unseen">${severity}: </span>${title}${path === null ? null : html`<span class="unseen"> at ${path}</span>`}</a>`;
}
