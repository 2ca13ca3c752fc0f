import type { Invocation, Log, Notification, ReportingDescriptor, Run } from 'sarif';
import { packageHomepage, packageInfo } from '../files/package-root.js';
import type { Finding, FixedFinding, Skipped } from '../finding.js';
import { worstFirst } from '../findings/finding-order.js';
import { formatCount } from '../format.js';
import { isFault } from '../presence.js';
import { terminalJson } from '../text/terminal-text.js';
import { checkPage } from './check-page.js';
import { conclusion } from './conclusion.js';
import { placeOf } from './finding-view.js';
import { missingKnown, type MissingKnown } from './missing-known.js';
import { PLAIN } from './paint.js';
import { printableReport } from './printable-report.js';
import { type AnchorOptions, DEFAULT_ANCHOR } from './report-options.js';
import type { Report } from './report.js';
import { failuresOf } from './run-failure.js';
import { anchorLocation, logicalLocations, plainMessage, sarifResult } from './sarif-results.js';
import { detailOf, namespacesOf, writtenReport } from './skipped.js';
import type { FailedTarget } from './target-reports.js';

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

/** Every check that a result or a notification names, sorted by id, with what people can read of it. */
function sarifRules({ findings, skipped }: Report, homepage: string | undefined): ReportingDescriptor[] {
  const examples = new Map(findings.map((finding) => [finding.check, finding]));
  const ids = new Set([...examples.keys(), ...skipped.map(({ check }) => check).filter((check) => check !== '*')]);
  return [...ids].sort().map((id) => ruleOf(id, examples.get(id), homepage));
}

function ruleOf(id: string, example: Finding | undefined, homepage: string | undefined): ReportingDescriptor {
  const page = checkPage(id);
  const title = example?.title ?? page?.title ?? id;
  const helpUri = absolute(example?.docs ?? `checks/${id}.md`, homepage);
  const help = page?.markdown ?? `${title}. Run \`mongolint explain ${id}\` for what it means and how to fix it.`;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: page?.introduction ?? title },
    help: { text: help, markdown: help },
    ...(helpUri !== undefined && { helpUri }),
    properties: { tags: ['mongodb', 'schema-design'] },
  };
}

/** The format takes absolute addresses only. */
function absolute(docs: string, homepage: string | undefined): string | undefined {
  if (!URL.canParse(docs, homepage)) return undefined;
  const { protocol, href } = new URL(docs, homepage);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

/**
 * What is no result: how the run ended, what could not be judged, what is fixed since the baseline, what to fix
 * in the configuration, and how many results were cut off.
 */
function notificationsOf(
  report: Report,
  rules: readonly ReportingDescriptor[],
  summary: string,
  cut: number,
): Notification[] {
  const { skipped, notices = [] } = report;
  return [
    note('summary', summary),
    ...(cut > 0
      ? [
          {
            ...note('cut', `${formatCount(cut)} findings beyond the limit of the format's readers are left out.`),
            level: 'warning' as const,
          },
        ]
      : []),
    ...failuresOf(report).map(({ reason, detail }) => ({
      ...note(`not-linted/${reason}`, detail),
      level: 'error' as const,
    })),
    ...skipped.map((entry) => skippedNotification(entry, rules)),
    ...missingKnown(report).flatMap((missing) =>
      missing.findings.map((finding) => missingNotification(finding, missing)),
    ),
    ...notices.map(({ kind, text }) => ({ ...note(kind, text), level: 'warning' as const })),
  ];
}

function note(id: string, text: string): Notification {
  return { descriptor: { id }, level: 'note', message: plainMessage(text) };
}

function skippedNotification(entry: Skipped, rules: readonly ReportingDescriptor[]): Notification {
  const { check, reason } = entry;
  const locations = namespacesOf(entry).map((namespace) => ({
    logicalLocations: logicalLocations({ namespace, path: null }),
  }));
  const index = rules.findIndex(({ id }) => id === check);
  return {
    descriptor: { id: `not-judged/${reason}` },
    level: isFault(entry) ? 'error' : reason === 'insufficient' || reason === 'too-small' ? 'note' : 'warning',
    message: plainMessage(`Not judged: ${detailOf(entry)}`),
    ...(index !== -1 && { associatedRule: { id: check, index } }),
    ...(locations.length > 0 && { locations }),
  };
}

/** As a result with the state "absent" GitHub would show it as an alert; there, an alert is fixed by being gone. */
function missingNotification(
  { check, namespace, path, fingerprint }: FixedFinding,
  { id, heading }: MissingKnown,
): Notification {
  return {
    ...note(id, `${heading}: ${check} at ${placeOf({ namespace, path })}.`),
    locations: [{ logicalLocations: logicalLocations({ namespace, path }) }],
    properties: { check, fingerprint },
  };
}
