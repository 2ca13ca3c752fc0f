import { readdirSync, readFileSync } from 'node:fs';

/** The processes whose environment holds this text: what a test started, and whatever that started. Only on Linux. */
export function processesWith(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isAlive(pid) && textOf(`/proc/${pid}/environ`).includes(mark))
    .map(Number);
}

/** A zombie has ended. */
function isAlive(pid: string): boolean {
  return !/\) Z /.test(textOf(`/proc/${pid}/stat`));
}

/** Empty if it has ended, or is another user's. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
