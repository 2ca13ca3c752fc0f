import { ConnectionString } from 'mongodb-connection-string-url';
import type { CheckSettings } from '../findings/check-settings.js';
import { collectEvidence } from '../lint/collect-evidence.js';
import type { TakenByLint } from '../lint/lint-options.js';
import { isWhole, unreadSentences, writtenText } from './collected-run.js';

/** What a script that runs in mongosh gives. */
export interface ShellRun {
  /** The address of the shell's connection, with its credentials. */
  readonly uri: string;
  /** The file to write. */
  readonly output: string;
  readonly options: TakenByLint;
  readonly settings: CheckSettings;
  print(line: string): void;
}

/**
 * Does what `mongolint collect` does, in mongosh. `npm run build` bundles it with all that it needs, and `mongolint collect
 * --script` prints that.
 * @throws Error if the cluster can't be read, or not to its end: mongosh then exits with 1
 */
export async function collectInShell({ uri, output, options, settings, print }: ShellRun): Promise<void> {
  const address = new ConnectionString(uri);
  // Else the operations would be the shell's.
  address.searchParams.delete('appName');
  const run = await collectEvidence({ ...options, settings, uri: address.href, output });
  unreadSentences(run).forEach(print);
  print(writtenText(run, output));
  if (!isWhole(run)) throw new Error('The cluster was only partly read: the file says what is missing.');
}
