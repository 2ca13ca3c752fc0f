import junitReport, { type Builder, type TestSuite } from 'junit-report-builder';
import { isFault } from '../presence.js';
import type { Finding, FixedFinding, Skipped } from '../finding.js';
import { conclusion } from './conclusion.js';
import { byNamespace, worstFirst } from '../findings/finding-order.js';
import { isActive, statusText } from './finding-status.js';
import { detailLinesOf, PLAIN } from './finding-text.js';
import { detailOf, writtenReport } from './grouped-skipped.js';
import { missingKnown, type MissingKnown } from './missing-known.js';
import { printableReport } from './compact.js';
import type { Report } from './report.js';
import type { ReportedCollection } from './reported-collection.js';
import type { FailedTarget } from './target-reports.js';
import { packageInfo } from '../package-root.js';
import { terminalText } from '../terminal-text.js';
import { failuresOf } from './run-failure.js';

interface NamespaceResults {
  readonly findings: readonly Finding[];
  readonly missing: readonly (FixedFinding & Pick<MissingKnown, 'id' | 'meaning'>)[];
  readonly skipped: readonly Skipped[];
  readonly collection: ReportedCollection | undefined;
}

/** For what concerns more than one collection. */
const CLUSTER_SUITE = 'cluster';

/** Jenkins' schema knows no such attribute on the root; on the suites it does. */
const SKIPPED_ON_ROOT = /^(<testsuites(?: \w+="[^"]*")*?) skipped="\d+"/m;

/**
 * The report as JUnit XML: a suite for each namespace, the worst first. A finding is a failure, a fault an error; what is
 * suppressed, known, still there, not judged or not seen is skipped; what is clean, fixed or gone passes. There is always at
 * least one test, so that a run that judged nothing does not look like one without tests.
 */
export function renderJunit(report: Report): string {
  const safe = printableReport(writtenReport(report));
  const builder = newBuilder().name(suitesName(safe));
  // Without a zone, as every schema of the format wants it; UTC.
  const timestamp = safe.startedAt.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  const addSuite = (name: string) => builder.testSuite().name(name).timestamp(timestamp);
  for (const [namespace, results] of resultsByNamespace(safe)) addCases(addSuite(namespace), namespace, results);
  const summary = addSuite(CLUSTER_SUITE);
  for (const entry of safe.skipped) if (entry.namespace === undefined) addSkipped(summary, CLUSTER_SUITE, entry);
  for (const { reason, detail } of failuresOf(safe)) {
    summary.testCase().className(CLUSTER_SUITE).name(`not linted to the end: ${reason}`).error(detail, reason);
  }
  const told = (safe.notices ?? []).map(({ text }) => text);
  const overall = summary
    .testCase()
    .className(CLUSTER_SUITE)
    .name('summary')
    .standardOutput(characterData([conclusion(safe, PLAIN), ...told]));
  if (!safe.collections.some(({ sampled }) => sampled !== null && sampled.documents > 0)) overall.skipped();
  return `${builder.build().replace(SKIPPED_ON_ROOT, '$1')}\n`;
}

export function renderFailedJunit({ target, message, at }: FailedTarget): string {
  const builder = newBuilder().name(suitesName({ tool: packageInfo(), target }));
  const timestamp = at.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  const suite = builder.testSuite().name(CLUSTER_SUITE).timestamp(timestamp);
  suite.testCase().className(CLUSTER_SUITE).name('not linted').error(terminalText(message), 'not-linted');
  return `${builder.build().replace(SKIPPED_ON_ROOT, '$1')}\n`;
}

/** The package's types take it for an ES module; it is CommonJS, and its default import the builder itself. */
function newBuilder(): Builder {
  return (junitReport as unknown as Builder).newBuilder();
}

function suitesName({ tool, target }: { readonly tool: Report['tool']; readonly target?: string | undefined }): string {
  return target === undefined ? tool.name : `${tool.name} ${target}`;
}

function resultsByNamespace(report: Report): Map<string, NamespaceResults> {
  const { findings, skipped, collections } = report;
  const missing = missingKnown(report).flatMap(({ id, meaning, findings: ones }) =>
    ones.map((finding) => ({ ...finding, id, meaning })),
  );
  const namespaces = new Set([
    ...byNamespace(findings).map(({ namespace }) => namespace),
    ...skipped.flatMap(({ namespace }) => namespace ?? []),
    ...missing.map(({ namespace }) => namespace),
    ...collections.map(({ namespace }) => namespace),
  ]);
  const findingsOf = grouped(worstFirst(findings));
  const missingOf = grouped(missing);
  const skippedOf = grouped(skipped);
  const collectionOf = new Map(collections.map((collection) => [collection.namespace, collection]));
  return new Map(
    Array.from(namespaces, (namespace) => [
      namespace,
      {
        findings: findingsOf.get(namespace) ?? [],
        missing: missingOf.get(namespace) ?? [],
        skipped: skippedOf.get(namespace) ?? [],
        collection: collectionOf.get(namespace),
      },
    ]),
  );
}

function grouped<T extends { readonly namespace?: string | undefined }>(
  items: readonly T[],
): Map<string | undefined, T[]> {
  const groups = new Map<string | undefined, T[]>();
  for (const item of items) {
    const group = groups.get(item.namespace);
    if (group === undefined) groups.set(item.namespace, [item]);
    else group.push(item);
  }
  return groups;
}

function addCases(
  suite: TestSuite,
  namespace: string,
  { findings, missing, skipped, collection }: NamespaceResults,
): void {
  for (const finding of findings) addFinding(suite, finding);
  for (const { check, path, id, meaning } of missing) {
    const test = suite.testCase().className(namespace).name(caseName(check, path));
    if (id === 'not-seen' || id === 'still-there') test.skipped();
    test.standardOutput(meaning);
  }
  for (const entry of skipped) addSkipped(suite, namespace, entry);
  if (findings.length > 0) return;
  const documents = collection?.sampled?.documents ?? 0;
  if (documents > 0) suite.testCase().className(namespace).name('no anti-patterns in what was judged');
  else if (skipped.length === 0 && collection !== undefined) {
    const why = collection.notSampled ?? 'it holds no documents';
    suite
      .testCase()
      .className(namespace)
      .name('documents')
      .skipped()
      .standardOutput(characterData([`Documents not judged: ${why}`]));
  }
}

function addFinding(suite: TestSuite, finding: Finding): void {
  const test = suite.testCase().className(finding.namespace).name(caseName(finding.check, finding.path));
  const status = statusText(finding);
  const details = [...(status === null ? [] : [status]), ...detailLinesOf(finding)];
  if (isActive(finding))
    test.failure(finding.message, finding.severity).stacktrace(characterData([finding.message, ...details]));
  else test.skipped().standardOutput(characterData([finding.message, ...details]));
}

function addSkipped(suite: TestSuite, className: string, entry: Skipped): void {
  const { check, reason } = entry;
  const detail = detailOf(entry);
  const name = `${check === '*' ? 'every check' : check}: not judged (${reason})`;
  const test = suite.testCase().className(className).name(name);
  if (isFault(entry)) test.error(detail, reason, characterData([detail]));
  else test.skipped().standardOutput(characterData([detail]));
}

/** The same from run to run, so that a consumer can follow a finding. */
function caseName(check: string, path: string | null): string {
  return path === null ? check : `${check}: ${path}`;
}

/** The builder escapes only the first end of a CDATA section; a name could close it and go on as XML. */
function characterData(lines: readonly string[]): string {
  return lines.join('\n').replaceAll(']]>', ']]\\x3E');
}
