import { createHash } from 'node:crypto';
import type { Finding } from '../../finding.js';
import { formatCount, formatDuration } from '../../format.js';
import { moreAlike, shownFindings } from '../alike-findings.js';
import { clusterTexts, engineTexts } from '../coverage.js';
import { worstFirst } from '../../findings/finding-order.js';
import { printableReport } from '../printable-report.js';
import type { Report } from '../report.js';
import { filterForm } from './filter-form.js';
import { findingCard, linkedFindings, type LinkedFinding } from './finding-card.js';
import { furtherSections } from './further-sections.js';
import { Html, html } from './html-text.js';
import type { PageSection } from './page-section.js';
import { overviewSection } from './overview-section.js';
import PAGE_STYLE from './page.css?raw';
import PAGE_SCRIPT from './page.js?raw';

/** Findings that are unfolded when the page opens. */
const OPEN_FINDINGS = 3;

const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b6b58"/><path d="M4 11V5l4 4 4-4v6" fill="none" stroke="#fff" stroke-width="2"/></svg>')}`;

/** Only style and script of the page, by their hashes, and the icon. */
const POLICY = `default-src 'none'; style-src ${hashSource(PAGE_STYLE)}; script-src ${hashSource(PAGE_SCRIPT)}; img-src data:; base-uri 'none'; form-action 'none'`;

/** The report as one HTML page, without any other file or the network. Without its script, it only lacks filter, buttons and themes. */
export function renderHtml(report: Report): string {
  const safe = printableReport(report);
  const findings = linkedFindings(worstFirst(safe.findings));
  const shown = findings.filter(({ finding }) => finding.suppressed === undefined);
  const suppressed = findings.filter(({ finding }) => finding.suppressed !== undefined);
  const sections = [findingsSection(shown), ...furtherSections(safe, suppressed)];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${titleOf(safe)}</title>
<link rel="icon" href="${ICON}">
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip-link" href="#findings">Skip to the findings</a>
${masthead(safe)}
<main>
${overviewSection(safe, shown)}
${navigation(sections)}
${sections.map(sectionHtml)}
</main>
<footer>Written by ${safe.tool.name} ${safe.tool.version}. Figures are measured on samples unless they say otherwise.</footer>
<script>${new Html(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.source;
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
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

function findingsSection(findings: readonly LinkedFinding[]): PageSection {
  const ids = new Map(findings.map(({ id, finding }) => [finding, id]));
  const card = (finding: Finding, open: boolean) => findingCard({ id: ids.get(finding) ?? '', finding }, { open });
  const cards = shownFindings(findings.map(({ finding }) => finding)).map(({ finding, alike }, index) => {
    const first = card(finding, index < OPEN_FINDINGS);
    if (alike.length === 0) return first;
    return html`${first}<details class="alike"><summary>${moreAlike(alike)}: ${finding.title}</summary>
${alike.map((other) => card(other, false))}</details>
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
