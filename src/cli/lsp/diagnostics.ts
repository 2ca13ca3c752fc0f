import type { CodeAction, Diagnostic, Range, TextEdit } from 'vscode-languageserver-protocol';
import { unfinishedIgnore } from '../../code/ignores.js';
import { lineText } from '../../code/source-line.js';
import type { UnderstoodCode } from '../../code/understood-code.js';
import type { Finding, FindingLocation, Severity } from '../../finding.js';
import { inWords } from '../../format.js';
import { isActive } from '../../report/finding-status.js';
import { COMMAND_WIDTH } from '../../report/finding-text.js';
import { certainLocation, findingView, headlineOf } from '../../report/finding-view.js';
import { mongoshStatement } from '../../report/remedy-steps.js';
import type { Report } from '../../report/report.js';

/** The command of the server that shows a text for people to copy: the protocol has no clipboard. */
export const SHOW_COMMAND = 'mongolint.showCommand';

/** As the protocol numbers them. */
const SEVERITIES: Readonly<Record<Severity, 1 | 2 | 3>> = { error: 1, warning: 2, info: 3 };
const HINT = 4;

/** Beyond the end of any line, which is what the protocol makes of it. */
const LINE_END = 10_000;

/** A finding, and a line that it is shown at. */
export interface ShownFinding {
  readonly finding: Finding;
  readonly location: FindingLocation;
}

/** The findings that count, at each line that is to be changed: at certain ones, or else at those that may be meant. */
export function shownFindings({ findings }: Pick<Report, 'findings'>): ShownFinding[] {
  return findings.filter(isActive).flatMap((finding) => {
    const { locations = [] } = finding;
    const first = certainLocation(finding) ?? locations[0];
    const shown = locations.filter(({ of, certain }) => of === first?.of && certain === first.certain);
    return shown.map((location) => ({ finding, location }));
  });
}

export function diagnosticOf({ finding, location }: ShownFinding, code: UnderstoodCode): Diagnostic {
  const others = (finding.locations ?? []).filter(
    ({ of, line, file }) => of === location.of && lineText({ line, file }) !== lineText(location),
  );
  const view = findingView(finding);
  const maybe = location.certain ? '' : ` It may be this line, or ${inWords(others.map(lineText))}.`;
  return {
    range: rangeOf(location, code),
    severity: location.certain ? SEVERITIES[finding.severity] : HINT,
    source: 'mongolint',
    code: finding.check,
    message: `${headlineOf(view)}\n${view.message}${maybe}`,
  };
}

/** The name of the method that is called, or else the line. */
function rangeOf({ file, line }: FindingLocation, { places }: UnderstoodCode): Range {
  const place = places.find((each) => each.file === file && each.line === line && each.column !== undefined);
  const start = place?.column === undefined ? 0 : place.column - 1;
  const end = place === undefined ? LINE_END : start + place.method.length;
  return { start: { line: line - 1, character: start }, end: { line: line - 1, character: end } };
}

/** What needs nobody's decision: the comment that ignores it, without its reason, and a look at the command of an index. */
export function actionsFor({ finding, location }: ShownFinding, uri: string, lineBefore: string): CodeAction[] {
  const kind = 'quickfix';
  const { check, remedy } = finding;
  const indent = /^\s*/.exec(lineBefore)?.[0] ?? '';
  const at = { line: location.line - 1, character: 0 };
  const ignore: TextEdit = { range: { start: at, end: at }, newText: `${indent}${unfinishedIgnore(check)}\n` };
  const statements = (remedy.commands ?? [])
    .filter(({ command }) => 'createIndexes' in command)
    .map((command) => mongoshStatement(command, COMMAND_WIDTH).join('\n'));
  return [
    // Without a certain line, the comment would not count.
    ...(location.certain
      ? [{ title: `Ignore ${check} here: write the reason`, kind, edit: { changes: { [uri]: [ignore] } } }]
      : []),
    ...statements.map((statement) => {
      const title = `Show the command: ${statement.replaceAll(/\s+/g, ' ')}`;
      return { title, kind, command: { title, command: SHOW_COMMAND, arguments: [statement] } };
    }),
  ];
}
