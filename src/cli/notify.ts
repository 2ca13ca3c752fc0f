import { plural } from '../format.js';
import type { Finding } from '../finding.js';
import { SEVERITIES } from '../severity.js';
import { LintError } from '../lint-error.js';
import { worstFirst } from '../findings/finding-order.js';
import { isActive } from '../report/finding-status.js';
import type { Report } from '../report/report.js';
import { failureSentences } from '../report/run-failure.js';

/** In ms. */
const TIMEOUT = 5_000;
/** Findings that are named; Slack shortens longer texts. */
const MOST_NAMED = 20;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address of a webhook: a secret that is never printed. Throws a LintError if it is not a URL, or not encrypted. */
export function notificationUrl(text: string): URL {
  if (!URL.canParse(text)) throw new LintError('The address for --notify is not a URL.');
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))) return url;
  throw new LintError('The address for --notify must begin with https://, since it is a secret.');
}

/** Posts what is new, fixed or failed to a webhook, as JSON for Slack and others. Returns why it could not be sent, or null. */
export async function notify(url: URL, reports: readonly Report[], faults: readonly string[]): Promise<string | null> {
  const text = notificationText(reports, faults);
  if (text === null) return null;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      // The address is a secret: it must not reach another host.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
    return response.ok ? null : `The notification was refused: HTTP ${response.status}.`;
  } catch (error) {
    return `The notification could not be sent: ${reasonOf(error)}.`;
  }
}

/** What is new, fixed or failed, in Slack's markup, or null. Without a baseline, all findings are new. */
export function notificationText(reports: readonly Report[], faults: readonly string[]): string | null {
  const found = reports.flatMap((report) =>
    worstFirst(report.findings.filter(isActive)).map((finding) => ({ finding, report })),
  );
  const fixed = reports.flatMap((report) => report.fixed ?? []).length;
  const failures = [...faults, ...reports.flatMap(failureLines)];
  if (found.length + fixed + failures.length === 0) return null;
  const counts = [
    ...(found.length === 0
      ? []
      : [`${plural(found.length, 'new finding')} (${bySeverity(found.map(({ finding }) => finding))})`]),
    ...(fixed === 0 ? [] : [`${fixed} fixed`]),
    ...(failures.length === 0 ? [] : ['the run failed']),
  ];
  const lines = found.slice(0, MOST_NAMED).map(({ finding, report }) => `• ${nameOf(finding, report)}`);
  const more = found.length - lines.length;
  const why = failures.slice(0, MOST_NAMED).map((line) => `• ${line}`);
  return escaped(
    [`mongolint: ${counts.join(', ')}`, ...why, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
  );
}

function failureLines(report: Report): string[] {
  const prefix = report.target === undefined ? '' : `${report.target}: `;
  return failureSentences(report).map((sentence) => `${prefix}${sentence}`);
}

function bySeverity(findings: readonly Finding[]): string {
  return SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [severity === 'info' ? `${count} info` : plural(count, severity)];
  }).join(', ');
}

function nameOf({ severity, check, namespace, path }: Finding, { target }: Report): string {
  const where = [target, namespace, path].filter((part) => part !== null && part !== undefined).join(' ');
  return `${severity}: ${check} in ${where}`;
}

/** Source: Slack API documentation, "Formatting text for app surfaces", "Escaping text". */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Not the message: it may quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT} ms`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
