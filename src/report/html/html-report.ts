import { compareTexts } from '../../compare-texts.js';
import type { Finding } from '../../finding.js';
import { worstFirst } from '../../findings/finding-order.js';
import { formatCount, formatDuration } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import { CONFIDENCES, SEVERITIES } from '../../severity.js';
import { moreAlike, shownFindings } from '../alike-findings.js';
import { clusterTexts, engineTexts } from '../coverage.js';
import { statusOf } from '../finding-status.js';
import { printableReport } from '../printable-report.js';
import type { RenderOptions } from '../report-options.js';
import type { Report } from '../report.js';
import { findingCard, type LinkedFinding, linkedFindings, NO_OWNER } from './finding-card.js';
import { furtherSections } from './further-sections.js';
import { htmlPage } from './html-page.js';
import { overviewSection } from './overview-section.js';
import { html, type Html, type PageSection, sectionHtml } from './prose-html.js';

/** The report as one HTML page, without any other file or the network. Without its script, it only lacks filter, buttons and themes. */
export function renderHtml(
  report: Report,
  { codeUrl, before }: Pick<RenderOptions, 'codeUrl' | 'before'> = {},
): string {
  const safe = printableReport(report);
  const findings = linkedFindings(worstFirst(safe.findings));
  const shown = findings.filter(({ finding }) => finding.suppressed === undefined);
  const suppressed = findings.filter(({ finding }) => finding.suppressed !== undefined);
  const sections = [findingsSection(shown, codeUrl), ...furtherSections(safe, suppressed, codeUrl)];
  return htmlPage({
    title: titleOf(safe),
    brand: safe.tool.name,
    facts: factsOf(safe),
    body: html`${overviewSection(safe, shown, before && printableReport(before))}
${navigation(sections)}
${sections.map(({ id, heading, body }) => sectionHtml(id, heading, body))}`,
    footer: html`Written by ${safe.tool.name} ${safe.tool.version}. Figures are measured on samples unless they say otherwise.`,
  });
}

function nameOf({ target, cluster }: Report): string {
  return target ?? cluster.name ?? cluster.topology;
}

function titleOf(report: Report): string {
  const { error, warning, info } = report.summary.findings;
  return `${nameOf(report)}: ${formatCount(error + warning + info)} findings – ${report.tool.name}`;
}

function factsOf({ target, cluster, startedAt, finishedAt }: Report): (string | Html)[] {
  const texts = [...(target === undefined ? [] : [target]), ...clusterTexts(cluster), ...engineTexts(cluster)];
  const when = html`<time datetime="${startedAt}">${startedAt.slice(0, 16).replace('T', ' ')} UTC</time>`;
  return [...texts, when, formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))];
}

function findingsSection(findings: readonly LinkedFinding[], codeUrl: string | undefined): PageSection {
  const ids = new Map(findings.map(({ id, finding }) => [finding, id]));
  const card = (finding: Finding) => findingCard({ id: ids.get(finding) ?? '', finding }, codeUrl);
  const cards = shownFindings(findings.map(({ finding }) => finding)).map(({ finding, alike }) => {
    const first = card(finding);
    if (alike.length === 0) return first;
    return html`${first}<details class="alike"><summary>${moreAlike(alike)}: ${finding.title}</summary>
${alike.map((other) => card(other))}</details>
`;
  });
  const body =
    findings.length === 0
      ? html`<p class="card">None.</p>`
      : html`${filterForm(findings.map(({ finding }) => finding))}
<div id="cards">${cards}</div>
<p class="card" id="nothing" hidden>No finding matches the filter.</p>`;
  return { id: 'findings', heading: 'Findings', count: findings.length, body };
}

function navigation(sections: readonly PageSection[]): Html {
  const links = sections.map(
    ({ id, heading, count }) =>
      html`<li><a href="#${id}">${heading.split(/[:,]/)[0] ?? heading}</a>${count === null ? null : html` <span class="soft">${formatCount(count)}</span>`}</li>`,
  );
  return html`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}

function filterForm(findings: readonly Finding[]): Html {
  const hasOwners = findings.some(({ owner }) => owner !== undefined);
  return html`<form class="filter" role="search" aria-label="Filter the findings" hidden>
<div class="field search"><label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" placeholder="Press / to search"></div>
${checkboxes('Severity', 'severity', SEVERITIES, findings, ({ severity }) => severity)}
${checkboxes('Confidence', 'confidence', CONFIDENCES, findings, ({ confidence }) => confidence)}
${checkboxes('Baseline', 'status', ['new', 'known'], findings, statusOf)}
${select('Check', 'check', findings, ({ check }) => check)}
${select('Collection', 'namespace', findings, ({ namespace }) => namespace)}${hasOwners ? ownerSelect(findings) : null}
<div class="actions"><p id="shown" role="status"></p><button type="reset">Clear</button><button type="button" id="fold">Open all</button></div>
</form>`;
}

/** Null if no finding has any of the values. */
function checkboxes(
  legend: string,
  name: string,
  values: readonly string[],
  findings: readonly Finding[],
  of: (finding: Finding) => string,
): Html | null {
  const counts = groupedBy(findings, of);
  const boxes = values.flatMap((value) => {
    const count = counts.get(value)?.length ?? 0;
    if (count === 0) return [];
    return html`<label class="chip ${value}"><input type="checkbox" name="${name}" value="${value}"> ${value} <span class="soft">${formatCount(count)}</span></label>`;
  });
  return boxes.length === 0 ? null : html`<fieldset class="field"><legend>${legend}</legend>${boxes}</fieldset>`;
}

function select(label: string, name: string, findings: readonly Finding[], of: (finding: Finding) => string): Html {
  const options = [...groupedBy(findings, of)]
    .toSorted(([one], [other]) => compareTexts(one, other))
    .map(([value, { length }]) => html`<option value="${value}">${value} (${formatCount(length)})</option>`);
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">All</option>${options}</select></div>`;
}

function ownerSelect(findings: readonly Finding[]): Html {
  return html`
${select('Owner', 'owner', findings, ({ owner }) => owner ?? NO_OWNER)}`;
}
