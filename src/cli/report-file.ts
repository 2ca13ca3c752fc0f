import { stat, writeFile } from 'node:fs/promises';
import { replaceFile } from '../file-replacement.js';

/**
 * Replaces the file as a whole: a collector of metrics finds the old report or the new one, never a part. Pipes and devices
 * such as `/dev/stderr` are written to directly.
 */
export async function writeReportFile(file: string, text: string): Promise<void> {
  const existing = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  await (existing === null || existing.isFile() ? replaceFile(file, text) : writeFile(file, text));
}
