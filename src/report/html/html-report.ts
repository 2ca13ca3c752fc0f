import { packageInfo } from '../../files/package-root.js';
import type { Finding } from '../../finding.js';
import { CONFIDENCES, SEVERITIES, type Severity } from '../../finding/severity.js';
import { isMain, worstFirst } from '../../findings/finding-order.js';
import { formatCount, formatDuration, plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import { compareTexts } from '../../text/compare-texts.js';
import { terminalData, terminalText } from '../../text/terminal-text.js';
import { moreAlike, shownFindings } from '../alike-findings.js';
import { collectionsSection, collectionStates, scorecardSection } from '../collection-state.js';
import { SAFETY, severityCounts } from '../conclusion.js';
import { clusterTexts, coverageSection, engineTexts } from '../coverage.js';
import { driftSections } from '../drift-text.js';
import { statusOf } from '../finding-status.js';
import type { FleetOverview } from '../fleet/fleet-overview.js';
import { fleetSections, fleetSentences, fleetStates } from '../fleet/fleet-sections.js';
import { missingSections } from '../missing-known.js';
import { printableReport } from '../printable-report.js';
import type { RenderOptions } from '../report-options.js';
import type { Report } from '../report.js';
import { WHOLE } from '../section.js';
import { notJudgedSection } from '../skipped.js';
import type { FailedTarget } from '../target-reports.js';
import { findingCard, type LinkedFinding, linkedFindings, NO_OWNER } from './finding-card.js';
import { htmlPage } from './html-page.js';
import { nightsSection } from './nights-plot.js';
import { overviewSection } from './overview-section.js';
import { html, type Html, severityTiles, stateBar } from './prose-html.js';
import { folded, pageSection, type PageSection, sectionHtml } from './section-html.js';

/** The report as one HTML page, without any other file or the network. Without its script, it only lacks filter, buttons and themes. */
export function renderHtml(
  report: Report,
  { codeUrl, before }: Pick<RenderOptions, 'codeUrl' | 'before'> = {},
): string {
  const safe = printableReport(report);
  const findings = linkedFindings(worstFirst(safe.findings));
  const shown = findings.filter(({ finding }) => finding.suppressed === undefined);
  const suppressed = findings.filter(({ finding }) => finding.suppressed !== undefined);
  const further = [
    apartSection(
      shown.filter(({ finding }) => !isMain(finding)),
      codeUrl,
    ),
    ...[...driftSections(safe, WHOLE), ...missingSections(safe)].map((each) => pageSection(each)),
    nightsSection(safe.nights ?? []),
    suppressedSection(suppressed, codeUrl),
    pageSection(notJudgedSection(safe.skipped, WHOLE)),
    fineSection(safe),
    ...[scorecardSection(safe, WHOLE), collectionsSection(safe), coverageSection(safe, WHOLE)].map((each) =>
      pageSection(each),
    ),
  ];
  const main = shown.filter(({ finding }) => isMain(finding));
  const sections = [findingsSection(main, codeUrl), ...further.filter(({ count }) => count !== 0)];
  return htmlPage({
    title: titleOf(safe),
    brand: safe.tool.name,
    facts: factsOf(safe),
    body: html`${overviewSection(safe, shown, before && printableReport(before))}
${navigation(sections)}
${sections.map(sectionHtml)}`,
    footer: html`Written by ${safe.tool.name} ${safe.tool.version}. Figures are measured on samples unless they say otherwise.`,
  });
}

/** The overview of many targets as one page. */
export function renderFleetHtml(fleet: FleetOverview, { pageOf }: Pick<RenderOptions, 'pageOf'> = {}): string {
  const safe = terminalData(fleet);
  const { name, version } = packageInfo();
  const [headline = '', ...cautions] = fleetSentences(safe);
  const sections = fleetSections(safe, WHOLE, pageOf).filter(({ id, count }) => id === 'findings' || count !== 0);
  const sum = (severity: Severity) => safe.clusters.reduce((total, { findings }) => total + findings[severity], 0);
  return htmlPage({
    title: `${plural(safe.clusters.length, 'cluster')} – ${name}`,
    brand: name,
    facts: [plural(safe.clusters.length, 'cluster')],
    body: html`<section aria-labelledby="headline">
<h1 id="headline">${headline}</h1>
${cautions.length === 0 ? null : html`<div class="caution">${cautions.map((text) => html`<p>${text}</p>`)}</div>`}
<div class="glance">
<div class="card"><h2>Findings</h2>${severityTiles({ error: sum('error'), warning: sum('warning'), info: sum('info') })}</div>
<div class="card"><h2>Clusters</h2>${stateBar(fleetStates(safe))}</div>
</div>
</section>
${sections.map((section) => sectionHtml(pageSection(section, Number.POSITIVE_INFINITY)))}`,
    footer: html`Written by ${name} ${version}.`,
  });
}

/** The page of a target that could not be linted: that of an older run would look like one. */
export function renderFailedHtml({ target, message, at }: FailedTarget): string {
  const { name, version } = packageInfo();
  const of = terminalText(target ?? name);
  return htmlPage({
    title: `${of}: not linted – ${name}`,
    brand: name,
    facts: [of, `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    body: html`<section id="findings" aria-labelledby="headline">
<h1 id="headline">Not linted</h1>
<div class="caution"><p>${terminalText(message)}</p></div>
</section>`,
    footer: html`Written by ${name} ${version}.`,
  });
}

function apartSection(findings: readonly LinkedFinding[], codeUrl: string | undefined): PageSection {
  const body = html`${findings.map((linked) => findingCard(linked, codeUrl))}`;
  return { id: 'safety', heading: SAFETY, count: findings.length, body };
}

function suppressedSection(findings: readonly LinkedFinding[], codeUrl: string | undefined): PageSection {
  const body = html`<p class="soft">These do not count.</p>${findings.map((linked) => findingCard(linked, codeUrl))}`;
  return { id: 'suppressed', heading: 'Suppressed', count: findings.length, body };
}

function fineSection(report: Report): PageSection {
  const items = collectionStates(report)
    .filter(({ state }) => state === 'fine')
    .map(({ collection: { namespace, documents } }) => {
      const size = documents === null ? null : html` <span class="soft">${plural(documents, 'document')}</span>`;
      return html`<li><code>${namespace}</code>${size}</li>`;
    });
  const body = folded(html`<ul class="card fine-list">${items}</ul>`, items.length);
  return { id: 'fine', heading: 'Fine: fully judged, nothing found', count: items.length, body };
}

function nameOf({ target, cluster }: Report): string {
  return target ?? cluster.name ?? cluster.topology;
}

function titleOf(report: Report): string {
  const { error, warning, info } = severityCounts(report).main;
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
${checkboxes('Status', 'status', ['new', 'known'], findings, statusOf)}
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
