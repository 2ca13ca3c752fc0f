import type { AnyCheck } from '../../check.js';
import type { Severity } from '../../finding.js';
import type { ReportFormat } from '../../report/formats.js';
import type { CheckSetting } from '../../findings/check-settings.js';

/** A plugin: the default export of its module. It uses only what the package mongolint exports. */
export interface Plugin {
  readonly meta: {
    /** In kebab-case; its checks are known as `name/check-id`, its formats as `name/format-name`. */
    readonly name: string;
    readonly version: string;
  };
  /** Checks, with ids without the plugin's name. Each has the address of its page in `docs`. */
  readonly checks?: readonly AnyCheck[];
  /** Report formats, with names without the plugin's name. */
  readonly formats?: readonly ReportFormat[];
  /** Settings that users adopt with `extends: [name/config]`. Ids of checks are written in full. */
  readonly configs?: Readonly<Record<string, PluginConfig>>;
}

/** Settings of checks, by their full ids. */
export interface PluginConfig {
  readonly checks: Readonly<Record<string, Severity | 'off' | CheckSetting>>;
}
