import type { AnyCheck, Threshold } from '../check.js';
import { formatBytes, formatCount } from '../format.js';
import { indented, wrapped } from '../report/text-layout.js';

const MOST_COLUMNS = 96;
const LIST_MARK = '- ';
const ITEM = /^(- |\d+\. )([^]*)$/;
const THRESHOLDS = /^<!-- thresholds:start -->\n[^]*?^<!-- thresholds:end -->$/m;

/**
 * The Markdown page of a check for a terminal: paragraphs and lists wrapped to its columns, and thresholds as a list, since
 * their table is too wide. Code and other tables stay as they are.
 */
export function pageText(markdown: string, { thresholds }: Pick<AnyCheck, 'thresholds'>, columns: number): string {
  const width = Math.min(columns, MOST_COLUMNS);
  const page = markdown.replace(THRESHOLDS, () => thresholdLines(thresholds).join('\n'));
  const parts = page.split(/^(```[^]*?^```)$/m);
  return parts.map((part, index) => (index % 2 === 1 ? part : proseText(part, width))).join('');
}

export function thresholdLines(thresholds: AnyCheck['thresholds']): string[] {
  return Object.entries(thresholds as Readonly<Record<string, Threshold>>).map(
    ([name, threshold]) =>
      `${LIST_MARK}\`${name}\`, ${defaultText(threshold)} by default: ${threshold.description}. Source: ${threshold.source}`,
  );
}

/** "67,108,864 bytes (64 MB)", "0.99 (share)", "20 values". */
export function defaultText({ default: value, unit }: Threshold): string {
  if (unit === 'bytes') return `${formatCount(value)} bytes (${formatBytes(value)})`;
  return unit === 'share' || unit === 'ratio' ? `${value} (${unit})` : `${formatCount(value)} ${unit}`;
}

function proseText(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((block) => blockText(block, width))
    .join('\n\n');
}

function blockText(block: string, width: number): string {
  if (/^\n*[|#]/.test(block)) return block;
  const [, before = '', body = '', after = ''] = /^(\n*)([^]*?)(\n*)$/.exec(block) ?? [];
  const items = body.split(/\n(?=- |\d+\. )/);
  return `${before}${items.flatMap((item) => itemLines(item, width)).join('\n')}${after}`;
}

function itemLines(item: string, width: number): string[] {
  const [, mark, text] = ITEM.exec(item) ?? [];
  if (mark === undefined || text === undefined) return wrapped(item.replaceAll('\n', ' '), width);
  const [first = '', ...rest] = wrapped(text.replace(/\n */g, ' '), width - mark.length);
  return [`${mark}${first}`, ...indented(rest, mark.length)];
}
