import { createHash } from 'node:crypto';
import type { Finding, Severity } from '../finding.js';
import { worstFirst } from '../findings/finding-order.js';
import { terminalJson } from '../text/terminal-text.js';
import { statusOf } from './finding-status.js';
import { certainLocation, findingView, headlineOf } from './finding-view.js';
import { findingBody } from './markdown-finding.js';
import { printableReport } from './printable-report.js';
import type { ReportNotice } from './report-notice.js';
import { type AnchorOptions, DEFAULT_ANCHOR } from './report-options.js';
import type { Report } from './report.js';
import { failureSentences, failuresOf } from './run-failure.js';

/** One entry of a Code Quality report, with the fields that GitLab documents, and the body of the Code Climate format. */
interface CodeQualityEntry {
  readonly description: string;
  /** Markdown. GitLab shows the description only. */
  readonly content?: { readonly body: string };
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const SEVERITIES: Readonly<Record<Severity, CodeQualityEntry['severity']>> = {
  error: 'critical',
  warning: 'major',
  info: 'minor',
};

/**
 * The report as GitLab's Code Quality JSON. GitLab compares it with that of the target branch by fingerprint. What is
 * suppressed is "info", so that it does not look clean. What could not be judged is left to the other formats: GitLab would
 * show each gap as a fault that the merge request brings. A run that failed is a blocker.
 */
export function renderGitlab(report: Report, { anchor = DEFAULT_ANCHOR }: AnchorOptions = {}): string {
  const safe = printableReport(report);
  const location = { path: anchor ?? DEFAULT_ANCHOR, lines: { begin: 1 } };
  const entries = [
    ...worstFirst(safe.findings).map((finding) => findingEntry(finding, location)),
    ...failureEntries(safe, location),
    ...(safe.notices ?? []).map((notice) => noticeEntry(notice, location)),
  ];
  return `${terminalJson(JSON.stringify(entries, null, 2))}\n`;
}

function findingEntry(finding: Finding, anchor: CodeQualityEntry['location']): CodeQualityEntry {
  const { check, severity, message, fingerprint } = finding;
  const view = findingView(finding);
  const own = certainLocation(finding);
  const owner = finding.owner === undefined || finding.owner === null ? null : `Owner: ${finding.owner}.`;
  return {
    description: [`${headlineOf(view)}.`, message, view.head.status, owner].filter((text) => text !== null).join(' '),
    content: { body: findingBody(view) },
    check_name: check,
    fingerprint,
    severity: statusOf(finding) === 'suppressed' ? 'info' : SEVERITIES[severity],
    location: own === null ? anchor : { path: own.file, lines: { begin: own.line } },
  };
}

function failureEntries(report: Report, location: CodeQualityEntry['location']): CodeQualityEntry[] {
  const sentences = failureSentences(report);
  return failuresOf(report).map(({ reason }, index) => ({
    description: sentences[index] ?? '',
    check_name: 'not-linted',
    fingerprint: hashOf('failure', reason),
    severity: 'blocker',
    location,
  }));
}

function noticeEntry({ kind, text }: ReportNotice, location: CodeQualityEntry['location']): CodeQualityEntry {
  return { description: text, check_name: kind, fingerprint: hashOf('notice', kind, text), severity: 'info', location };
}

function hashOf(...parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
