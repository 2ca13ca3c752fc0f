import { configError } from './config-errors.js';
import type { ConfigFile } from './config-file.js';

/** It stands for `uri`. Variables of options are in their table. */
export const URI_VARIABLE = 'MONGODB_URI';

export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([A-Za-z_]\w*)\}/g;

/** Replaces each `${NAME}` by that variable. Throws a LintError for the first one that is unset or empty. */
export function withEnvironment(
  text: string,
  file: ConfigFile,
  path: readonly PropertyKey[],
  environment: Environment,
): string {
  return text.replace(REFERENCE, (_, name: string) => {
    const value = environment[name];
    if (value === undefined || value === '') {
      throw configError(file, [{ path, message: `the environment variable ${name} is not set` }]);
    }
    return value;
  });
}
