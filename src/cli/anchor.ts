import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Io } from './io.js';
import type { ReportSettings } from './run-settings.js';

/** If neither a configuration nor a baseline is in the repository, findings point to a file that most have. */
const LAST_RESORTS = ['README.md', 'README', 'package.json', 'Dockerfile'];

/**
 * The file in this folder that reports for a code host point to: the configuration, the baseline, or another one. Null if
 * there is none: a code host refuses or hides what points to a file that does not exist.
 */
export async function anchorOf({ config, resolved }: ReportSettings, io: Io): Promise<string | null> {
  const { baseline } = resolved.values;
  const files = [config.file?.path, baseline, ...LAST_RESORTS].flatMap((file) => file ?? []);
  for (const file of files) {
    const name = relative(io.cwd(), resolve(io.cwd(), file)).replaceAll('\\', '/');
    if (name.startsWith('..')) continue;
    const isThere = await stat(resolve(io.cwd(), file)).then(
      (status) => status.isFile(),
      () => false,
    );
    if (isThere) return name;
  }
  return null;
}
