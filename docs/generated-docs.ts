import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyCheck } from '../src/check.js';
import { summaryOf } from '../src/cli/catalogue-commands.js';
import { commandOptions, optionDescription } from '../src/cli/command-option.js';
import { packageRoot } from '../src/files/package-root.js';
import { OPTION_LIST } from '../src/lint/options.js';
import type { ReportFormat } from '../src/report/formats.js';

/** What the policy of checks begins with. */
const FIRST_VERSION = '1.0.0';

/** Replaces what stands between `<!-- name:start -->` and `<!-- name:end -->`. Throws if the marks are missing. */
export function withSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The marks ${start} and ${end} are missing.`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

/** Ends the page of a check with the version that it came with. */
export function withSince(page: string, { since = FIRST_VERSION, preview }: AnyCheck): string {
  const text = preview === true ? `${since}, in preview: it counts with \`preview: true\` only` : since;
  return `${page.replace(/\n\*Since [^*]+\*\n$/, '').trimEnd()}\n\n*Since ${text}.*\n`;
}

/** The list of checks; `pages` is the folder of their pages, as the page with the list names it. */
export function checksList(checks: readonly AnyCheck[], pages: string): string {
  return checks.map((check) => `- [\`${check.id}\`](${pages}/${check.id}.md): ${summaryOf(check)}`).join('\n');
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
export function missionList(checks: readonly AnyCheck[]): string {
  const shown = MISSION.flatMap((id) => checks.filter((check) => check.id === id));
  return `${checksList(shown, 'checks')}\n- and [${checks.length - shown.length} more](docs/checks.md).`;
}

/** What was measured of commands and findings, by the pages on which the suites write it. */
export function proofList(): string {
  const replayed =
    /(?<workloads>[\d,]+) workloads with (?<shapes>[\d,]+) shapes of operations, before and after (?<commands>[\d,]+) commands: (?<worse>\d+) got worse\. The \d+ shapes that the commands are for examined (?<before>[\d,]+) documents before and (?<after>[\d,]+) after/.exec(
      measured('test/prove/README.md'),
    )?.groups;
  const applications = measured('test/applications/README.md');
  const [, useful, noise, wrong] = /^\| all \| +\| +\| (\d+) \| (\d+) \| (\d+) \|$/m.exec(applications) ?? [];
  if (replayed === undefined || useful === undefined) throw new Error('The measured figures are not on their pages.');
  return [
    `- **Its commands help.** ${replayed['commands']} printed commands were replayed on ${replayed['workloads']} recorded workloads. Documents examined fell from ${replayed['before']} to ${replayed['after']}; ${replayed['worse']} of ${replayed['shapes']} kinds of operations got worse ([measured](test/prove/README.md)).`,
    `- **Its findings are worth reading.** On real applications, ${useful} findings were labelled useful, ${noise} noise, ${wrong} wrong ([labelled](test/applications/README.md)).`,
  ].join('\n');
}

function measured(page: string): string {
  return readFileSync(join(packageRoot(), page), 'utf8');
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
