import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Writes a report so that who reads the file meanwhile, such as a collector of metrics, finds the old one or the new one
 * and never half of one. What is no regular file, such as a pipe or `/dev/stderr`, is written as it is.
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
