import type { Collection, RemedyStep } from '../../src/check.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { queryPath } from '../../src/profile/path-steps.js';

export function attributeSteps(namespace: string, path: string): RemedyStep[] {
  const field = queryPath(path);
  const isNameable = !path.includes('*');
  const index = `{ ${JSON.stringify(`${field}.k`)}: 1, ${JSON.stringify(`${field}.v`)}: 1 }`;
  return [
    {
      text:
        `Turn \`${path}\` into an array of { k: <name>, v: <value> } (attribute pattern). If the entries can grow without limit, move them ` +
        'to their own collection instead, one document per entry.',
    },
    {
      text: 'Create one index for all names. The build scans the collection.',
      ...(isNameable && { code: shellStatement(namespace, 'createIndex', index) }),
    },
    ...(isNameable ? [wildcardStep(namespace, `${field}.$**`)] : []),
  ];
}

function wildcardStep(namespace: string, field: string): RemedyStep {
  return {
    text: 'Until then, a wildcard index serves queries for single names. Its build scans the collection. Drop it afterwards.',
    code: shellStatement(namespace, 'createIndex', `{ ${JSON.stringify(field)}: 1 }`),
  };
}

export function rootSteps({ name, namespace }: Collection): RemedyStep[] {
  return [
    {
      text:
        `Store each entry of ${name} as { k: <name>, v: <value> } (attribute pattern): either as its own document with the _id of its ` +
        'parent, or in one array.',
    },
    { text: 'Index k and v together.' },
    wildcardStep(namespace, '$**'),
  ];
}
