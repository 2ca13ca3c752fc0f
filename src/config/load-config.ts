import { builtInChecks } from '../../checks/index.js';
import type { AnyCheck } from '../check.js';
import { REPORT_FORMATS, type ReportFormat } from '../report/formats.js';
import type { ConfigFile } from './config-file.js';
import { type ConfigSource, foundConfig } from './find-config.js';
import type { ParsedConfig } from './parse-config.js';
import type { LoadedPlugin, PluginReference } from './plugins/load-plugins.js';

/** Validated. Without a file it sets nothing. */
export interface LoadedConfig extends ParsedConfig {
  readonly file: ConfigFile | null;
  readonly plugins: readonly LoadedPlugin[];
  /** The built-in checks, then those of plugins, then those of house rules. */
  readonly checks: readonly AnyCheck[];
  /** The built-in report formats, then those of plugins. */
  readonly formats: readonly ReportFormat[];
}

/**
 * Loads the configuration and the plugins. Throws a LintError with file, line and key of each error.
 * @param found the file, if it has been looked for
 */
export async function loadConfig(source: ConfigSource, found?: ConfigFile | null): Promise<LoadedConfig> {
  const { cwd, plugins: flagged, beforeForeignCode } = source;
  const file = found === undefined ? await foundConfig(source) : found;
  const loaded = async (references: readonly PluginReference[]): Promise<LoadedPlugin[]> => {
    if (references.length === 0) return [];
    await beforeForeignCode?.();
    const { loadPlugins } = await import('./plugins/load-plugins.js');
    return loadPlugins(references);
  };
  const fromFlags = flagged.map((module) => ({ module, folder: cwd }));
  if (file === null) {
    const plugins = await loaded(fromFlags);
    return { file, values: {}, plugins, ...broughtBy(plugins), settings: {}, suppressions: [], owners: [] };
  }
  // Without a file a run starts faster without validation.
  const { configuredPlugins, parseConfig } = await import('./parse-config.js');
  const plugins = await loaded([...configuredPlugins(file), ...fromFlags]);
  const { sharedRules } = await import('./rules/shared-rules.js');
  const shared = await sharedRules(file, plugins);
  const brought = broughtBy(plugins);
  const checks = [...brought.checks, ...shared.checks];
  return { file, plugins, ...brought, checks, ...parseConfig(file, { plugins, configs: shared.configs }, checks) };
}

function broughtBy(plugins: readonly LoadedPlugin[]): Pick<LoadedConfig, 'checks' | 'formats'> {
  return {
    checks: [...builtInChecks, ...plugins.flatMap(({ checks }) => checks)],
    formats: [...REPORT_FORMATS, ...plugins.flatMap(({ formats }) => formats)],
  };
}
