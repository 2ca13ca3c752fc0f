import type { Finding, ReportFormat } from 'mongolint';

const COLUMNS = ['severity', 'confidence', 'check', 'namespace', 'path', 'title', 'suppressed'] as const;

export const csv: ReportFormat = {
  // With the plugin's name it becomes money/csv: mongolint --format money/csv=findings.csv
  name: 'csv',
  description: 'open it as a spreadsheet: a line for each finding',
  extension: 'csv',
  render: ({ findings }) => [COLUMNS.join(','), ...findings.map(line)].map((text) => `${text}\r\n`).join(''),
};

function line(finding: Finding): string {
  return COLUMNS.map((column) => {
    const value = column === 'suppressed' ? finding.suppressed?.reason : finding[column];
    return quoted(value ?? '');
  }).join(',');
}

/** Source: RFC 4180, "Common Format and MIME Type for CSV Files". */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
