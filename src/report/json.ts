import { terminalJson } from '../text/terminal-text.js';
import { validReport } from './printable-report.js';
import type { Report } from './report.js';

/**
 * The report as JSON, with keys in the order of the schema; figures and commands stay in the order given, since a command's
 * first key is its name. What would act on a terminal or could not be seen is escaped.
 */
export function renderJson(report: Report): string {
  return `${terminalJson(JSON.stringify(validReport(report), null, 2))}\n`;
}
