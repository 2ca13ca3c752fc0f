import { resolve } from 'node:path';
import { readBounded } from '../bounded-file.js';
import type { Pseudonyms } from '../evidence-file/pseudonyms/pseudonyms.js';
import { fileFault, isMissing } from '../file-fault.js';
import { LintError } from '../lint-error.js';
import type { Io } from './io.js';

/** The environment variable that holds the secret. An argument is visible to other users of the machine. */
export const SECRET_VARIABLE = 'MONGOLINT_PSEUDONYMS_SECRET';
/** With fewer, names could be found by trying secrets. */
const FEWEST_CHARACTERS = 16;
const MOST_BYTES = 64 * 1024;

export interface PseudonymsFlags {
  readonly pseudonyms?: boolean;
  readonly pseudonymsSecret?: string;
}

/** Null if none are asked for. @throws LintError without a secret that serves */
export async function pseudonymsOf(
  { pseudonyms = false, pseudonymsSecret: file }: PseudonymsFlags,
  io: Io,
): Promise<Pseudonyms | null> {
  if (!pseudonyms && file === undefined) return null;
  const secret = file === undefined ? (io.env[SECRET_VARIABLE] ?? '') : await secretIn(file, io);
  if (secret.length < FEWEST_CHARACTERS)
    throw new LintError(
      `--pseudonyms needs a secret of ${FEWEST_CHARACTERS} characters or more, in ${SECRET_VARIABLE} or in a file by --pseudonyms-secret FILE; for example, from \`openssl rand -hex 32\`.`,
    );
  const { Pseudonyms } = await import('../evidence-file/pseudonyms/pseudonyms.js');
  return new Pseudonyms(Buffer.from(secret));
}

async function secretIn(file: string, io: Io): Promise<string> {
  try {
    return (await readBounded(resolve(io.cwd(), file), MOST_BYTES)).trim();
  } catch (error) {
    const fault = isMissing(error) ? 'there is no such file' : fileFault(error);
    throw new LintError(`The secret of the pseudonyms can't be read from ${file}: ${fault}.`, { cause: error });
  }
}
