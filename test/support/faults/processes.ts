import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** In five seconds; on a busy machine they take longer, as what they look for does. */
const LOOKS = 100;
const BETWEEN_LOOKS = 50;

/** Whether something is left of what a test started, after five seconds. */
export async function leavesOrphan(mark: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (processesWith(mark).length === 0) return false;
    await delay(BETWEEN_LOOKS);
  }
  return true;
}

/** The processes whose environment holds this text: what a test started, and whatever that started. Only on Linux. */
function processesWith(mark: string): number[] {
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
