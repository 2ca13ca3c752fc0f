import type { Threshold } from '../../src/check.js';
import type { CheckSettings } from '../../src/findings/check-settings.js';
import type { ExpectedSetting } from '../../src/findings/expected-sizes.js';

/** What the page shows of a check. */
export interface KnownCheck {
  readonly id: string;
  readonly summary: string;
  readonly optional?: true;
  readonly thresholds: Readonly<Record<string, Threshold>>;
}

/** What somebody set in the page. */
export class Settings {
  /** True since the last question to the worker. */
  isChanged = false;
  readonly #severities = new Map<string, string>();
  readonly #thresholds = new Map<string, Map<string, number>>();
  readonly #sizes = new Map<string, number>();

  clear(): void {
    for (const each of [this.#severities, this.#thresholds, this.#sizes]) each.clear();
  }

  /** @param severity empty if it is the usual one; "on" for an optional check */
  setSeverity(check: string, severity: string): void {
    set(this.#severities, check, severity === '' ? null : severity);
  }

  setThreshold(check: string, name: string, value: number | null): void {
    const ofCheck = this.#thresholds.get(check) ?? new Map<string, number>();
    set(ofCheck, name, value);
    set(this.#thresholds, check, ofCheck.size === 0 ? null : ofCheck);
  }

  expectSize(namespace: string, documents: number | null): void {
    set(this.#sizes, namespace, documents);
  }

  /** As mongolint takes them. */
  given(): { readonly settings: CheckSettings; readonly expect: readonly ExpectedSetting[] } {
    const ids = new Set([...this.#severities.keys(), ...this.#thresholds.keys()]);
    const settings = Object.fromEntries([...ids].map((id) => [id, this.#of(id)]));
    const expect = [...this.#sizes].map(([namespace, documents]) => ({ glob: literal(namespace), documents }));
    return { settings, expect };
  }

  /** The same as a configuration file, or a line that there is nothing to set. */
  yaml(): string {
    const { settings, expect } = this.given();
    const checks = Object.entries(settings).map(([id, { severity, thresholds = {} }]) => {
      const named = Object.entries(thresholds).map(([name, value]) => `${name}: ${value}`);
      const parts = [
        ...(severity === undefined ? [] : [`severity: ${severity}`]),
        ...(named.length === 0 ? [] : [`thresholds: { ${named.join(', ')} }`]),
      ];
      return `  ${id}: ${parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`}`;
    });
    const sizes = expect.map(({ glob, documents }) => `  - { glob: ${JSON.stringify(glob)}, documents: ${documents} }`);
    const lines = [
      ...(checks.length === 0 ? [] : ['checks:', ...checks]),
      ...(sizes.length === 0 ? [] : ['expect:', ...sizes]),
    ];
    return lines.length === 0 ? '# Nothing is set.\n' : `${lines.join('\n')}\n`;
  }

  #of(id: string): CheckSettings[string] {
    const severity = this.#severities.get(id);
    const thresholds = this.#thresholds.get(id);
    return {
      ...(severity !== undefined && severity !== 'on' && { severity: severity as 'off' }),
      ...(thresholds !== undefined && { thresholds: Object.fromEntries(thresholds) }),
    };
  }
}

function set<Value>(map: Map<string, Value>, key: string, value: Value | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

/** A glob that matches this namespace alone. */
function literal(namespace: string): string {
  return namespace.replaceAll(/[*?[\]{}()!\\]/g, String.raw`\$&`);
}
