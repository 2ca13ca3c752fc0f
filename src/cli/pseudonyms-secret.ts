import type { Pseudonyms } from '../evidence-file/pseudonyms/pseudonyms.js';
import { LintError } from '../lint-error.js';
import type { Io } from './io.js';

/** The environment variable that holds the secret. An argument is visible to other users of the machine. */
export const SECRET_VARIABLE = 'MONGOLINT_PSEUDONYMS_SECRET';
/** With fewer, names could be found by trying secrets. */
const FEWEST_CHARACTERS = 16;

/** Null if none are asked for. @throws LintError without a secret that serves */
export async function pseudonymsOf(pseudonyms: boolean, io: Io): Promise<Pseudonyms | null> {
  if (!pseudonyms) return null;
  const secret = (io.env[SECRET_VARIABLE] ?? '').trim();
  if (secret.length < FEWEST_CHARACTERS)
    throw new LintError(
      `--pseudonyms needs a secret of ${FEWEST_CHARACTERS} characters or more in ${SECRET_VARIABLE}; for example, from \`openssl rand -hex 32\`.`,
    );
  const { Pseudonyms } = await import('../evidence-file/pseudonyms/pseudonyms.js');
  return new Pseudonyms(Buffer.from(secret));
}
