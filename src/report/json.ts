import { reportSchema, type Report } from './report.js';
import { terminalJson } from './terminal-text.js';

/**
 * The report as JSON: indented by 2, with a newline at the end. Keys stand in the order of the schema, figures of the
 * evidence and commands in the order given (a command's first key is its name). What would act on a terminal or could
 * not be seen is escaped, which changes no value.
 *
 * @throws z.ZodError where the report is not as its schema says, for example with a figure that is not a number.
 */
export function renderJson(report: Report): string {
  return `${terminalJson(JSON.stringify(reportSchema.parse(report), null, 2))}\n`;
}
