import { DATA_NAME } from '../../workload/shapes/field-path.js';
import { isObjectShape, type Shape } from '../../workload/shapes/shape.js';

/** Whether every name of a pipeline is kept: two names that are data look alike, and cannot be written again. */
export function namesAreKept(shape: Shape): boolean {
  if (typeof shape === 'string') return isKept(shape);
  if (typeof shape !== 'object') return true;
  if (!isObjectShape(shape)) return shape.every(namesAreKept);
  return Object.entries(shape).every(([name, value]) => isKept(name) && namesAreKept(value));
}

function isKept(name: string): boolean {
  return !name.replace(/^\$+/, '').split('.').includes(DATA_NAME);
}
