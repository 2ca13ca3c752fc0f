import type { AnyCheck } from '../src/check.js';
import { summaryOf } from '../src/cli/catalogue-commands.js';
import { commandOptions, optionDescription } from '../src/cli/command-option.js';
import { OPTION_LIST } from '../src/lint/options.js';
import type { ReportFormat } from '../src/report/formats.js';

/** Replaces what stands between `<!-- name:start -->` and `<!-- name:end -->`. Throws if the marks are missing. */
export function withSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The marks ${start} and ${end} are missing.`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

/** The table of checks; `pages` is the folder of their pages, as the page with the table names it. */
export function checksTable(checks: readonly AnyCheck[], pages: string): string {
  const rows = checks.map((check) => `| [\`${check.id}\`](${pages}/${check.id}.md) | ${summaryOf(check)} |`);
  return ['| check | flags |', '| --- | --- |', ...rows].join('\n');
}

/** What most people come for, in this order. */
const MISSION = [
  'unbounded-array',
  'missing-lookup-index',
  'heavy-lookup',
  'oversized-document',
  'monotonic-shard-key',
];

/** The five checks of the README, and how many more there are. */
export function missionTable(checks: readonly AnyCheck[]): string {
  const shown = MISSION.flatMap((id) => checks.filter((check) => check.id === id));
  return `${checksTable(shown, 'checks')}\n\nAnd [${checks.length - shown.length} more](docs/checks.md).`;
}

/** The table of options. */
export function optionsTable(): string {
  const rows = OPTION_LIST.flatMap(([name, { inConfig, configKey = name }]) => {
    const key = inConfig === undefined ? '' : `\`${configKey}\`${inConfig === 'target' ? ' *' : ''}`;
    return commandOptions(name).map((option) => `| \`${option.flags}\` | ${optionDescription(option)} | ${key} |`);
  });
  return ['| option | meaning | in the configuration |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The table of report formats. */
export function formatsTable(formats: readonly ReportFormat[]): string {
  const rows = formats.map(({ name, description }) => `| \`${name}\` | ${description} |`);
  return ['| format | how to use it |', '| --- | --- |', ...rows].join('\n');
}
