import { relative } from 'node:path';
import { placeOf } from '../config/config-file.js';
import type { LoadedPlugin } from '../config/plugins/load-plugins.js';
import { shownUri } from '../connect/shown-uri.js';
import { piecesRead } from '../evidence/sources.js';
import { enabledChecks, settingsOf } from '../findings/check-settings.js';
import { piecesNeeded } from '../findings/evidence-plan.js';
import type { OptionSpec } from '../lint/option.js';
import { OPTIONS, type OptionName } from '../lint/options.js';
import type { ReportOutput } from './report-outputs.js';
import type { RunSettings, RunTarget } from './run-settings.js';

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
  return option === 'format' ? formatsOf(value, (file) => file).join(', ') : JSON.stringify(value);
}

/**
 * What a run would use, as a configuration in YAML: every option that a configuration can set, each with where its value
 * comes from, and every check with its severity and its thresholds. Secrets are left out.
 */
export function effectiveConfig({ config, resolved, targets }: RunSettings, cwd: string): string {
  const values = resolved.values as unknown as Readonly<Record<string, unknown>>;
  const options = [...resolved.origins].flatMap(([name, origin]) => {
    const { configKey = name, inConfig, isSecret }: OptionSpec = OPTIONS[name as OptionName];
    if (inConfig === undefined) return [];
    if (isSecret === true) return [`# ${configKey} is set, and a secret (${origin})`];
    const value = name === 'format' ? formatsOf(values[name], (file) => relative(cwd, file)) : values[name];
    return value === null ? [] : [`${configKey}: ${JSON.stringify(value)} # ${origin}`];
  });
  const lines = [
    `# configuration: ${config.file?.name ?? 'none found'}`,
    ...targetLines(targets),
    ...options,
    ...suppressionLines(config.suppressions),
    ...(config.owners.length === 0 ? [] : [`owners: ${JSON.stringify(config.owners)}`]),
    'checks:',
    ...config.checks.map((check) => {
      const { off, severity, thresholds } = settingsOf(check, null, config.settings);
      const { namespaces = [] } = config.settings[check.id] ?? {};
      const setting = {
        ...(off ? { severity: 'off' } : severity !== undefined && { severity }),
        ...(Object.keys(thresholds).length > 0 && { thresholds }),
        ...(namespaces.length > 0 && { namespaces }),
      };
      return `  ${JSON.stringify(check.id)}: ${JSON.stringify(setting)}`;
    }),
    `# read for the enabled checks: ${piecesRead(piecesNeeded(enabledChecks(config.checks, config.settings))).join(', ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function targetLines(targets: RunSettings['targets']): string[] {
  const [first, ...others] = targets;
  if (first?.alias === undefined && others.length === 0) {
    return first === undefined ? [] : [`uri: ${JSON.stringify(shownUri(first.uri))} # ${first.origin}`];
  }
  return ['targets:', ...targets.map(targetLine)];
}

function targetLine({ alias, uri, origin }: RunTarget): string {
  return `  - ${JSON.stringify({ alias, uri: shownUri(uri) })} # ${origin}`;
}

function suppressionLines(suppressions: RunSettings['config']['suppressions']): string[] {
  if (suppressions.length === 0) return [];
  return ['suppressions:', ...suppressions.map(({ by, ...rest }) => `  - ${JSON.stringify(rest)} # ${by}`)];
}

/** The formats as they are written, a table by default. */
function formatsOf(value: unknown, nameOf: (file: string) => string): string[] {
  const outputs = (value as readonly ReportOutput[]).map(({ format, file }) =>
    file === null ? format : `${format}=${nameOf(file)}`,
  );
  return outputs.length === 0 ? ['table'] : outputs;
}
