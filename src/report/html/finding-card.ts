import type { Finding } from '../../finding.js';
import { separated } from '../../findings/further-reasons.js';
import { arrayGrowthOf } from '../array-growth.js';
import { isWorseThanBefore, statusOf } from '../finding-status.js';
import { COMMAND_WIDTH } from '../finding-text.js';
import { findingView, type FindingView, lineLinks, ownerText } from '../finding-view.js';
import type { CodeBlock } from '../remedy-steps.js';
import { distributionPlot } from './distribution-plot.js';
import { growthPlot } from './growth-plot.js';
import { html, type Html, placeHtml, proseHtml, severityBadge } from './prose-html.js';

/** A figure of more characters takes a line of its own. */
const LONG_FIGURE = 40;

/** How the filter calls findings that nobody answers for. */
export const NO_OWNER = 'no owner';

export interface LinkedFinding {
  readonly id: string;
  readonly finding: Finding;
}

/** Each with its fingerprint as id; the second of two with the same gets a number. */
export function linkedFindings(findings: readonly Finding[]): LinkedFinding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const times = (seen.get(finding.fingerprint) ?? 0) + 1;
    seen.set(finding.fingerprint, times);
    return { id: times === 1 ? finding.fingerprint : `${finding.fingerprint}-${times}`, finding };
  });
}

/**
 * A finding in full; evidence and remedy are folded away.
 *
 * @param codeUrl the address of a line of the source, with `{file}` and `{line}`
 */
export function findingCard({ id, finding }: LinkedFinding, codeUrl: string | undefined): Html {
  const view = findingView(finding);
  const { severity, confidence, check, title, place, status } = view.head;
  const { namespace } = place;
  const owner = finding.owner === undefined ? null : html` data-owner="${finding.owner ?? NO_OWNER}"`;
  const facts = [`${confidence} confidence`, check, ownerText(finding), status].filter((fact) => fact !== null);
  const links = lineLinks(finding, codeUrl).map(({ text, url }) => html` <a href="${url}">${text}</a>`);
  const notes = view.notes.map(({ label, text }) => html`\n<p class="message">${label}: ${proseHtml(text)}</p>`);
  return html`<article class="finding ${severity}" id="${id}" tabindex="-1" aria-labelledby="${id}-title" data-severity="${severity}" data-confidence="${confidence}" data-check="${check}" data-namespace="${namespace}" data-status="${statusOf(finding)}"${owner}>
<header>${severityBadge(severity)}${newBadge(finding)}<h3 id="${id}-title">${title}</h3><a class="permalink" href="#${id}" aria-label="Link to this finding: ${title} in ${namespace}">#</a></header>
<p class="place">${placeHtml(place)}</p>
<p class="message">${proseHtml(view.message)}</p>${notes}
${view.places.length === 0 ? null : html`<p class="source">Source: ${view.places.join('; ')}${links}</p>\n`}<p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
<details><summary>Evidence and remedy</summary>
${evidenceHtml(finding, view)}
${remedyHtml(view)}
</details>
</article>
`;
}

function newBadge(finding: Finding): Html | null {
  if (statusOf(finding) !== 'new') return null;
  return html`<span class="badge new">${isWorseThanBefore(finding) ? 'Worse' : 'New'}</span>`;
}

function evidenceHtml(finding: Finding, { evidence, figures, impact }: FindingView): Html {
  const { distribution } = finding.evidence;
  const terms = figures.map(
    ({ label, value }) =>
      html`<div${value.length > LONG_FIGURE ? html` class="long"` : null}><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  const growth = separated(finding).flatMap((one) => arrayGrowthOf(one.evidence) ?? [])[0];
  const plots = [
    distribution === undefined ? null : distributionPlot(distribution),
    growth === undefined ? null : growthPlot(growth),
  ];
  return html`<h4>Evidence</h4>
<p class="soft">${evidence.join(': ')}</p>
<div class="evidence">${terms.length === 0 ? null : html`<dl class="figures">${terms}</dl>`}${plots}</div>${
    impact.length === 0 ? null : html`\n<p>Impact: ${impact.join(' · ')}</p>`
  }`;
}

function remedyHtml({ steps, head }: FindingView): Html {
  const each = steps.map(
    ({ text, blocks }) => html`${text === '' ? null : html`<p>${proseHtml(text)}</p>`}${blocks.map(blockHtml)}`,
  );
  return html`<h4>Remedy</h4>
${each.length === 1 ? each : html`<ol class="steps">${each.map((step) => html`<li>${step}</li>`)}</ol>`}
<p class="soft">More: <code>mongolint explain ${head.check}</code></p>`;
}

export function blockHtml(block: CodeBlock): Html {
  const [name, label] = block.isMongosh ? ['mongosh', 'Statement for mongosh'] : ['code', 'Code'];
  return html`
<div class="command"><p class="soft">${name}<button type="button" class="copy" hidden>Copy</button></p><pre tabindex="0" aria-label="${label}"><code>${block.lines(COMMAND_WIDTH).join('\n')}</code></pre></div>
`;
}
