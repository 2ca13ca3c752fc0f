import { writtenReport } from './skipped-groups.js';
import { reportSchema, type Report } from './report.js';
import { listed } from './text-layout.js';
import { pathText, validParts } from '../valid-parts.js';

/** Of the parts that do not match the schema, those that are named. */
const NAMED_PARTS = 5;

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
