import type { Node } from 'oxc-parser';
import { declaredClassMember } from './class-members.js';
import { memberOfCollection } from './libraries.js';
import type { SourceModule } from './source-module.js';
import { NO_FRAME, UNDEFINED, UNKNOWN, choice, isNullish, type Evaluating, type Frame, type Value } from './value.js';

interface Importing extends Evaluating {
  imported(from: SourceModule, specifier: string, name: string | null): Value;
  named(name: string, at: Node, module: SourceModule, frame: Frame): Value;
}

/** A part of a value by its name. */
export function memberValue(evaluator: Importing, of: Value, name: string): Value {
  switch (of.kind) {
    case 'choice':
      return choice(of.of.map((each) => evaluator.member(each, name)));
    case 'object': {
      const field = of.fields.get(name);
      if (field === undefined) return of.open ? UNKNOWN : UNDEFINED;
      return field.sometimes ? choice([field.value, of.open ? UNKNOWN : UNDEFINED]) : field.value;
    }
    case 'array':
      return of.elements[Number(name)]?.value ?? (/^\d+$/.test(name) ? UNKNOWN : { kind: 'method', of, name });
    case 'module':
      return exportedValue(evaluator, of.module, name);
    case 'models':
      return evaluator.models().get(name) ?? UNKNOWN;
    case 'unknown':
      // Connections have them, as the package itself has.
      return name === 'models' ? { kind: 'models' } : UNKNOWN;
    case 'package':
      if (of.name === 'mongoose' && name === 'models') return { kind: 'models' };
      return { kind: 'package', name: of.name, path: [...of.path, name] };
    case 'instance':
    case 'class':
      return declaredClassMember(evaluator, of, name) ?? UNKNOWN;
    case 'collection':
      return memberOfCollection(of, name);
    case 'client':
    case 'database':
    case 'schema':
    case 'document':
    case 'function':
      return { kind: 'method', of, name };
    case 'constant':
      // As `?.` has it: elsewhere it fails.
      return isNullish(of) ? UNDEFINED : UNKNOWN;
    default:
      return UNKNOWN;
  }
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
