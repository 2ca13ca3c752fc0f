import type { Finding } from '../../finding.js';
import { CONFIDENCES, SEVERITIES } from '../../severity.js';
import { formatCount } from '../../format.js';
import { statusOf } from '../finding-status.js';
import { NO_OWNER } from './finding-card.js';
import { html, type Html } from './html-text.js';

interface Choice {
  readonly value: string;
  readonly count: number;
}

export function filterForm(findings: readonly Finding[]): Html {
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
