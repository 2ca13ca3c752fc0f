import { formatCount, plural } from '../../format.js';
import { packageInfo } from '../../package-root.js';
import type { Severity } from '../../severity.js';
import { terminalData } from '../../terminal-text.js';
import { severityBadge } from '../html/finding-card.js';
import { htmlPage } from '../html/html-page.js';
import { html, type Html, placeHtml, sectionHtml, severityTiles, stateBar, tableHtml } from '../html/prose-html.js';
import type { RenderOptions } from '../report-options.js';
import type { FleetCluster, FleetOverview } from './fleet-overview.js';
import { fleetGroups, fleetSentences, groupText, type FleetGroup } from './fleet-pieces.js';

/** Colours of the bar, as the page of one report has them. */
const STATES: Readonly<Record<FleetGroup['id'], string>> = {
  'not-linted': 'not-judged',
  error: 'error',
  warning: 'warning',
  info: 'info',
  incomplete: 'fine-in-part',
  fine: 'fine',
};

type PageOf = NonNullable<RenderOptions['pageOf']>;

/** The overview of many targets as one HTML page, without any other file or the network. */
export function renderFleetHtml(
  fleet: FleetOverview,
  { pageOf = () => null }: Pick<RenderOptions, 'pageOf'> = {},
): string {
  const safe = terminalData(fleet);
  const { name, version } = packageInfo();
  const [headline = '', ...cautions] = fleetSentences(safe);
  return htmlPage({
    title: `${plural(safe.clusters.length, 'cluster')} – ${name}`,
    brand: name,
    facts: [plural(safe.clusters.length, 'cluster')],
    body: html`<section aria-labelledby="headline">
<h1 id="headline">${headline}</h1>
${cautions.length === 0 ? null : html`<div class="caution">${cautions.map((text) => html`<p>${text}</p>`)}</div>`}
<div class="glance">
<div class="card"><h2>Findings</h2>${tiles(safe)}</div>
<div class="card"><h2>Clusters</h2>${groupBar(safe)}</div>
</div>
</section>
${unlintedSection(safe)}
${sectionHtml('findings', 'Clusters, the worst first', clusterTable(safe, pageOf))}
${commonSection(safe)}
${alikeSection(safe)}
${ownerSection(safe)}`,
    footer: html`Written by ${name} ${version}.`,
  });
}

function tiles({ clusters }: FleetOverview): Html {
  const sum = (severity: Severity) => clusters.reduce((total, { findings }) => total + findings[severity], 0);
  return severityTiles({ error: sum('error'), warning: sum('warning'), info: sum('info') });
}

function groupBar(fleet: FleetOverview): Html {
  const groups = fleetGroups(fleet).filter(({ clusters }) => clusters.length > 0);
  return stateBar(
    groups.map((group) => ({ state: STATES[group.id], count: group.clusters.length, text: groupText(group) })),
  );
}

function unlintedSection({ clusters, missing }: FleetOverview): Html | null {
  const failed = clusters.flatMap(({ alias, failure }) => (failure === null ? [] : [{ alias, failure }]));
  if (failed.length + missing.length === 0) return null;
  const items = failed.map(
    ({ alias, failure }) => html`<li><code>${alias}</code> ${withoutAlias(failure, alias)}</li>`,
  );
  return sectionHtml(
    'not-linted',
    'Not linted, or not to the end',
    html`<ul class="card plain">${items}${missing.map((text) => html`<li>${text}</li>`)}</ul>`,
  );
}

function withoutAlias(failure: string, alias: string): string {
  return failure.startsWith(`${alias}: `) ? failure.slice(alias.length + 2) : failure;
}

interface NumberColumn {
  readonly head: string;
  readonly of: (cluster: FleetCluster) => number;
  readonly isMinor?: true;
}

const NUMBER_COLUMNS: readonly NumberColumn[] = [
  { head: 'Errors', of: ({ findings }) => findings.error },
  { head: 'Warnings', of: ({ findings }) => findings.warning },
  { head: 'Info', of: ({ findings }) => findings.info },
  { head: 'Suppressed', of: ({ suppressed }) => suppressed, isMinor: true },
  { head: 'Not judged', of: ({ notJudged }) => notJudged, isMinor: true },
  { head: 'Exit code', of: ({ exitCode }) => exitCode, isMinor: true },
];

function clusterTable({ clusters }: FleetOverview, pageOf: PageOf): Html {
  const linted = clusters.filter(({ server }) => server !== null);
  if (linted.length === 0) return html`<p class="card">None was linted.</p>`;
  const numbers = NUMBER_COLUMNS.filter(
    ({ of, isMinor }) => isMinor !== true || linted.some((cluster) => of(cluster) > 0),
  );
  return tableHtml(
    'Table of the clusters',
    [
      html`<th scope="col">Cluster</th>`,
      ...numbers.map(({ head }) => numberHead(head)),
      html`<th scope="col">Worst finding</th>`,
      html`<th scope="col">Server</th>`,
    ],
    linted.map((cluster) => clusterRow(cluster, numbers, pageOf)),
  );
}

function numberHead(text: string): Html {
  return html`<th scope="col" class="number">${text}</th>`;
}

function clusterRow(cluster: FleetCluster, columns: readonly NumberColumn[], pageOf: PageOf): Html {
  const { alias, worst, server } = cluster;
  const page = pageOf(alias);
  const name = page === null ? html`<code>${alias}</code>` : html`<a href="${page}"><code>${alias}</code></a>`;
  const what = worst === null ? null : html`${severityBadge(worst.severity)} ${worst.check} ${placeHtml(worst)}`;
  return html`<tr><th scope="row">${name}</th>${columns.map(({ of }) => html`<td class="number">${formatCount(of(cluster))}</td>`)}<td>${what}</td><td class="soft">${server}</td></tr>`;
}

function commonSection({ checks, clusters }: FleetOverview): Html | null {
  const common = checks.filter(({ targets }) => targets > 1);
  if (common.length === 0) return null;
  const rows = common.map(
    ({ check, title, targets, findings, severity }) =>
      html`<tr><td>${severityBadge(severity)}</td><th scope="row">${title} <span class="soft">${check}</span></th><td class="number">${formatCount(targets)} of ${formatCount(clusters.length)}</td><td class="number">${formatCount(findings)}</td></tr>`,
  );
  const heads = [
    html`<th scope="col">Worst</th>`,
    html`<th scope="col">Check</th>`,
    ...['Clusters', 'Findings'].map(numberHead),
  ];
  return sectionHtml('common', 'Common to several clusters', tableHtml('Table of the checks', heads, rows));
}

function alikeSection({ alike, alikeIsPartial }: FleetOverview): Html | null {
  if (alike.length === 0) return null;
  const rows = alike.map(
    ({ check, severity, targets, ...place }) =>
      html`<tr><td>${severityBadge(severity)}</td><td>${check}</td><th scope="row">${placeHtml(place)}</th><td class="number">${formatCount(targets)}</td></tr>`,
  );
  const heads = [
    html`<th scope="col">Worst</th>`,
    html`<th scope="col">Check</th>`,
    html`<th scope="col">Place</th>`,
    numberHead('Clusters'),
  ];
  const partial =
    alikeIsPartial === true ? html`<p class="soft">There were too many to compare all: some may be missing.</p>` : null;
  return sectionHtml(
    'alike',
    'The same finding in several clusters',
    html`${tableHtml('Table of findings that several clusters have', heads, rows)}${partial}`,
  );
}

function ownerSection({ owners = [] }: FleetOverview): Html | null {
  if (owners.length === 0) return null;
  const rows = owners.map(
    ({ owner, targets, findings }) =>
      html`<tr><th scope="row">${owner ?? 'no owner'}</th><td class="number">${formatCount(targets)}</td><td class="number">${formatCount(findings)}</td></tr>`,
  );
  const heads = [html`<th scope="col">Owner</th>`, ...['Clusters', 'Findings'].map(numberHead)];
  return sectionHtml('owners', 'Owners', tableHtml('Table of the owners', heads, rows));
}
