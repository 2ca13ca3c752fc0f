import { readTime } from '../../src/rehearsal/rehearse.js';
import { isEstimateMet, isWorse } from './comparison.js';
import type { Proof } from './proof.js';

/** Every shape of a proof as lines, for people: what it examined before and after, and by which plan. */
export function proofText({ workload, findings, shapes, recorded, refused }: Proof): string {
  const commands = findings.flatMap(({ check, remedy }) =>
    (remedy.commands ?? []).map(({ command }) => `  ${check}: ${JSON.stringify(command)}`),
  );
  const lines = shapes
    .toSorted((one, other) => readTime(other.before) - readTime(one.before))
    .map((shape) => {
      const { namespace, shape: asked, before, after, namedBy, estimated } = shape;
      const marks = [isWorse(shape) ? 'WORSE' : '', isEstimateMet(shape) === false ? 'MISSED' : ''].join(' ');
      const counted = (of: 'documentsExamined' | 'keysExamined' | 'milliseconds') =>
        `${before[of].toFixed(1)} → ${after[of].toFixed(1)}`;
      return [
        `  ${marks} ${namespace} ${JSON.stringify(asked).slice(0, 200)} × ${recorded.executions.get(shape.id)} refused ${refused.get(shape.id) ?? 0} [${namedBy.join(', ')}]`,
        `    documents ${counted('documentsExamined')} (estimated ${estimated ?? 'not'}), keys ${counted('keysExamined')}, ms ${counted('milliseconds')}, returned ${before.documentsReturned.toFixed(1)}`,
        `    ${before.plans.join('; ')} → ${after.plans.join('; ')}`,
      ].join('\n');
    });
  return `\n== ${workload.name}, ${recorded.left} not repeatable\n${[...commands, ...lines].join('\n')}\n`;
}
