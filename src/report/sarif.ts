import type { Invocation, Log, Notification, ReportingDescriptor, Run } from 'sarif';
import { packageHomepage, packageInfo } from '../package-root.js';
import { conclusion } from './conclusion.js';
import { worstFirst } from '../findings/finding-order.js';
import { PLAIN } from './finding-text.js';
import { writtenReport } from './grouped-skipped.js';
import { printableReport } from './printable-report.js';
import { DEFAULT_ANCHOR, type AnchorOptions } from './report-options.js';
import type { Report } from './report.js';
import type { FailedTarget } from './target-reports.js';
import { failuresOf } from './run-failure.js';
import { notificationsOf } from './sarif-notifications.js';
import { anchorLocation, plainMessage, sarifResult } from './sarif-results.js';
import { sarifRules } from './sarif-rules.js';
import { terminalJson } from '../terminal-text.js';

/** How the SARIF log is written. */
export interface SarifOptions extends AnchorOptions {
  /** Address that `docs` of a finding are relative to; package.json's if absent. Without any, rules have no `helpUri`. */
  readonly homepage?: string;
}

/** Results that GitHub takes of one run; it refuses a log with more. */
const MOST_RESULTS = 25_000;

/**
 * The report as SARIF 2.1.0, such that GitHub's code scanning accepts it. A cluster has no lines, so every result points
 * to the anchor's first line and names the collection as its logical location. What could not be judged is a
 * notification of the invocation; a fault makes it unsuccessful.
 */
export function renderSarif(
  report: Report,
  { anchor = DEFAULT_ANCHOR, homepage = packageHomepage() }: SarifOptions = {},
): string {
  const safe = printableReport(writtenReport(report));
  const { name, version } = safe.tool;
  const rules = sarifRules(safe, homepage);
  const findings = worstFirst(safe.findings);
  const run: Run = {
    tool: {
      driver: {
        name,
        version,
        semanticVersion: version,
        ...(homepage !== undefined && { informationUri: homepage }),
        rules,
      },
    },
    invocations: [invocationOf(safe, rules, findings.length - MOST_RESULTS)],
    results: findings
      .slice(0, MOST_RESULTS)
      .map((finding) => sarifResult(finding, rules, anchor === null ? null : anchorLocation(anchor))),
    columnKind: 'utf16CodeUnits',
    properties: {
      cluster: safe.cluster,
      summary: safe.summary,
      ...(safe.target !== undefined && { target: safe.target }),
    },
  };
  return textOf(run);
}

/** The log of a target that could not be linted. Without results, GitHub leaves the alerts as they are. */
export function renderFailedSarif({ target, message, at }: FailedTarget): string {
  const { name, version } = packageInfo();
  const notification: Notification = {
    descriptor: { id: 'not-linted' },
    level: 'error',
    message: plainMessage(message),
  };
  const run: Run = {
    tool: { driver: { name, version, semanticVersion: version } },
    invocations: [
      {
        executionSuccessful: false,
        endTimeUtc: at.toISOString(),
        toolExecutionNotifications: [notification],
      },
    ],
    results: [],
    ...(target !== undefined && { properties: { target } }),
  };
  return textOf(run);
}

function textOf(run: Run): string {
  const log: Log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${terminalJson(JSON.stringify(log, null, 2))}\n`;
}

function invocationOf(report: Report, rules: readonly ReportingDescriptor[], cut: number): Invocation {
  return {
    executionSuccessful: failuresOf(report).length === 0,
    startTimeUtc: report.startedAt,
    endTimeUtc: report.finishedAt,
    toolExecutionNotifications: notificationsOf(report, rules, conclusion(report, PLAIN), cut),
  };
}
