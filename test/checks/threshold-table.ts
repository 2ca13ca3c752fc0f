import { formatBytes, type AnyCheck, type Threshold } from '../../src/check.js';

/** Where the table stands on a check's page. */
export const TABLE_START = '<!-- thresholds:start -->';
export const TABLE_END = '<!-- thresholds:end -->';

/** The table of a check's thresholds as its page shows it, markers included. */
export function thresholdTable(check: AnyCheck): string {
  const rows = Object.entries(check.thresholds as Record<string, Threshold>).map(
    ([name, threshold]) =>
      `| \`${name}\` | ${defaultText(threshold)} | ${threshold.unit} | ${threshold.description} | ${threshold.source} |`,
  );
  const header = ['| threshold | default | unit | decides | source |', '| --- | --- | --- | --- | --- |'];
  return [TABLE_START, ...header, ...rows, TABLE_END].join('\n');
}

function defaultText({ default: value, unit }: Threshold): string {
  const digits = value.toLocaleString('en-US', { maximumFractionDigits: 3 });
  return unit === 'bytes' ? `${digits} (${formatBytes(value)})` : digits;
}
