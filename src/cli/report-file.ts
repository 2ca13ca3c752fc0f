import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Replaces the file as a whole: a collector of metrics finds the old report or the new one, never a part. Pipes and devices
 * such as `/dev/stderr` are written to directly.
 */
export async function writeReportFile(file: string, text: string): Promise<void> {
  const existing = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (existing !== null && !existing.isFile()) return writeFile(file, text);
  const whole = existing === null ? file : await realpath(file);
  const beside = `${whole}.${process.pid}.tmp`;
  try {
    await writeFile(beside, text, existing === null ? {} : { mode: existing.mode });
    await rename(beside, whole);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
