import type { Finding, Severity } from '../../finding.js';
import { separated } from '../../findings/further-reasons.js';
import { arrayGrowthOf } from '../array-growth.js';
import { figuresOf } from '../evidence-figures.js';
import { statusOf, statusText } from '../finding-status.js';
import { COMMAND_WIDTH, furtherReasonTexts, ownerText } from '../finding-text.js';
import { impactTexts } from '../impact-text.js';
import { shownSteps, type CodeBlock } from '../remedy-steps.js';
import { distributionPlot } from './distribution-plot.js';
import { growthPlot } from './growth-plot.js';
import { html, type Html } from './html-text.js';
import { placeHtml, proseHtml } from './prose-html.js';

const SEVERITY_NAMES: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Info' };

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

export function severityBadge(severity: Severity): Html {
  return html`<span class="badge ${severity}">${SEVERITY_NAMES[severity]}</span>`;
}

/** A finding in full; evidence and remedy are folded away unless `open`. */
export function findingCard({ id, finding }: LinkedFinding, { open }: { readonly open: boolean }): Html {
  const { check, severity, confidence, namespace, title, message } = finding;
  const status = statusText(finding);
  const owner = ownerText(finding);
  return html`<article class="finding ${severity}" id="${id}" tabindex="-1" aria-labelledby="${id}-title" data-severity="${severity}" data-confidence="${confidence}" data-check="${check}" data-namespace="${namespace}" data-status="${statusOf(finding)}"${finding.owner === undefined ? null : html` data-owner="${finding.owner ?? NO_OWNER}"`}>
<header>${severityBadge(severity)}${newBadge(finding)}<h3 id="${id}-title">${title}</h3><a class="permalink" href="#${id}" aria-label="Link to this finding: ${title} in ${namespace}">#</a></header>
<p class="place">${placeHtml(finding)}</p>
<p class="message">${proseHtml(message)}</p>${furtherReasonTexts(finding).map(
    ({ label, text }) => html`
<p class="message">${label}: ${proseHtml(text)}</p>`,
  )}
<p class="facts"><span>${confidence} confidence</span><span>${check}</span>${owner === null ? null : html`<span>${owner}</span>`}${status === null ? null : html`<span>${status}</span>`}</p>
<details${open ? html` open` : null}><summary>Evidence and remedy</summary>
${evidenceHtml(finding)}
${remedyHtml(finding)}
</details>
</article>
`;
}

function newBadge(finding: Finding): Html | null {
  if (statusOf(finding) !== 'new') return null;
  return html`<span class="badge new">${(finding.baseline?.severityBefore ?? null) === null ? 'New' : 'Worse'}</span>`;
}

function evidenceHtml(finding: Finding): Html {
  const { evidence } = finding;
  const figures = figuresOf(evidence).map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  const impact = impactTexts(finding);
  const plot = evidence.distribution === undefined ? null : distributionPlot(evidence.distribution);
  const growth = separated(finding).flatMap((one) => arrayGrowthOf(one.evidence) ?? [])[0];
  return html`<h4>Evidence</h4>
<p class="soft">${evidence.source}: ${evidence.window}</p>
<div class="evidence">${figures.length === 0 ? null : html`<dl class="figures">${figures}</dl>`}${plot}${growth === undefined ? null : growthPlot(growth)}</div>${
    impact.length === 0
      ? null
      : html`
<p>Impact: ${impact.join(' · ')}</p>`
  }`;
}

function remedyHtml({ remedy, check }: Finding): Html {
  const steps = shownSteps(remedy).map(
    ({ text, blocks }) => html`${text === '' ? null : html`<p>${proseHtml(text)}</p>`}${blocks.map(blockHtml)}`,
  );
  return html`<h4>Remedy</h4>
${steps.length === 1 ? steps : html`<ol class="steps">${steps.map((step) => html`<li>${step}</li>`)}</ol>`}
<p class="soft">More: <code>mongolint explain ${check}</code></p>`;
}

function blockHtml(block: CodeBlock): Html {
  const name = block.isMongosh ? 'mongosh' : 'code';
  return html`
<div class="command"><p class="soft">${name}<button type="button" class="copy" hidden>Copy</button></p><pre tabindex="0" aria-label="${block.isMongosh ? 'Statement for mongosh' : 'Code'}"><code>${block.lines(COMMAND_WIDTH).join('\n')}</code></pre></div>
`;
}
