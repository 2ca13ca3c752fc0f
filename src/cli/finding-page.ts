import { byNamespace } from '../findings/finding-order.js';
import { clusterTexts } from '../report/coverage.js';
import { namespaceLines } from '../report/finding-details.js';
import { statusText } from '../report/finding-status.js';
import { painter } from '../report/paint.js';
import { printableReport } from '../report/printable-report.js';
import type { Report } from '../report/report.js';
import type { RenderOptions } from '../report/report-options.js';
import { flowed, LEAST_WIDTH } from '../report/text-layout.js';

/** A finding in full, as `mongolint explain` shows it; empty if the report has none of this fingerprint. */
export function findingPage(
  report: Report,
  fingerprint: string,
  { width, color }: Pick<RenderOptions, 'width' | 'color'>,
): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const [paint, safe] = [painter(color), printableReport(report)];
  const own = safe.findings.filter((finding) => finding.fingerprint === fingerprint);
  const sections = byNamespace(own).map((group) => {
    const collection = safe.collections.find(({ namespace }) => namespace === group.namespace);
    return namespaceLines(group, { advised: new Map(), alike: new Map() }, collection, columns, paint);
  });
  const status = own.flatMap((finding) => statusText(finding) ?? []);
  const when = `${safe.startedAt.slice(0, 16).replace('T', ' ')} UTC`;
  const [server = ''] = clusterTexts(safe.cluster);
  const head = flowed([...(safe.target === undefined ? [] : [safe.target]), server, when], ' · ', columns);
  const parts = [head.map((line) => paint('aside', line)), ...sections, status].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
