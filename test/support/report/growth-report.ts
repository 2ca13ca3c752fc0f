import type { Finding } from '../../../src/finding.js';
import { reportedRemedy } from '../../../src/findings/stamp.js';
import type { Report } from '../../../src/report/report.js';
import { findingOf, reportOf, sampledCollection } from './sample-report.js';

/** A report of arrays that are measured to grow: some pass limits soon, one passed them long ago, one grows slowly. */
export function growthReport(): Report {
  return reportOf({
    findings: [
      growthFinding({
        severity: 'warning',
        namespace: 'shop.tickets',
        path: 'comments',
        message:
          '`comments` grows by 2 elements a day in a typical document (40 now), by 6.5 elements a day in the largest (310 now), as the ages of documents and the oplog show.',
        evidence: {
          source: 'sample, oplog',
          window: '1,000 of 52,118 documents, over 90 days',
          elementsPerDay: 2.04,
          elementsPerDayRange: [1.8, 2.3],
          largestElementsPerDay: 6.5,
          typicalLength: 40,
          largestLength: 310,
          windowDays: 90,
          forecastDays: {
            '200 elements': { typical: [68, 92], largest: [0, 0] },
            '1,000 elements': { typical: [410, 540], largest: [98, 117] },
          },
        },
        fingerprint: '3fa9e0d21c76',
      }),
      growthFinding({
        severity: 'error',
        namespace: 'iot.devices',
        path: 'shifts[].readings',
        message:
          '`shifts[].readings` grows by 96 elements a day in a typical document (21,400 now), by 101 elements a day in the largest (24,310 now), as the oplog shows.',
        evidence: {
          source: 'oplog',
          window: 'all 420 documents, over 6 days',
          elementsPerDay: 96,
          elementsPerDayRange: [88, 105],
          largestElementsPerDay: 101.4,
          typicalLength: 21_400,
          largestLength: 24_310,
          windowDays: 6,
          forecastDays: {
            '200 elements': { typical: [0, 0], largest: [0, 0] },
            '1,000 elements': { typical: [0, 0], largest: [0, 0] },
            '16 MB': { typical: null, largest: [58, 74] },
          },
        },
        fingerprint: 'e8d10b44f2a5',
      }),
      growthFinding({
        severity: 'info',
        namespace: 'shop.products',
        path: 'tags',
        message:
          '`tags` grows by 0.3 elements a day in a typical document (3 now), by 0.4 elements a day in the largest (9 now), as the history shows.',
        evidence: {
          source: 'history',
          window: '1,000 of 4,100 documents, over 30 days',
          elementsPerDay: 0.31,
          elementsPerDayRange: [0.2, 0.48],
          largestElementsPerDay: 0.4,
          typicalLength: 3,
          largestLength: 9,
          windowDays: 30,
          forecastDays: {},
        },
        suppressed: { by: 'mongolint.config.yaml', reason: 'tags are capped in April', expires: null },
        fingerprint: '91c5d7e03ab8',
      }),
    ],
    collections: [
      sampledCollection('iot.devices', { documents: 420 }),
      sampledCollection('shop.products', { documents: 4_100 }),
      sampledCollection('shop.tickets', { documents: 52_118 }),
    ],
  });
}

function growthFinding(parts: Partial<Finding>): Finding {
  return findingOf({
    check: 'fast-growing-array',
    confidence: 'medium',
    title: 'Fast-growing array',
    remedy: reportedRemedy({
      steps: [
        {
          text: "Move the elements to a collection of their own, one document each with the parent's `_id`, before the array is too long.",
        },
      ],
    }),
    docs: 'checks/fast-growing-array.md',
    ...parts,
  });
}
