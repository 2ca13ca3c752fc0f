import { placeOf } from '../config/config-errors.js';
import type { LoadedPlugin } from '../config/plugins/load-plugins.js';
import { shownUri } from '../connect/shown-uri.js';
import type { OptionSpec } from '../lint/option.js';
import { OPTIONS } from '../lint/options.js';
import type { ReportOutput } from './report-outputs.js';
import type { RunSettings } from './run-settings.js';

const IN_THE_ENVIRONMENT = 'write "${MONGODB_URI}" and set the variable.';

/** What is set, with its origin and without secrets, for `--verbose`. `--print-config` has the defaults too. */
export function settingsText({ config, resolved, targets }: RunSettings): string {
  const lines = [
    `configuration: ${config.file?.name ?? 'none found'}`,
    ...config.plugins.map(pluginLine),
    ...targets.map(({ alias, uri, origin }) => {
      return line(alias === undefined ? 'uri' : `target ${alias}`, shownUri(uri), origin);
    }),
    ...[...resolved.origins]
      .filter(([, origin]) => origin !== 'default')
      .map(([option, origin]) =>
        line(option, valueText(option, (resolved.values as unknown as Record<string, unknown>)[option]), origin),
      ),
  ];
  return lines.join('\n');
}

/** A line for each password on the command line or in a file. */
export function passwordWarnings({ config: { file, values }, targets }: RunSettings): string[] {
  const warnings = targets
    .filter(({ uri, origin }) => origin === 'the argument' && hasPassword(uri))
    .map(() => 'A password given as an argument is visible to other users of this machine: use MONGODB_URI instead.');
  if (file === null) return warnings;
  const written = [
    { path: ['uri'], uri: values.uri ?? '' },
    ...(values.targets ?? []).map(({ uri }, index) => ({ path: ['targets', index, 'uri'], uri })),
  ];
  return warnings.concat(
    written
      .filter(({ uri }) => hasPassword(uri))
      .map(({ path }) => `${placeOf(file, path)}: a password in a file is easily shared: ${IN_THE_ENVIRONMENT}`),
  );
}

/** A reference to the environment does not count. */
function hasPassword(uri: string): boolean {
  return /^[^/]*\/\/[^/@]*:[^/@]+@/.test(uri.replaceAll(/\$\{\w+\}/g, ''));
}

function line(name: string, value: string, origin: string): string {
  return `${name}: ${value} (${origin})`;
}

function pluginLine({ meta, checks, formats }: LoadedPlugin): string {
  const names = [...checks.map(({ id }) => id), ...formats.map(({ name }) => `format ${name}`)];
  return `plugin ${meta.name} ${meta.version}: ${names.join(', ') || 'only configs'}`;
}

function valueText(option: string, value: unknown): string {
  if ((OPTIONS as Readonly<Record<string, OptionSpec>>)[option]?.isSecret === true) return '<secret>';
  if (option === 'format') {
    const outputs = (value as ReportOutput[]).map(({ format, file }) => (file === null ? format : `${format}=${file}`));
    return outputs.join(', ') || 'table';
  }
  return JSON.stringify(value);
}
