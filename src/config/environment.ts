import { configError } from './config-errors.js';
import type { ConfigFile } from './config-file.js';

/** The variable that stands for `uri`; those of options are in their table. */
export const URI_VARIABLE = 'MONGODB_URI';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([A-Za-z_]\w*)\}/g;

/**
 * The text of a key of the configuration, each `${NAME}` in it replaced with the variable of that name.
 *
 * @throws LintError that names file, line, key and the first variable that is not set, or empty
 */
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
