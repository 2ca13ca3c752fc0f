import { defineCheck } from '../src/check.js';
import { formatCount, sampleWindow, severityOf } from '../src/helpers.js';

// Copy this file and its page to the id of the new check, add the check to index.ts, and a table of cases that fire and
// that stay silent to test/checks.
export const antiPatternName = defineCheck({
  id: 'anti-pattern-name',
  title: 'Headline of the anti-pattern',
  summary: 'what it flags, in half a sentence',
  appliesTo: ['collection'],
  // Only what is listed here is collected and given to `judge`; where it can't be had, the check is skipped by itself.
  needs: ['documents', 'storage'],
  thresholds: {
    warning: {
      default: 200,
      unit: 'fields',
      description: 'fields per document from which a warning is given',
      source: 'judgement: say what the number rests on',
    },
  },
  judge({ documents, storage }, { warning }) {
    const { fields } = documents.profile.root;
    const severity = severityOf(fields.p99, { info: Infinity, warning, error: Infinity });
    if (severity === null) return [];
    return [
      {
        severity,
        confidence: 'high',
        path: null,
        message: `One document in a hundred has ${formatCount(fields.p99)} fields or more.`,
        evidence: {
          source: 'sample',
          window: sampleWindow(documents, storage),
          p99: fields.p99,
          max: fields.max,
          distribution: { unit: 'fields', buckets: [...fields.buckets] },
        },
        remedy: { text: 'Say what to do, with the path and the numbers of this finding.' },
      },
    ];
  },
});
