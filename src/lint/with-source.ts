import type { Ignore } from '../code/ignores.js';
import { lineText } from '../code/source-line.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import type { Finding } from '../finding.js';
import { markedEach, separated } from '../findings/further-reasons.js';
import { withLocations } from '../findings/locations.js';
import { reportedRemedy, type StampedFinding } from '../findings/stamp.js';
import type { IndexDescription } from '../inventory/collection.js';
import { findingCounts } from '../report/build-report.js';
import { codeCoverage } from '../report/code-coverage.js';
import { schemaLines } from '../report/remedy-steps.js';
import type { ReportNotice } from '../report/report-notice.js';
import type { Report } from '../report/report.js';

/**
 * The report with the lines that its findings are about, what comments there say of them, and how much is understood.
 *
 * @param indexesOf the indexes of a namespace, empty if they are unknown
 */
export function withSource(
  report: Report,
  stamped: readonly StampedFinding[],
  code: UnderstoodCode,
  indexesOf: (namespace: string) => readonly IndexDescription[],
): Report {
  const namespaces = report.collections.map(({ namespace }) => namespace);
  const located = withLocations(report.findings, stamped, code, { indexesOf, namespaces }).map(withSchemaStep);
  const findings = located.flatMap((finding) => markedEach(finding, (one) => ignoredBy(code.ignores, one)));
  const notices = code.ignores.filter((ignore) => isUnused(ignore, located, report)).map(noticeOf);
  return {
    ...report,
    summary: {
      ...report.summary,
      ...findingCounts(findings),
    },
    findings,
    ...(notices.length > 0 && { notices: [...(report.notices ?? []), ...notices] }),
    code: codeCoverage(code),
  };
}

/** Where the source has the schema of a collection, an index is first of all to be declared there: databases come and go. */
function withSchemaStep(finding: Finding): Finding {
  const [places, indexes] = [schemaPlaces(finding), indexLines(finding)];
  if (places.length === 0 || indexes.length === 0) return finding;
  const step = {
    text: `Declare it with the schema, at \`${places.join('` or `')}\`: each database that the code builds then has it. The command is for those that exist.`,
    code: indexes.join('\n'),
  };
  return { ...finding, remedy: reportedRemedy({ steps: [step, ...finding.remedy.steps] }) };
}

/** In a build, without the place of the schema: the database is thrown away, and production needs the change, too. */
export function withBuildSteps(report: Report): Report {
  const findings = report.findings.map((finding) => {
    const commands = finding.remedy.commands ?? [];
    const lines = indexLines(finding);
    const isNamed = schemaPlaces(finding).length > 0 && lines.length > 0;
    if (commands.length === 0 || isNamed) return finding;
    const step = {
      text: `Change the code that builds this database, its schema or a migration: a build throws the database away. The ${commands.length === 1 ? 'command is' : 'commands are'} for those that stay, such as production.`,
      ...(lines.length > 0 && { code: lines.join('\n') }),
    };
    return { ...finding, remedy: reportedRemedy({ steps: [step, ...finding.remedy.steps] }) };
  });
  return { ...report, findings };
}

/** Where the source has the schema of what it is about. */
function schemaPlaces({ locations = [] }: Finding): string[] {
  return locations.filter(({ of }) => of === 'schema').map(lineText);
}

/** The indexes of its remedy as lines of a schema. */
function indexLines({ remedy: { commands = [] } }: Finding): string[] {
  return commands.flatMap(({ command }) => schemaLines(command));
}

function ignoredBy(ignores: readonly Ignore[], finding: Finding): Finding {
  const ignore = ignores.find((each) => isMeant(each, finding));
  if (ignore === undefined) return finding;
  return { ...finding, suppressed: { by: lineText(ignore), reason: ignore.reason, expires: null } };
}

/** A comment stands at the end of the line, or above it. */
function isMeant({ check, file, line }: Ignore, { check: found, locations = [] }: Finding): boolean {
  return (
    check === found &&
    locations.some((each) => each.certain && each.file === file && (each.line === line || each.line === line + 1))
  );
}

/** Whether the check judged all that it could, and found nothing there. */
function isUnused(ignore: Ignore, findings: readonly Finding[], { checks = [], skipped }: Report): boolean {
  if (findings.some((finding) => separated(finding).some((one) => isMeant(ignore, one)))) return false;
  const judged = checks.some(({ check, judged: times }) => check === ignore.check && times > 0);
  return judged && !skipped.some(({ check }) => check === ignore.check || check === '*');
}

function noticeOf(ignore: Ignore): ReportNotice {
  return {
    kind: 'suppression-unused',
    text: `${lineText(ignore)} ignores ${ignore.check}, which reports nothing there: remove the comment, or correct it.`,
  };
}
