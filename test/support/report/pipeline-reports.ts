import type { Finding, Skipped } from '../../../src/finding.js';
import { worstFirst } from '../../../src/findings/finding-order.js';
import { fingerprint, reportedRemedy } from '../../../src/findings/stamp.js';
import type { Report } from '../../../src/report/report.js';
import { RECORDED_NAMES, recordedReport } from './recorded-reports.js';
import { richReport } from './rich-report.js';
import { findingOf, reportOf, sampledCollection, unsampledCollection } from './sample-report.js';

/** Names that would act in one of the formats, were they not escaped there. */
export const HOSTILE_NAMES = [
  '<img src=x onerror="alert(1)"><script>alert(1)</script>',
  '"><svg onload=alert(1)>&amp;\'',
  '</script></style><script>alert(1)</script>',
  '<!-- --><details>',
  '`code` | cell | ![x](http://evil.example/a.png) [link](javascript:alert(1)) **bold** ~~gone~~ $x^2$',
  '@everyone #123 GH-7 www.evil.example https://evil.example me@evil.example :tada:',
  '- [ ] task',
  '::error title=x::injected',
  'a,b:c%0A::set-env name=x::y',
  '\n::stop-commands::x\r\n',
  ']]><failure/>',
  'back\\slash "quote"\n} 1 2',
  '{{ constructor }} ${7*7} {0}',
  '\u001b[31mred\u001b]8;;http://evil.example\u0007',
  '\u202egnp.exe\u200b\ufeff\uffff\ud800',
  '日本語 カタログ 👨‍👩‍👧',
  '../../etc/passwd',
  ' leading and trailing ',
  'x"); db.dropDatabase(); ("',
  "x'); db.dropDatabase(); ('",
  'a\u2028db.dropDatabase()\u2029b*/ db.dropDatabase(); /*',
  '${db.dropDatabase()}\ndb.dropDatabase();',
];

/** A report in which a name stands wherever the server, a check or a suppression can put one. */
export function hostileReport(names: readonly string[] = HOSTILE_NAMES): Report {
  const findings = names.flatMap((name, index) => [
    findingOf({
      namespace: `shop.${name}`,
      path: `${name}[].posts`,
      message: `${name} has no visible bound, nor has \`${name}\`.`,
      evidence: { source: `sample${name}`, window: name, [name]: 1, names: [name, { [name]: name }] },
      remedy: reportedRemedy({
        steps: [
          { text: `${name}: cap \`${name}\`.`, command: { db: name, command: { collMod: name, [name]: [name] } } },
          { text: name, code: `db.getCollection(${JSON.stringify(name)}).countDocuments({});` },
        ],
      }),
      fingerprint: index.toString(16).padStart(16, '0'),
    }),
    findingOf({
      namespace: `shop.${name}`,
      path: name,
      severity: 'info',
      suppressed: { by: name, reason: name, expires: name, owner: name },
      fingerprint: (index + 0xff00).toString(16).padStart(16, '0'),
    }),
  ]);
  const name = names.join(' ');
  return {
    ...reportOf({
      cluster: { topology: 'replicaSet', version: `6.0.5${name}`, name, tier: null, readFrom: null },
      findings,
      skipped: names.map((each): Skipped => ({
        check: 'unbounded-array',
        namespace: `shop.${each}2`,
        reason: 'timeout',
        detail: `${each} took too long.`,
      })),
      collections: names.flatMap((each) => [
        sampledCollection(`shop.${each}`),
        unsampledCollection(`shop.${each}3`, each),
      ]),
    }),
    target: name,
    notices: names.map((each) => ({ kind: 'suppression-unused', text: `${each} matches nothing.` })),
  };
}

/** A report that was compared with a baseline: new, worse, known and fixed findings, and notices on suppressions. */
export function baselineReport(): Report {
  const rich = richReport();
  const findings = rich.findings.map((finding, index) =>
    finding.suppressed === undefined
      ? {
          ...finding,
          baseline:
            index === 0
              ? { status: 'new' as const, severityBefore: null }
              : index === 1
                ? { status: 'new' as const, severityBefore: 'warning' as const }
                : { status: 'known' as const, severityBefore: finding.severity },
        }
      : finding,
  );
  return {
    ...rich,
    target: 'staging',
    findings,
    summary: { ...rich.summary, baseline: { new: 2, known: 3, fixed: 1, gone: 1, notSeen: 1, notJudged: 1 } },
    fixed: [
      {
        check: 'unbounded-array',
        severity: 'error',
        namespace: 'shop.carts',
        path: 'items',
        fingerprint: '4be0a1c2d3e4f501',
      },
    ],
    gone: [
      {
        check: 'deep-nesting',
        severity: 'warning',
        namespace: 'shop.forms_2024',
        path: 'a.b',
        fingerprint: '4be0a1c2d3e4f502',
      },
    ],
    notSeen: [
      {
        check: 'mixed-types',
        severity: 'info',
        namespace: 'shop.events',
        path: 'amount',
        fingerprint: '4be0a1c2d3e4f503',
      },
    ],
    notices: [
      {
        kind: 'suppression-expired',
        text: 'The suppression of deep-nesting on shop.* (mongolint.config.yaml:12) expired on 2026-01-31. 1 finding counts again.',
      },
    ],
  };
}

/** A run that lost its connection midway. */
export function faultedReport(): Report {
  return reportOf({
    findings: [findingOf()],
    skipped: [
      {
        check: '*',
        namespace: 'shop.orders',
        reason: 'connection',
        detail: 'reading documents of shop.orders: the connection was lost.',
      },
      {
        check: 'deep-nesting',
        namespace: 'shop.threads',
        reason: 'fault',
        detail: 'the check failed (TypeError); see --verbose.',
      },
      {
        check: 'unbounded-array',
        namespace: 'shop.carts',
        reason: 'insufficient',
        detail: 'of 3 arrays no shape can be told.',
      },
    ],
    collections: [
      sampledCollection('shop.threads'),
      unsampledCollection('shop.orders', 'the connection was lost.'),
      sampledCollection('shop.carts', {
        documents: 3,
        sampled: { documents: 3, bytes: 600, method: 'whole-collection', complete: true, boundedBy: null },
      }),
    ],
  });
}

/** A cluster without a finding, of which everything was judged; one collection is empty. */
export function cleanReport(): Report {
  const sampled = { documents: 0, bytes: 0, method: 'whole-collection', complete: true, boundedBy: null } as const;
  return reportOf({
    cluster: { topology: 'sharded', version: '8.0.4', name: null, tier: 'atlas', readFrom: 'secondary' },
    collections: [
      sampledCollection('shop.orders'),
      sampledCollection('shop.customers'),
      sampledCollection('shop.new', { documents: 0, sampled }),
    ],
  });
}

/** Reports of real runs, and of a connection lost midway, by a name for golden files. */
export const PIPELINE_REPORTS: readonly (readonly [string, Report])[] = [
  ...RECORDED_NAMES.map((name): [string, Report] => [name, recordedReport(name)]),
  ['interrupted', faultedReport()],
];

/** A report with so many findings of the demo, each of a database of its own. */
export function reportWithFindings(count: number): Report {
  const { findings, ...report } = recordedReport('demo');
  const many = Array.from({ length: count }, (_, index): Finding => {
    const finding = findings[index % findings.length] as Finding;
    const namespace = finding.namespace.replace('demo.', `demo_${index}.`);
    return { ...finding, namespace, fingerprint: fingerprint(finding.check, namespace, finding.path) };
  });
  return { ...report, findings: worstFirst(many) };
}

/** Those, with 1 and 200 findings beside the clean one, and one with hostile names, which is checked for what it must not do. */
export const ALL_REPORTS: typeof PIPELINE_REPORTS = [
  ...PIPELINE_REPORTS,
  ['small', reportWithFindings(1)],
  ['large', reportWithFindings(200)],
  ['hostile', hostileReport()],
];
