import { relative } from 'node:path';
import { shownUri } from '../connect/shown-uri.js';
import { settingsOf } from '../findings/check-settings.js';
import type { OptionSpec } from '../lint/option.js';
import { OPTIONS, type OptionName } from '../lint/options.js';
import type { ReportOutput } from './report-outputs.js';
import type { RunSettings, RunTarget } from './run-settings.js';

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
    const value = writtenValue(name, values[name], cwd);
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

/** As it is written in a configuration, or null if it sets nothing. */
function writtenValue(name: string, value: unknown, cwd: string): unknown {
  if (name !== 'format') return value;
  const outputs = (value as readonly ReportOutput[]).map(({ format, file }) =>
    file === null ? format : `${format}=${relative(cwd, file)}`,
  );
  return outputs.length === 0 ? ['table'] : outputs;
}
