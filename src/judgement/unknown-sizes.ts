import type { NotJudged } from '../check.js';

export function sizesUnknown(namespace: string): NotJudged {
  return {
    notJudged: 'unsupported',
    nothingJudged: true,
    detail: `the sizes of ${namespace} are unknown: this server does not report all that the check needs.`,
  };
}
