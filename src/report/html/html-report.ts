import type { Finding } from '../../finding.js';
import { formatCount, formatDuration } from '../../format.js';
import { moreAlike, shownFindings } from '../alike-findings.js';
import { clusterTexts, engineTexts } from '../coverage.js';
import { worstFirst } from '../../findings/finding-order.js';
import { printableReport } from '../printable-report.js';
import type { RenderOptions } from '../report-options.js';
import type { Report } from '../report.js';
import { findingCard, type LinkedFinding, linkedFindings, NO_OWNER } from './finding-card.js';
import { furtherSections } from './further-sections.js';
import { htmlPage } from './html-page.js';
import { html, type Html, type PageSection } from './prose-html.js';
import { overviewSection } from './overview-section.js';
import { CONFIDENCES, SEVERITIES } from '../../severity.js';
import { statusOf } from '../finding-status.js';

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
    masthead: masthead(safe),
    body: html`${overviewSection(safe, shown, before && printableReport(before))}
${navigation(sections)}
${sections.map(sectionHtml)}`,
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

function masthead({ tool, target, cluster, startedAt, finishedAt }: Report): Html {
  const when = html`<time datetime="${startedAt}">${startedAt.slice(0, 16).replace('T', ' ')} UTC</time>`;
  const facts = [...(target === undefined ? [] : [target]), ...clusterTexts(cluster), ...engineTexts(cluster)].map(
    (text) => html`<span>${text}</span>`,
  );
  return html`<header class="masthead">
<p class="brand">${tool.name}</p>
<p class="facts">${facts}<span>${when}</span><span>${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}</span></p>
<button type="button" id="theme" hidden>Dark theme</button>
</header>`;
}

function findingsSection(findings: readonly LinkedFinding[], codeUrl: string | undefined): PageSection {
  const ids = new Map(findings.map(({ id, finding }) => [finding, id]));
  const card = (finding: Finding) => findingCard({ id: ids.get(finding) ?? '', finding }, { codeUrl });
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

function sectionHtml({ id, heading, body }: PageSection): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
${body}
</section>
`;
}

interface Choice {
  readonly value: string;
  readonly count: number;
}

function filterForm(findings: readonly Finding[]): Html {
  const counted = (order: readonly string[], of: (finding: Finding) => string): Choice[] =>
    order
      .map((value) => ({ value, count: findings.filter((finding) => of(finding) === value).length }))
      .filter(({ count }) => count > 0);
  const named = (of: (finding: Finding) => string): Choice[] => counted([...new Set(findings.map(of))].sort(), of);
  const statuses = counted(['new', 'known'], statusOf);
  return html`<form class="filter" role="search" aria-label="Filter the findings" hidden>
<div class="field search"><label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" placeholder="Press / to search"></div>
${checkboxes(
  'Severity',
  'severity',
  counted(SEVERITIES, ({ severity }) => severity),
)}
${checkboxes(
  'Confidence',
  'confidence',
  counted(CONFIDENCES, ({ confidence }) => confidence),
)}
${statuses.length === 0 ? null : checkboxes('Baseline', 'status', statuses)}
${select(
  'Check',
  'check',
  named(({ check }) => check),
)}
${select(
  'Collection',
  'namespace',
  named(({ namespace }) => namespace),
)}${ownerSelect(findings, named)}
<div class="actions"><p id="shown" role="status"></p><button type="reset">Clear</button><button type="button" id="fold">Open all</button></div>
</form>`;
}

function checkboxes(legend: string, name: string, choices: readonly Choice[]): Html {
  const boxes = choices.map(
    ({ value, count }) =>
      html`<label class="chip ${value}"><input type="checkbox" name="${name}" value="${value}"> ${value} <span class="soft">${formatCount(count)}</span></label>`,
  );
  return html`<fieldset class="field"><legend>${legend}</legend>${boxes}</fieldset>`;
}

function select(label: string, name: string, choices: readonly Choice[]): Html {
  const options = choices.map(
    ({ value, count }) => html`<option value="${value}">${value} (${formatCount(count)})</option>`,
  );
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">All</option>${options}</select></div>`;
}

/** Absent if the configuration names no owners. */
function ownerSelect(findings: readonly Finding[], named: (of: (finding: Finding) => string) => Choice[]): Html | null {
  if (findings.every(({ owner }) => owner === undefined)) return null;
  const choices = named(({ owner }) => owner ?? NO_OWNER);
  return html`
${select('Owner', 'owner', choices)}`;
}
