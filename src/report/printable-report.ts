import type { Report } from './report.js';
import { terminalData, terminalText } from '../terminal-text.js';

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
