import type { NotJudged } from '../../check.js';

export function indexInBuild(namespace: string, index: string): NotJudged {
  return {
    notJudged: 'insufficient',
    detail: `what the index ${index} of ${namespace} will serve: it is still being built. Run again when it is done.`,
  };
}
