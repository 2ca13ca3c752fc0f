import { DATA_NAME } from '../workload/shapes/sort-shape.js';

/** Whether a path of the source can be a recorded one: `*` stands for a name that is data. */
export function isSamePath(written: string, recorded: string): boolean {
  if (written === recorded) return true;
  if (!written.includes(DATA_NAME)) return false;
  const [names, others] = [written.split('.'), recorded.split('.')];
  return names.length === others.length && names.every((name, index) => name === DATA_NAME || name === others[index]);
}
