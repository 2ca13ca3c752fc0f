import { formatCount } from '../../format.js';
import { terminalData } from '../../terminal-text.js';
import { placeOf } from '../finding-view.js';
import { COMMENT_LIMIT, COMMENT_MARKER, filledSection, foldedSection, type MarkdownSection } from '../markdown-text.js';
import { markdownCode, markdownText } from '../markdown-text.js';
import type { FleetCluster, FleetOverview } from './fleet-overview.js';
import { fleetSentences } from './fleet-pieces.js';

/** Shares of the remaining room, in the order in which sections get it. */
const SHARES = { unlinted: 0.3, clusters: 0.5, checks: 0.6, alike: 0.8, owners: 1 } as const;

/** The overview of many targets as a comment, never above {@link COMMENT_LIMIT}. */
export function renderFleetMarkdown(fleet: FleetOverview): string {
  const safe = terminalData(fleet);
  const head = `${COMMENT_MARKER}\n### mongolint\n\n${markdownText(fleetSentences(safe).join(' '))}\n\n`;
  let room = COMMENT_LIMIT - head.length;
  const fill = (section: MarkdownSection): string => {
    const text = filledSection(section, Math.floor(room * section.share));
    room -= text.length;
    return text;
  };
  const { clusters, checks, alike, owners = [], missing } = safe;
  const unlinted = clusters.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  const total = formatCount(clusters.length);
  return [
    head,
    fill(listSection('Not linted', [...unlinted, ...missing].map(markdownText), SHARES.unlinted)),
    fill(
      tableSection(
        '| Cluster | Errors | Warnings | Info | Worst finding |\n| --- | ---: | ---: | ---: | --- |\n',
        clusters.filter(({ server }) => server !== null).map(clusterRow),
        SHARES.clusters,
      ),
    ),
    fill(
      tableSection(
        '| Worst | Common to several clusters | Clusters | Findings |\n| --- | --- | ---: | ---: |\n',
        checks
          .filter(({ targets }) => targets > 1)
          .map(({ check, severity, targets, findings }) =>
            row([severity, markdownText(check), `${formatCount(targets)} of ${total}`, formatCount(findings)]),
          ),
        SHARES.checks,
      ),
    ),
    fill(
      foldedSection(
        'The same finding in several clusters',
        alike.map(
          ({ check, targets, ...place }) =>
            `- ${markdownText(check)} ${markdownCode(placeOf(place))}: ${formatCount(targets)} clusters\n`,
        ),
        SHARES.alike,
      ),
    ),
    fill(
      foldedSection(
        'Owners',
        owners.map(({ owner, findings }) => `- ${markdownText(owner ?? 'no owner')}: ${formatCount(findings)}\n`),
        SHARES.owners,
      ),
    ),
  ].join('');
}

function listSection(heading: string, texts: readonly string[], share: number): MarkdownSection {
  return {
    pieces: texts.map((text) => `- ${text}\n`),
    share,
    wrap: (text) => `**${heading}**\n\n${text}\n`,
  };
}

function tableSection(head: string, rows: readonly string[], share: number): MarkdownSection {
  return { pieces: rows, share, wrap: (text) => `${head}${text}\n` };
}

function clusterRow({ alias, findings, worst }: FleetCluster): string {
  const { error, warning, info } = findings;
  const what = worst === null ? '–' : `${markdownText(worst.check)} ${markdownCode(placeOf(worst))}`;
  return row([markdownCode(alias), ...[error, warning, info].map(formatCount), what]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}
