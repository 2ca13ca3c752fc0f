import type { Drift } from '../../drift/drift-schema.js';
import { formatBytes, formatCount, plural } from '../../format.js';
import { collectionStates, type CollectionState, STATE_NAMES } from '../collection-state.js';
import { coverageFacts } from '../coverage.js';
import { driftsOf, driftGroups, driftSentences, loneCollections, notComparedGroups } from '../drift-text.js';
import { missingKnown, type MissingKnown } from '../missing-known.js';
import { skippedByTodo } from '../not-judged.js';
import type { Report } from '../report.js';
import type { ReportedCollection } from '../reported-collection.js';
import { fineChecks } from '../scorecard.js';
import { namespacesOf, REASON_TEXT } from '../skipped-groups.js';
import { findingCard, severityBadge, type LinkedFinding } from './finding-card.js';
import { html, type Html, type PageSection, placeHtml, proseHtml, tableHtml } from './prose-html.js';

const TABLE_ROWS = 40;
const UNKNOWN = '–';

/** Everything but the overview and the findings that are not suppressed; sections without content are left out. */
export function furtherSections(
  report: Report,
  suppressed: readonly LinkedFinding[],
  codeUrl: string | undefined,
): PageSection[] {
  const sections = [
    ...driftsOf(report).map(driftSection),
    ...missingKnown(report).map(missingSection),
    suppressedSection(suppressed, codeUrl),
    notJudgedSection(report),
    fineSection(report),
    fineChecksSection(report),
    collectionsSection(report),
  ];
  return [...sections.filter(({ count }) => count !== 0), coverageSection(report)];
}

function missingSection({ id, heading, meaning, findings }: MissingKnown): PageSection {
  const items = findings.map(
    (finding) => html`<li>${severityBadge(finding.severity)} ${finding.check} ${placeHtml(finding)}</li>`,
  );
  return {
    id,
    heading,
    count: findings.length,
    body: html`${id === 'fixed' ? null : html`<p class="soft">${meaning}</p>`}<ul class="card plain">${items}</ul>`,
  };
}

function suppressedSection(findings: readonly LinkedFinding[], codeUrl: string | undefined): PageSection {
  const body = html`<p class="soft">These do not count.</p>${findings.map((linked) => findingCard(linked, codeUrl))}`;
  return { id: 'suppressed', heading: 'Suppressed', count: findings.length, body };
}

function notJudgedSection({ skipped }: Report): PageSection {
  const items = skippedByTodo(skipped).map(
    ({ todo, groups }) => html`<li><h3>${proseHtml(todo)}</h3>
${groups.map(
  ({
    reason,
    checks,
    namespaces,
    count,
    details,
  }) => html`<details><summary>${REASON_TEXT[reason]}: ${plural(count, 'place')}</summary>${namesHtml(namespaces, count)}
<p>${checks.includes('*') ? 'Every check' : `${plural(checks.length, 'check')}: ${checks.join(', ')}`}</p>
${details.map((detail) => html`<p class="soft">${count > 1 ? 'For example: ' : null}${proseHtml(detail)}</p>`)}</details>`,
)}</li>`,
  );
  const body = html`<p class="soft">What could not be judged is not known to be clean.</p><ul class="card skipped">${items}</ul>`;
  return {
    id: 'not-judged',
    heading: 'Not judged',
    count: new Set(skipped.map((entry) => namespacesOf(entry).join())).size,
    body,
  };
}

function namesHtml(namespaces: readonly string[], count = namespaces.length): Html | null {
  if (count === 0) return null;
  const more = count > namespaces.length ? html`<li>and ${formatCount(count - namespaces.length)} more</li>` : null;
  const names = html`<ul class="names">${namespaces.map((namespace) => html`<li><code>${namespace}</code></li>`)}${more}</ul>`;
  return folded(names, count, namespaces.length);
}

/** Open if few rows show it. */
function folded(body: Html, collections: number, rows = collections): Html {
  return rows <= TABLE_ROWS
    ? body
    : html`<details><summary>${plural(collections, 'collection')}</summary>${body}</details>`;
}

function fineSection(report: Report): PageSection {
  const fine = collectionStates(report).filter(({ state }) => state === 'fine');
  const items = fine.map(
    ({ collection }) =>
      html`<li><code>${collection.namespace}</code> <span class="soft">${collection.documents === null ? null : plural(collection.documents, 'document')}</span></li>`,
  );
  const body = folded(html`<ul class="card fine-list">${items}</ul>`, items.length);
  return { id: 'fine', heading: 'Fine: fully judged, nothing found', count: fine.length, body };
}

function fineChecksSection(report: Report): PageSection {
  const { inFull, inPart } = fineChecks(report);
  const body = html`<div class="card">${checkList(inFull, 'judged everything')}${checkList(inPart, 'could not judge everything')}</div>`;
  return { id: 'fine-checks', heading: 'Checks that found nothing', count: inFull.length + inPart.length, body };
}

function checkList(checks: readonly string[], what: string): Html | null {
  return checks.length === 0
    ? null
    : html`<p>${plural(checks.length, 'check')} ${what}: <span class="soft">${checks.join(', ')}</span></p>`;
}

function collectionsSection(report: Report): PageSection {
  const states = collectionStates(report);
  const largest = Math.max(1, ...states.map(({ collection }) => collection.size ?? 0));
  const rows = states.map(({ collection, state }) => collectionRow(collection, state, largest));
  const heads = html`<th scope="col">Collection</th><th scope="col">State</th><th scope="col" class="number">Documents</th><th scope="col" class="number">Average</th><th scope="col">Size</th><th scope="col" class="number">On disk</th><th scope="col" class="number">Indexes</th><th scope="col" class="number">Sampled</th>`;
  const body = folded(tableHtml('Table of the collections', heads, rows), rows.length);
  return { id: 'collections', heading: 'Collections', count: rows.length, body };
}

function collectionRow(collection: ReportedCollection, state: CollectionState, largest: number): Html {
  const { namespace, documents, averageDocumentSize, size, storageSize, indexes, sampled, notSampled } = collection;
  const number = (value: number | null, format: (value: number) => string) =>
    html`<td class="number">${value === null ? UNKNOWN : format(value)}</td>`;
  const bar =
    size === null
      ? null
      : html`<svg class="bar" width="72" height="8" aria-hidden="true"><rect width="${Math.max(1, Math.round((72 * size) / largest))}" height="8" rx="2"/></svg>`;
  return html`<tr><th scope="row"><code>${namespace}</code></th><td><span class="swatch ${state}" aria-hidden="true"></span>${STATE_NAMES[state]}</td>${number(documents, formatCount)}${number(averageDocumentSize, formatBytes)}<td class="size">${bar}${size === null ? UNKNOWN : formatBytes(size)}</td>${number(storageSize, formatBytes)}${number(indexes, formatCount)}<td class="number"${notSampled === null ? null : html` title="${notSampled}"`}>${sampled === null ? UNKNOWN : formatCount(sampled.documents)}</td></tr>`;
}

function coverageSection(report: Report): PageSection {
  const facts = coverageFacts(report, { all: true }).map(
    ({ label, texts, short }) =>
      html`<div><dt>${label}</dt><dd>${short ? texts.join(' · ') : texts.map((text) => html`<p>${text}</p>`)}</dd></div>`,
  );
  return { id: 'coverage', heading: 'Coverage', count: null, body: html`<dl class="card coverage">${facts}</dl>` };
}

/** What differs between two runs that were compared. */
function driftSection(drift: Drift, index: number): PageSection {
  const lone = loneCollections(drift).map(
    ({ heading, namespaces }) => html`<li><h3>${heading}</h3>${namesHtml(namespaces)}</li>`,
  );
  const groups = driftGroups(drift).map(
    ({ namespace, messages }) =>
      html`<li><h3>${namespace === null ? 'Servers' : html`<code>${namespace}</code>`}</h3><ul class="drift">${messages.map((message) => html`<li>${proseHtml(message)}</li>`)}</ul></li>`,
  );
  const unread = notComparedGroups(drift).map(
    ({ heading, places, detail }) =>
      html`<li><h3>${heading}</h3>${namesHtml(places)}<p class="soft">${places.length > 1 ? 'For example: ' : null}${proseHtml(detail)}</p></li>`,
  );
  const items = [...lone, ...groups, ...unread];
  return {
    id: index === 0 ? 'drift' : `drift-${index + 1}`,
    heading: 'Drift',
    count: null,
    body: html`<p>${driftSentences(drift).join(' ')}</p>${items.length === 0 ? null : html`<ul class="card skipped">${items}</ul>`}`,
  };
}
