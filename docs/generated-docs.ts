import type { Command } from 'commander';
import { optionDescription } from '../src/cli/command-option.js';
import { defaultText } from '../src/cli/page-text.js';
import type { AnyCheck, Threshold } from '../src/check.js';
import type { ReportFormat } from '../src/report/formats.js';

/** Replaces what stands between `<!-- name:start -->` and `<!-- name:end -->`. Throws where the marks are missing. */
export function withSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The marks ${start} and ${end} are missing.`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

/** README's table of checks. */
export function checksTable(checks: readonly AnyCheck[]): string {
  const rows = checks.map(({ id, summary }) => `| [\`${id}\`](checks/${id}.md) | ${summary} |`);
  return ['| check | flags |', '| --- | --- |', ...rows].join('\n');
}

/** README's table of options. */
export function optionsTable(program: Command): string {
  const rows = program.options.map((option) => `| \`${option.flags}\` | ${optionDescription(option)} |`);
  return ['| option | meaning |', '| --- | --- |', ...rows].join('\n');
}

/** README's table of report formats. */
export function formatsTable(formats: readonly ReportFormat[]): string {
  const rows = formats.map(({ name, description }) => `| \`${name}\` | ${description} |`);
  return ['| format | how to use it |', '| --- | --- |', ...rows].join('\n');
}

/** The table of thresholds in a check's page. */
export function thresholdsTable({ thresholds }: AnyCheck): string {
  const rows = Object.entries(thresholds as Record<string, Threshold>).map(
    ([name, threshold]) =>
      `| \`${name}\` | ${defaultText(threshold)} | ${threshold.description} | ${threshold.source} |`,
  );
  return ['| threshold | default | decides | source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
