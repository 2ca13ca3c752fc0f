import type { AnyCheck } from '../../check.js';
import type { Severity } from '../../finding.js';
import type { ReportFormat } from '../../report/formats.js';
import type { CheckSetting } from '../../findings/check-settings.js';

/** What a plugin is: the default export of its module. It uses nothing of mongolint but the package's public face. */
export interface Plugin {
  readonly meta: {
    /** In kebab-case; its checks are known as `name/check-id`, its formats as `name/format-name`. */
    readonly name: string;
    readonly version: string;
  };
  /** Checks, with ids of their own, without the plugin's name; each names its page in `docs`. */
  readonly checks?: readonly AnyCheck[];
  /** Report formats, with names of their own, without the plugin's name: `--format name/format-name=FILE`. */
  readonly formats?: readonly ReportFormat[];
  /** Settings for users to take over with `extends: [name/config]`; ids of checks are written in full. */
  readonly configs?: Readonly<Record<string, PluginConfig>>;
}

/** One of a plugin's configs. */
export interface PluginConfig {
  readonly checks: Readonly<Record<string, Severity | 'off' | CheckSetting>>;
}
