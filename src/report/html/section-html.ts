import { formatCount, plural } from '../../format.js';
import { spanText } from '../section-lines.js';
import type { Cell, Entry, Fact, Section, Span, Table } from '../section.js';
import { bar, html, type Html, placeHtml, proseHtml, severityBadge } from './prose-html.js';

/** Rows and names that are shown without unfolding. */
const OPEN_ROWS = 40;

/** A section of the page, with what its link in the navigation says. */
export interface PageSection extends Pick<Section, 'id' | 'heading' | 'count'> {
  readonly body: Html;
}

/** @param openRows rows of a table that are shown without unfolding */
export function pageSection(
  { id, heading, count, intro, facts = [], entries = [], table }: Section,
  openRows = OPEN_ROWS,
): PageSection {
  const isPlain = entries.every((entry) => isBare(entry));
  const list = html`<ul class="card ${isPlain ? 'plain' : 'skipped'}">${entries.map(entryHtml)}</ul>`;
  const body = html`${intro === undefined ? null : html`<p class="soft">${intro}</p>`}${
    facts.length === 0 ? null : html`<dl class="card coverage">${facts.map(factHtml)}</dl>`
  }${entries.length === 0 ? null : list}${table === undefined ? null : folded(tableHtml(heading, table), table.rows.length, openRows)}`;
  return { id, heading, count, body };
}

export function sectionHtml({ id, heading, body }: PageSection): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
${body}
</section>
`;
}

/** Open if few rows show it. */
export function folded(body: Html, rows: number, openRows = OPEN_ROWS): Html {
  return rows <= openRows ? body : html`<details><summary>All ${formatCount(rows)}</summary>${body}</details>`;
}

function factHtml({ label, texts, short }: Fact): Html {
  return html`<div><dt>${label}</dt><dd>${short ? texts.join(' · ') : texts.map((text) => html`<p>${proseHtml(text)}</p>`)}</dd></div>`;
}

function isBare({ names = [], lines = [], asides = [], entries = [] }: Entry): boolean {
  return names.length + lines.length + asides.length + entries.length === 0;
}

function entryHtml(entry: Entry): Html {
  const title = cellHtml(entry.head);
  return isBare(entry) ? html`<li>${title}</li>` : html`<li><h3>${title}</h3>${detailsHtml(entry)}</li>`;
}

function detailsHtml({ names = [], count, note, lines = [], asides = [], entries = [] }: Entry): Html {
  const more = (count ?? 0) > names.length ? html`<li>and ${formatCount((count ?? 0) - names.length)} more</li>` : null;
  const items = names.map((name) => html`<li><code>${name}</code></li>`);
  return html`${names.length === 0 ? null : folded(html`<ul class="names">${items}${more}</ul>`, names.length)}${
    note === undefined ? null : html`<p>${note}</p>`
  }${lines.length === 0 ? null : html`<ul class="drift">${lines.map((line) => html`<li>${proseHtml(line)}</li>`)}</ul>`}${asides.map(
    (text) => html`<p class="soft">${proseHtml(text)}</p>`,
  )}${entries.every(isBare) && entries.length > 0 ? html`<ul class="plain">${entries.map(entryHtml)}</ul>` : entries.map(foldedEntry)}`;
}

/** Names the only place in the line that unfolds it, and the checks. */
function foldedEntry({ names = [], count = names.length, note, ...rest }: Entry): Html {
  const [only] = count === 1 ? names : [];
  const places =
    count === 0 ? null : html`: ${only === undefined ? plural(count, 'place') : html`<code>${only}</code>`}`;
  const said = note === undefined ? null : html` (${note})`;
  const details = detailsHtml(only === undefined ? { ...rest, names, count } : rest);
  return html`<details><summary>${cellHtml(rest.head)}${places}${said}</summary>${details}</details>`;
}

export function tableHtml(label: string, { columns, rows }: Table): Html {
  const heads = columns.map(({ head, isNumber }) => html`<th scope="col"${numberClass(isNumber)}>${head}</th>`);
  const body = rows.map((row) => {
    const cells = row.map((cell, index) =>
      index === 0
        ? html`<th scope="row">${cellHtml(cell)}</th>`
        : html`<td${numberClass(columns[index]?.isNumber)}>${cellHtml(cell)}</td>`,
    );
    return html`<tr>${cells}</tr>`;
  });
  return html`<div class="card scroll" tabindex="0" role="region" aria-label="Table: ${label}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

function numberClass(isNumber: true | undefined): Html | null {
  return isNumber === true ? html` class="number"` : null;
}

function cellHtml(cell: Cell): Html {
  return html`${[cell].flat().map((span, index) => html`${index === 0 ? null : ' '}${spanHtml(span)}`)}`;
}

function spanHtml(span: Span): Html {
  if (typeof span === 'string') return html`${proseHtml(span)}`;
  if ('place' in span) return placeHtml(span.place);
  if ('state' in span) return html`<span class="swatch ${span.state}" aria-hidden="true"></span>${span.text}`;
  if ('figure' in span) return html`${span.share === undefined ? null : bar(span.share)}${spanText(span)}`;
  if ('severity' in span) return severityBadge(span.severity);
  const name = html`<code>${span.code}</code>`;
  return span.href === undefined || span.href === null ? name : html`<a href="${span.href}">${name}</a>`;
}
