import type { Collection, DocumentProfile, RemedyStep } from '../../src/check.js';
import type { HeavyPath } from '../../src/judgement/documents/heaviest-paths.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { HEAVY_SHARE } from './document-parts.js';

export function remedySteps(
  { name, namespace }: Collection,
  { paths }: DocumentProfile,
  heaviest: readonly HeavyPath[],
): RemedyStep[] {
  const heavy = heaviest.filter(({ share }) => share >= HEAVY_SHARE).map(({ path }) => path);
  if (heavy.length === 0) {
    return [
      { text: `Find the fields that the frequent queries on ${name} return.` },
      { text: 'Move the other fields to a second collection with the same _id. Read it only when a detail is needed.' },
      averageStep(namespace),
    ];
  }
  const names = heavy.map((path) => `\`${path}\``).join(' and ');
  const types = heavy.map((heavyPath) => paths.find(({ path }) => path === heavyPath)?.types ?? {});
  const move = `Move ${names} to a second collection, ${name}_details, with the same _id. Read it only when it is needed.`;
  const hint = types.some(({ binData = 0 }) => binData > 0)
    ? ' Files and images are better kept in GridFS or an object store, by URL.'
    : types.some(({ array = 0 }) => array > 0)
      ? ' Of an array, keep the few elements that most reads return (subset pattern).'
      : types.some(({ string = 0 }) => string > 0)
        ? ' If it is a file or an image, GridFS or an object store is better, without base64.'
        : '';
  return [{ text: `${move}${hint}` }, averageStep(namespace)];
}

function averageStep(namespace: string): RemedyStep {
  return {
    text: 'Check the average size of a document, in bytes.',
    code: `${shellStatement(namespace, 'stats')}.avgObjSize`,
  };
}
