import type { Skipped } from '../finding.js';
import { formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { coverageFacts, samplesOf } from './coverage.js';
import type { Report } from './report.js';
import { BRIEF } from './section.js';
import { countOf, REASON_TEXT, SKIP_REASONS_SHOWN, TODO_OF } from './skipped.js';
import { sentencesOf, listed } from './text-layout.js';

/** What an option of this run added, and what happened to it: each is said, whatever room there is. */
const ALWAYS_SAID: ReadonlySet<string> = new Set(['production', 'code', 'server load', 'members']);

/** Checks that wait for one thing, from which it is worth a line of its own. Judgement: more than a few odd places. */
const MANY_CHECKS = 5;

/** What a run covers, in a line or two, and what lets it cover more: the grant or option first that helps most checks. */
export interface BriefCoverage {
  readonly texts: readonly string[];
  readonly todos: readonly string[];
}

export function briefCoverage(report: Report): BriefCoverage {
  const { summary } = report;
  const said = coverageFacts(report, BRIEF).filter(({ label }) => ALWAYS_SAID.has(label));
  const sampled = `${plural(summary.documentsSampled, 'document')} of ${plural(samplesOf(report).length, 'collection')}`;
  const gaps = gapTexts(report.skipped);
  return {
    texts: [
      `Coverage: ${sampled}; ${plural(summary.checks.ran, 'check')}.${gaps.length === 0 ? '' : ` Not judged: ${gaps.join(', ')}. More: --verbose`}`,
      ...said.map(({ label, texts }) => `${label}: ${texts.join('; ')}`),
    ],
    todos: todoTexts(report.skipped),
  };
}

/** "missing privilege (4 checks)", "too small to tell (3 places)". */
function gapTexts(skipped: readonly Skipped[]): string[] {
  const groups = groupedBy(skipped, ({ reason }) => reason);
  return SKIP_REASONS_SHOWN.flatMap((reason) => {
    const entries = groups.get(reason) ?? [];
    const places = new Set(entries.flatMap(({ namespace, namespaces = [] }) => [namespace, ...namespaces]));
    places.delete(undefined);
    const count = entries.reduce((most, entry) => Math.max(most, countOf(entry)), places.size);
    return entries.length === 0 ? [] : [`${REASON_TEXT[reason]} (${formatCount(count)})`];
  });
}

const PRIVILEGE = /grant the privilege (.+?)\.$/;

function todoTexts(skipped: readonly Skipped[]): string[] {
  return [...grantTexts(skipped), ...workloadTexts(skipped)].slice(0, 2);
}

/** The privileges that are missing, the one that most checks need first. */
function grantTexts(skipped: readonly Skipped[]): string[] {
  const refused = skipped.filter(({ reason }) => TODO_OF[reason] === 'grant');
  if (refused.length === 0) return [];
  const needed = [...groupedBy(refused, ({ detail }) => PRIVILEGE.exec(detail)?.[1] ?? detail)]
    .map(([privilege, entries]) => ({ privilege, checks: new Set(entries.map(({ check }) => check)).size }))
    .toSorted((one, other) => other.checks - one.checks);
  const names = needed.map(({ privilege }) => privilege);
  const all = new Set(refused.map(({ check }) => check));
  const who = all.has('*') ? 'Every check needs' : `${plural(all.size, 'check needs', 'checks need')}`;
  return [`${who} ${listed(names, 1)}. mongolint role prints the grants for mongosh.`];
}

/** What the whole cluster lacks, such as a record of its operations, and how to get it. */
function workloadTexts(skipped: readonly Skipped[]): string[] {
  const ofCluster = skipped.filter(
    ({ namespace, namespaces, reason }) =>
      namespace === undefined && namespaces === undefined && TODO_OF[reason] === 'wait',
  );
  return [...groupedBy(ofCluster, ({ detail }) => detail)].flatMap(([detail, entries]) => {
    const checks = [...new Set(entries.map(({ check }) => check))];
    if (checks.length < MANY_CHECKS) return [];
    const sentences = sentencesOf(detail);
    const what = sentences.find((sentence) => /\bdb\.|--\w/.test(sentence)) ?? sentences[0];
    return [`${plural(checks.length, 'check knows', 'checks know')} only part of the operations. ${what}`];
  });
}
