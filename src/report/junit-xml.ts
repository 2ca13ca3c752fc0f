/** Why a test did not pass. */
export interface Problem {
  readonly message: string;
  readonly type: string;
  readonly content?: string;
}

export interface TestCase {
  readonly name: string;
  readonly failure?: Problem;
  readonly error?: Problem;
  readonly skipped?: boolean;
  readonly output?: string;
}

/** Its name is also the class name of its tests. */
export interface TestSuite {
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

/** A report in the form that Jenkins' schema asks for. `timestamp` is without a zone, as every schema of the format wants it. */
export function junitXml(name: string, timestamp: string, suites: readonly TestSuite[]): string {
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
