import { defineCheck } from '../src/check.js';
import { formatCount } from '../src/format.js';
import { severityOf } from '../src/judgement/margins.js';
import { sampleWindow } from '../src/judgement/sample-window.js';

// Copy this file and its page under the id of the new check, add the check to index.ts, and add a table of cases that are
// reported and cases that are not to test/checks.
export const antiPatternName = defineCheck({
  id: 'anti-pattern-name',
  title: 'Headline of the anti-pattern',
  summary: 'what it flags, in half a sentence',
  since: '1.1.0',
  preview: true,
  appliesTo: ['collection'],
  // Only what is listed here is collected and given to `judge`. If it is missing, the engine skips the check.
  needs: ['documents'],
  uses: ['storage'],
  thresholds: {
    warning: {
      default: 200,
      unit: 'fields',
      description: 'fields per document',
      source: 'judgement: say what the number is based on',
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
        message: `p99 ${formatCount(fields.p99)}, max ${formatCount(fields.max)} fields per document.`,
        restsOn: ['sample'],
        evidence: {
          source: 'sample',
          window: sampleWindow(documents, storage),
          p99: fields.p99,
          max: fields.max,
          distribution: { unit: 'fields', buckets: [...fields.buckets] },
        },
        remedy: {
          steps: [
            {
              text: 'Say what to do, with the path and the numbers of this finding: one action per step, and what it costs.',
            },
            { text: 'Say how to check that it worked.' },
          ],
        },
      },
    ];
  },
});
