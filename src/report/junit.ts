import { packageInfo } from '../files/package-root.js';
import type { Finding, Skipped } from '../finding.js';
import { failingSeverities } from '../finding/severity.js';
import { worstFirst } from '../findings/finding-order.js';
import { groupedBy } from '../grouped-by.js';
import { isFault } from '../presence.js';
import { terminalText } from '../text/terminal-text.js';
import { conclusion } from './conclusion.js';
import { isActive } from './finding-status.js';
import { findingLines } from './finding-text.js';
import { findingView } from './finding-view.js';
import { missingKnown } from './missing-known.js';
import { PLAIN } from './paint.js';
import { printableReport } from './printable-report.js';
import { RENDER_DEFAULTS, type RenderOptions } from './report-options.js';
import type { Report } from './report.js';
import type { ReportedCollection } from './reported-collection.js';
import { failuresOf } from './run-failure.js';
import { detailOf, writtenReport } from './skipped.js';
import type { FailedTarget } from './target-reports.js';

/** Why a test did not pass. */
interface Problem {
  readonly message: string;
  readonly type: string;
  readonly content?: string;
}

interface TestCase {
  readonly name: string;
  readonly failure?: Problem;
  readonly error?: Problem;
  readonly skipped?: boolean;
  readonly output?: string;
}

/** Its name is also the class name of its tests. */
interface TestSuite {
  readonly name: string;
  readonly tests: readonly TestCase[];
}

type Attributes = Readonly<Record<string, string | number>>;

/** What XML 1.0 allows, by https://www.w3.org/TR/xml/#charsets; lone surrogates are not among it. */
const NOT_ALLOWED = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** For what concerns more than one collection. */
const CLUSTER_SUITE = 'cluster';

/**
 * The report as JUnit XML: a suite for each namespace, the worst first. A finding that fails the run is a failure, a fault an
 * error; what is suppressed, known, still there, not judged or not seen is skipped; what is clean, fixed or gone passes, and so
 * does a finding that does not fail the run, with its text as output. There is always at least one test, so that a run that
 * judged nothing does not look like one without tests.
 */
export function renderJunit(
  report: Report,
  { failOn, maxWarnings }: Pick<RenderOptions, 'failOn' | 'maxWarnings'> = RENDER_DEFAULTS,
): string {
  const safe = printableReport(writtenReport(report));
  const warnings = safe.findings.filter((finding) => isActive(finding) && finding.severity === 'warning').length;
  const failing = failingSeverities(failOn, maxWarnings, warnings);
  const suites = namespaceSuites(safe, ({ severity }) => failing.has(severity));
  const isSampled = safe.collections.some(({ sampled }) => sampled !== null && sampled.documents > 0);
  const notices = (safe.notices ?? []).map(({ text }) => text);
  const summary: TestCase[] = [
    ...safe.skipped.filter(({ namespace }) => namespace === undefined).map(skippedCase),
    ...failuresOf(safe).map(({ reason, detail }) => ({
      name: `not linted to the end: ${reason}`,
      error: { message: detail, type: reason },
    })),
    { name: 'summary', skipped: !isSampled, output: [conclusion(safe, PLAIN), ...notices].join('\n') },
  ];
  return junitXml(suitesName(safe), timestampOf(safe.startedAt), [...suites, { name: CLUSTER_SUITE, tests: summary }]);
}

export function renderFailedJunit({ target, message, at }: FailedTarget): string {
  const error = { message: terminalText(message), type: 'not-linted' };
  const suites = [{ name: CLUSTER_SUITE, tests: [{ name: 'not linted', error }] }];
  return junitXml(suitesName({ tool: packageInfo(), target }), timestampOf(at.toISOString()), suites);
}

/** Without a zone, and so in UTC. */
function timestampOf(iso: string): string {
  return iso.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}

function suitesName({ tool, target }: { readonly tool: Report['tool']; readonly target?: string | undefined }): string {
  return target === undefined ? tool.name : `${tool.name} ${target}`;
}

/** A suite for each namespace, first those with findings, the worst first. */
function namespaceSuites(report: Report, fails: (finding: Finding) => boolean): TestSuite[] {
  const findings = groupedBy(worstFirst(report.findings), ({ namespace }) => namespace);
  const skipped = groupedBy(report.skipped, ({ namespace }) => namespace);
  const missing = groupedBy(
    missingKnown(report).flatMap(({ id, meaning, findings: ones }) => ones.map((one) => ({ ...one, id, meaning }))),
    ({ namespace }) => namespace,
  );
  const collections = new Map(report.collections.map((collection) => [collection.namespace, collection]));
  const names = new Set([...findings.keys(), ...skipped.keys(), ...missing.keys(), ...collections.keys()]);
  return [...names].flatMap((name) => {
    if (name === undefined) return [];
    const judged = [
      ...(findings.get(name) ?? []).map((finding) => findingCase(finding, fails(finding))),
      ...(missing.get(name) ?? []).map(({ check, path, id, meaning }) => ({
        name: caseName(check, path),
        skipped: id === 'not-seen' || id === 'still-there',
        output: meaning,
      })),
      ...(skipped.get(name) ?? []).map(skippedCase),
    ];
    return {
      name,
      tests: findings.has(name) ? judged : [...judged, ...sampleCases(collections.get(name), skipped.has(name))],
    };
  });
}

/** Whether the documents of a collection without findings were judged. */
function sampleCases(collection: ReportedCollection | undefined, isSkipped: boolean): TestCase[] {
  const documents = collection?.sampled?.documents ?? 0;
  if (documents > 0) return [{ name: 'no anti-patterns in what was judged' }];
  if (isSkipped || collection === undefined) return [];
  const why = collection.notSampled ?? 'it holds no documents';
  return [{ name: 'documents', skipped: true, output: `Documents not judged: ${why}` }];
}

function findingCase(finding: Finding, fails: boolean): TestCase {
  const { check, path, message, severity } = finding;
  const name = caseName(check, path);
  const content = findingLines(findingView(finding)).join('\n');
  if (isActive(finding) && !fails) return { name, output: `${severity}: ${content}` };
  return isActive(finding)
    ? { name, failure: { message, type: severity, content } }
    : { name, skipped: true, output: content };
}

function skippedCase(entry: Skipped): TestCase {
  const { check, reason } = entry;
  const detail = detailOf(entry);
  const name = `${check === '*' ? 'every check' : check}: not judged (${reason})`;
  return isFault(entry)
    ? { name, error: { message: detail, type: reason, content: detail } }
    : { name, skipped: true, output: detail };
}

/** The same from run to run, so that a consumer can follow a finding. */
function caseName(check: string, path: string | null): string {
  return path === null ? check : `${check}: ${path}`;
}

/** A report in the form that Jenkins' schema asks for. `timestamp` is without a zone, as every schema of the format wants it. */
function junitXml(name: string, timestamp: string, suites: readonly TestSuite[]): string {
  // Jenkins' schema knows the number of skipped tests on the suites only.
  const { skipped: _, ...totals } = totalsOf(suites.flatMap(({ tests }) => tests));
  const elements = suites.map((suite) =>
    element(
      'testsuite',
      { name: suite.name, timestamp, ...totalsOf(suite.tests) },
      suite.tests.map((test) => caseElement(suite.name, test)),
    ),
  );
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', element('testsuites', { name, ...totals }, elements), ''];
  return lines.join('\n');
}

function totalsOf(tests: readonly TestCase[]) {
  const count = (isCounted: (test: TestCase) => boolean) => tests.filter(isCounted).length;
  return {
    tests: tests.length,
    failures: count(({ failure }) => failure !== undefined),
    errors: count(({ error }) => error !== undefined),
    skipped: count(({ skipped }) => skipped === true),
  };
}

function caseElement(classname: string, { name, failure, error, skipped, output }: TestCase): string {
  const children = [
    ...(failure === undefined ? [] : [problemElement('failure', failure)]),
    ...(error === undefined ? [] : [problemElement('error', error)]),
    ...(skipped === true ? [element('skipped')] : []),
    ...(output === undefined ? [] : [element('system-out', {}, characterData(output))]),
  ];
  return element('testcase', { classname, name }, children);
}

function problemElement(tag: string, { message, type, content }: Problem): string {
  return element(tag, { message, type }, content === undefined ? [] : characterData(content));
}

/** With elements in it, each on lines of its own, or with text. */
function element(tag: string, attributes: Attributes = {}, content: string | readonly string[] = []): string {
  const start = [tag, ...Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`)].join(' ');
  if (typeof content === 'string') return `<${start}>${content}</${tag}>`;
  if (content.length === 0) return `<${start}/>`;
  return `<${start}>\n${content.map(indented).join('\n')}\n</${tag}>`;
}

/** Lines within text stay where they are. */
function indented(xml: string): string {
  return xml.replaceAll(/<!\[CDATA\[[^]*?\]\]>|^/gm, (found) => (found === '' ? '  ' : found));
}

function escaped(value: string | number): string {
  return String(value)
    .replace(NOT_ALLOWED, '')
    .replace(/[&<"\t\n\r]/g, (character) => ESCAPES[character] as string);
}

/** A name could close the section and go on as XML. */
function characterData(text: string): string {
  return `<![CDATA[${text.replace(NOT_ALLOWED, '').replaceAll(']]>', ']]\\x3E')}]]>`;
}
