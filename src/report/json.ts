import { writtenReport } from './skipped-groups.js';
import { reportSchema, type Report } from './report.js';
import { terminalJson } from '../terminal-text.js';

/**
 * The report as JSON, with keys in the order of the schema; figures and commands stay in the order given, since a command's
 * first key is its name. What would act on a terminal or could not be seen is escaped.
 *
 * @throws z.ZodError if the report does not match its schema
 */
export function renderJson(report: Report): string {
  return `${terminalJson(JSON.stringify(reportSchema.parse(writtenReport(report)), null, 2))}\n`;
}
