import { writtenReport } from './skipped-groups.js';
import { reportSchema, type Report } from './report.js';
import { listed } from './text-layout.js';
import { pathText, validParts } from '../valid-parts.js';
import { terminalJson } from '../terminal-text.js';

/** Of the parts that do not match the schema, those that are named. */
const NAMED_PARTS = 5;

/**
 * The report as JSON, with keys in the order of the schema; figures and commands stay in the order given, since a command's
 * first key is its name. What would act on a terminal or could not be seen is escaped.
 */
export function renderJson(report: Report): string {
  return `${terminalJson(JSON.stringify(validReport(report), null, 2))}\n`;
}

/** What of a report matches its schema. An entry of `skipped` names the rest: one odd figure never costs what was found. */
export function validReport(report: Report): Report {
  const written = writtenReport(report);
  const parsed = reportSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  const { value, omitted, isValid } = validParts(reportSchema, written);
  const names = omitted.slice(0, NAMED_PARTS).map(pathText);
  const detail = `not in this report, since it does not match the schema of reports: ${listed(names, NAMED_PARTS, '', omitted.length)}. Run with --verbose and report it.`;
  const whole = {
    ...(value as Report),
    skipped: [...(value as Report).skipped, { check: '*', reason: 'malformed' as const, detail }],
  };
  return isValid ? reportSchema.parse(whole) : whole;
}
