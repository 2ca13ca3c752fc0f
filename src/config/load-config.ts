import { dirname } from 'node:path';
import { z } from 'zod';
import { builtInChecks } from '../../checks/index.js';
import type { AnyCheck } from '../check.js';
import type { PluginConfig } from '../plugins/plugin.js';
import type { LoadedPlugin, PluginReference } from '../plugins/load-plugins.js';
import type { CheckSetting, CheckSettings } from '../policy/check-settings.js';
import { checkMatcher, type Suppression } from '../policy/suppression.js';
import { didYouMean } from '../spelling.js';
import { configError, issuesOf, placeOf, type ConfigIssue } from './config-errors.js';
import { checksSchema, configSchema, type Config } from './config-schema.js';
import { findConfig, type ConfigFile } from './find-config.js';

/** Where the configuration comes from. */
export interface ConfigSource {
  /** The folder in which it is looked for, and then in those above. */
  readonly cwd: string;
  /** A file named by the user, in place of looking for one. */
  readonly file?: string;
  /** Plugins named besides those of the file, resolved from `cwd`. */
  readonly plugins: readonly string[];
}

/** The configuration of a run, validated. Without a file it sets nothing. */
export interface LoadedConfig {
  readonly file: ConfigFile | null;
  /** The file's keys, as they are written. */
  readonly values: Config;
  readonly plugins: readonly LoadedPlugin[];
  /** The built-in checks, then those of plugins. */
  readonly checks: readonly AnyCheck[];
  /** What is set for the checks: the file's own settings over those that it extends, check by check. */
  readonly settings: CheckSettings;
  readonly suppressions: readonly Suppression[];
}

/**
 * Finds, reads and validates the configuration, and loads the plugins.
 *
 * @throws LintError that names file, line and key of everything that is wrong
 */
export async function loadConfig({ cwd, file: named, plugins: flagged }: ConfigSource): Promise<LoadedConfig> {
  const file = await findConfig(cwd, named);
  const plugins = await loaded([...pluginsOf(file), ...flagged.map((module) => ({ module, folder: cwd }))]);
  const checks = [...builtInChecks, ...plugins.flatMap((plugin) => plugin.checks)];
  if (file === null) return { file, values: {}, plugins, checks, settings: {}, suppressions: [] };
  const parsed = configSchema(checks).safeParse(file.value);
  if (!parsed.success) throw configError(file, issuesOf(parsed.error));
  const config = parsed.data;
  const issues = [...conflictingKeys(config), ...unknownChecks(config, checks)];
  if (issues.length > 0) throw configError(file, issues);
  return {
    file,
    values: config,
    plugins,
    checks,
    settings: { ...extendedSettings(config, file, plugins, checks), ...settingsOf(config.checks ?? {}) },
    suppressions: suppressionsOf(config, file),
  };
}

/** Read before the rest is validated, since the plugins say which checks there are. */
function pluginsOf(file: ConfigFile | null): PluginReference[] {
  if (file === null) return [];
  const parsed = z.object({ plugins: z.array(z.string().min(1)).default([]) }).safeParse(file.value);
  if (!parsed.success) throw configError(file, issuesOf(parsed.error));
  return parsed.data.plugins.map((module) => ({ module, folder: dirname(file.path) }));
}

async function loaded(references: readonly PluginReference[]): Promise<LoadedPlugin[]> {
  if (references.length === 0) return [];
  const { loadPlugins } = await import('../plugins/load-plugins.js');
  return loadPlugins(references);
}

function conflictingKeys({ uri, targets = [] }: Config): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  if (uri !== undefined && targets.length > 0) issues.push({ path: ['targets'], message: 'give either uri or targets' });
  for (const [index, { alias }] of targets.entries()) {
    if (targets.findIndex((other) => other.alias === alias) === index) continue;
    issues.push({ path: ['targets', index, 'alias'], message: 'another target has this alias' });
  }
  return issues;
}

function unknownChecks({ suppressions = [] }: Config, checks: readonly AnyCheck[]): ConfigIssue[] {
  const ids = checks.map(({ id }) => id);
  return suppressions.flatMap(({ check }, index) => {
    if (ids.some(checkMatcher(check))) return [];
    return [{ path: ['suppressions', index, 'check'], message: `no check is named like this${didYouMean(check, ids)}` }];
  });
}

/** The settings of the plugins' configs that the file extends, a later one over an earlier one. */
function extendedSettings(
  { extends: names = [] }: Config,
  file: ConfigFile,
  plugins: readonly LoadedPlugin[],
  checks: readonly AnyCheck[],
): CheckSettings {
  const configs = new Map<string, PluginConfig>();
  for (const { meta, configs: own } of plugins) {
    for (const [name, config] of Object.entries(own)) configs.set(`${meta.name}/${name}`, config);
  }
  const settings: Record<string, CheckSetting> = {};
  for (const [index, name] of names.entries()) {
    const path = ['extends', index];
    const config = configs.get(name);
    if (config === undefined) {
      const hint = didYouMean(name, [...configs.keys()]);
      throw configError(file, [{ path, message: `no plugin brings this config${hint}` }]);
    }
    const parsed = checksSchema(checks).safeParse(config.checks);
    if (!parsed.success) {
      const issues = issuesOf(parsed.error).map((issue) => `${name}: ${issue.path.join('.')}: ${issue.message}`);
      throw configError(file, issues.map((message) => ({ path, message })));
    }
    Object.assign(settings, settingsOf(parsed.data));
  }
  return settings;
}

type WrittenSettings = NonNullable<Config['checks']>;

/** A severity alone is short for a setting of nothing else. */
function settingsOf(written: WrittenSettings): CheckSettings {
  const entries = Object.entries(written).filter(([, setting]) => setting !== undefined);
  const full = entries.map(([id, setting]) => [id, typeof setting === 'string' ? { severity: setting } : setting]);
  return Object.fromEntries(full) as Record<string, CheckSetting>;
}

function suppressionsOf({ suppressions = [] }: Config, file: ConfigFile): Suppression[] {
  return suppressions.map((suppression, index) => ({
    ...(suppression as Omit<Suppression, 'by'>),
    by: placeOf(file, ['suppressions', index]),
  }));
}
