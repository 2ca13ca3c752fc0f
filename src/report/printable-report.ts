import { pathText, validParts } from '../evidence-file/valid-parts.js';
import { terminalData, terminalText } from '../text/terminal-text.js';
import { type Report, reportSchema } from './report.js';
import { writtenReport } from './skipped.js';
import { listed } from './text-layout.js';

/** How many of the parts that do not match the schema are named. */
const NAMED_PARTS = 5;

/**
 * The report with every text made safe and honest to show: what would act or could not be seen is written out, as
 * {@link terminalText} does. Commands and code stay as they are: they are escaped as the JavaScript that they become.
 */
export function printableReport(report: Report): Report {
  return {
    ...terminalData({ ...report, findings: [] }),
    findings: report.findings.map((finding) => ({
      ...terminalData({ ...finding, remedy: null }),
      remedy: {
        ...finding.remedy,
        steps: finding.remedy.steps.map((step) => ({ ...step, text: terminalText(step.text) })),
        text: terminalText(finding.remedy.text),
      },
    })),
  };
}

/** What of a report matches its schema. An entry of `skipped` names the rest: one odd figure never costs what was found. */
export function validReport(report: Report): Report {
  const written = writtenReport(report);
  const parsed = reportSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  const { value, omitted, isValid } = validParts(reportSchema, written);
  const names = omitted.slice(0, NAMED_PARTS).map(pathText);
  const detail = `not in this report, since it does not match the schema of reports: ${listed(names, NAMED_PARTS, omitted.length)}. Run with --verbose and report it.`;
  const whole = {
    ...(value as Report),
    skipped: [...(value as Report).skipped, { check: '*', reason: 'malformed' as const, detail }],
  };
  return isValid ? reportSchema.parse(whole) : whole;
}
