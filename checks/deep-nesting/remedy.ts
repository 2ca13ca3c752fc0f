import type { RemedyStep } from '../../src/check.js';

export function treeSteps(path: string): RemedyStep[] {
  return [
    { text: `Store each node of \`${path}\` as its own document, with the _id of its parent (parent references).` },
    { text: 'Index the field with the parent. Then $graphLookup can read a subtree.' },
    {
      text:
        'Optional, if queries read whole branches: add to each node the list of its ancestors, or a path such as "/a/b/" (materialised ' +
        'paths), and index it.',
    },
  ];
}

export function flatteningSteps(path: string): RemedyStep[] {
  const [top = path] = path.split(/[.[]/);
  return [
    { text: `Flatten what is below \`${top}\`: lift the fields that queries use to the top level.` },
    { text: 'Move inner arrays to their own collection, with the _id of the parent.' },
    { text: 'Store what is only read as a whole, such as a configuration, as one string or binary.' },
  ];
}
