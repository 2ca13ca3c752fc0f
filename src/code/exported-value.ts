import type { Node } from 'oxc-parser';
import type { SourceModule } from './source-module.js';
import { NO_FRAME, UNKNOWN, type Evaluating, type Frame, type Value } from './value.js';

interface Importing extends Evaluating {
  imported(from: SourceModule, specifier: string, name: string | null): Value;
  named(name: string, at: Node, module: SourceModule, frame: Frame): Value;
}

/** What a module hands out under a name; of `module.exports` and a missing default, all of it. */
export function exportedValue(evaluator: Importing, module: SourceModule, name: string): Value {
  const found = module.exports.get(name);
  if (found !== undefined) {
    if ('expression' in found) return evaluator.valueOf(found.expression, module, NO_FRAME);
    if ('local' in found) return evaluator.named(found.local, module.program, module, NO_FRAME);
    return evaluator.imported(module, found.specifier, found.name);
  }
  const whole = module.exports.get('module.exports');
  if (whole !== undefined && 'expression' in whole) {
    const value = evaluator.valueOf(whole.expression, module, NO_FRAME);
    return name === 'default' ? value : evaluator.member(value, name);
  }
  if (name === 'default' && module.exports.size > 0) return { kind: 'module', module };
  for (const specifier of module.reexported) {
    const value = evaluator.imported(module, specifier, name);
    if (value.kind !== 'unknown') return value;
  }
  return UNKNOWN;
}
