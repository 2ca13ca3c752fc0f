import { isBefore } from '../connect/server-version.js';
import { formatBytes, formatCount, formatDuration, inWords, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { codeCoverageTexts } from './code-coverage.js';
import type { Report, ReportedCluster } from './report.js';
import type { ReportedCollection } from './reported-collection.js';
import type { Fact, Limits, Section } from './section.js';
import { namespacesOf } from './skipped.js';
import { listed } from './text-layout.js';
import { unnamedTexts, workloadFacts } from './workload-coverage.js';

const KIND_NOUNS: Readonly<Record<ReportedCollection['kind'], readonly [string, string]>> = {
  collection: ['collection', 'collections'],
  view: ['view', 'views'],
  timeseries: ['time-series collection', 'time-series collections'],
};

const TOPOLOGY_TEXT: Readonly<Record<ReportedCluster['topology'], string>> = {
  standalone: 'standalone server',
  replicaSet: 'replica set',
  sharded: 'sharded cluster',
};

const TIER_TEXT: Readonly<Record<NonNullable<ReportedCluster['tier']>, string>> = {
  'self-managed': 'self-managed',
  atlas: 'Atlas',
  'atlas-free-or-flex': 'Atlas, free or flex tier',
};

const READ_FROM_TEXT: Readonly<Record<NonNullable<ReportedCluster['readFrom']>, string>> = {
  secondary: 'read from a secondary',
  primary: 'read from the primary',
};

export function clusterTexts(cluster: ReportedCluster): string[] {
  const { topology, name, tier } = cluster;
  const server = `${TOPOLOGY_TEXT[topology]}${name === null ? '' : ` ${name}`}, ${engineText(cluster)}`;
  return tier === null ? [server] : [server, TIER_TEXT[tier]];
}

function engineText({ engine, version, tested }: ReportedCluster): string {
  if (engine === undefined || engine.name === 'MongoDB') return `MongoDB ${version}${testedText(version, tested)}`;
  if (engine.name === 'unknown') return `an unknown engine that says it is MongoDB ${version}`;
  return `${engine.name}${engine.version === null ? '' : ` ${engine.version}`} (says it is MongoDB ${version})`;
}

function testedText(version: string, tested: ReportedCluster['tested']): string {
  if (tested === undefined) return '';
  return isBefore(version, tested.oldest)
    ? `, which is older than the oldest tested version (${tested.oldest})`
    : `, which is newer than the newest tested version (${tested.newest})`;
}

export function engineTexts({ engine }: ReportedCluster): string[] {
  if (engine === undefined || engine.name === 'MongoDB') return [];
  const { notJudgeable } = engine;
  const what = notJudgeable.length === 0 ? [] : [`not supported here, so not judged: ${inWords(notJudgeable)}`];
  return [...what, 'remedies are written for MongoDB: try them on this engine first'];
}

export function coverageSection(report: Report, limits: Limits): Section {
  return { id: 'coverage', heading: 'Coverage', count: null, facts: coverageFacts(report, limits) };
}

export function coverageFacts(report: Report, { names }: Limits): Fact[] {
  const facts: readonly Fact[] = [
    { label: 'cluster', texts: clusterTexts(report.cluster), short: true },
    { label: 'collections', texts: [collectionsText(report.collections, report.summary.databases)], short: false },
    { label: 'sampled', texts: sampledTexts(report), short: true },
    { label: 'checks', texts: [checksText(report)], short: false },
    { label: 'production', texts: productionTexts(report), short: true },
    { label: 'code', texts: codeCoverageTexts(report.code), short: false },
    { label: 'server load', texts: serverLoadTexts(report.summary), short: false },
    { label: 'cut short', texts: namesBy(report.collections, boundOf, names), short: false },
    { label: 'not random', texts: namesBy(report.collections, biasOf, names), short: false },
    { label: 'not sampled', texts: notSampledTexts(report, names), short: false },
    { label: 'not recorded', texts: namesBy(report.collections, encryptionOf, names), short: false },
    { label: 'exempt', texts: letPassTexts(report, names), short: false },
    ...workloadFacts(report),
    { label: 'members', texts: memberTexts(report.summary), short: false },
    { label: 'unnamed', texts: unnamedTexts(report), short: false },
  ];
  return facts.filter(({ texts }) => texts.length > 0);
}

function collectionsText(collections: readonly ReportedCollection[], databases: number): string {
  const kinds = (['collection', 'view', 'timeseries'] as const).map((kind) => ({
    kind,
    count: collections.filter((collection) => collection.kind === kind).length,
  }));
  const texts = kinds.filter(({ count }) => count > 0).map(({ kind, count }) => plural(count, ...KIND_NOUNS[kind]));
  if (texts.length === 0) return 'none';
  return `${inWords(texts)}${texts.length === 1 ? '' : ','} in ${plural(databases, 'database')}`;
}

function sampledTexts(report: Report): string[] {
  const { summary, cluster, startedAt, finishedAt } = report;
  const sampled = samplesOf(report);
  const whole = sampled.filter(({ complete }) => complete).length;
  const documents = `${plural(summary.documentsSampled, 'document')}, ${formatBytes(summary.bytesSampled)}`;
  return [
    `${documents}, of ${plural(sampled.length, 'collection')}${whole === 0 ? '' : ` (${formatCount(whole)} read whole)`}`,
    ...(cluster.readFrom === null ? [] : [READ_FROM_TEXT[cluster.readFrom]]),
    `in ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}`,
  ];
}

export function samplesOf({ collections }: Report) {
  return collections.flatMap((collection) => collection.sampled ?? []).filter((sample) => sample.documents > 0);
}

function productionTexts({ production, summary }: Report): string[] {
  if (production === undefined) return [];
  const { collectedAt, version, collections } = production;
  return [
    `judged at its sizes: ${formatCount(collections)} of ${plural(summary.collections, 'collection')}`,
    `evidence of ${collectedAt.slice(0, 16).replace('T', ' ')} UTC, MongoDB ${version}`,
  ];
}

function serverLoadTexts({ serverLoad }: Report['summary']): string[] {
  if (serverLoad === undefined) return [];
  const { startMs, slowestMs, slowedMs, stopped } = serverLoad;
  const reaction = `read one thing at a time for ${formatDuration(slowedMs)}${stopped ? ', then stopped' : ''}`;
  return [
    `the server took ${formatDuration(slowestMs)} for what took ${formatDuration(startMs)} at the start: ${reaction}`,
  ];
}

function memberTexts({ reads }: Report['summary']): string[] {
  if (reads === undefined) return [];
  const losses = reads.losses.map(({ member, at, continuedFrom }) => {
    const after = continuedFrom === null ? '' : `; the run went on from ${continuedFrom}`;
    return `${member} was lost at ${at.slice(11, 19)} UTC${after}`;
  });
  const lags = reads.lags.map(
    ({ member, seconds }) =>
      `${member} was read ${formatDuration(seconds * 1_000)} behind the primary: maxStalenessSeconds bounds that`,
  );
  return [...losses, ...lags];
}

function checksText({ summary, checks = [], skipped, collections }: Report): string {
  const [cutShort, unread] = [new Set(skipped.map(({ check }) => check)), new Set(skipped.flatMap(namespacesOf))];
  const partly = collections.filter(({ namespace }) => unread.has(namespace)).length;
  const idle = checks.filter(({ check, judged }) => judged === 0 && cutShort.has(check)).length;
  const gaps = [
    ...(partly === 0 ? [] : [`${plural(partly, 'collection')} only partly covered`]),
    ...(idle === 0 ? [] : [`${plural(idle, 'check')} could judge nothing`]),
  ];
  if (gaps.length === 0 && summary.checks.skipped > 0) gaps.push('not all of the cluster could be judged');
  return [`${plural(summary.checks.ran, 'check')} ran`, ...gaps].join('; ');
}

/** What ended a sample, if it was no bound. */
const EARLY_ENDS: Readonly<Record<string, string>> = {
  interruption: 'the run was interrupted',
  connection: 'the connection was lost',
  vanished: 'the collection vanished',
};

function boundOf({ sampled }: ReportedCollection): string | null {
  const bound = sampled?.boundedBy ?? null;
  return bound === null ? null : (EARLY_ENDS[bound] ?? `the sample's bound in ${bound}`);
}

function biasOf({ sampled }: ReportedCollection): string | null {
  return sampled?.method === 'natural-order' ? 'the first documents, in the order in which they are stored' : null;
}

function encryptionOf({ encrypted }: ReportedCollection): string | null {
  if (encrypted !== true) return null;
  return 'encrypted: the server leaves operations of encrypting clients out of its records, so none of these is judged';
}

function notSampledTexts({ collections, skipped }: Report, most: number): string[] {
  const shownElsewhere = new Set(skipped.flatMap(namespacesOf));
  const rest = collections.filter(({ namespace }) => !shownElsewhere.has(namespace));
  return namesBy(rest, ({ notSampled }) => notSampled, most);
}

function letPassTexts({ letPass = [] }: Report, most: number): string[] {
  const texts = letPass.map(
    ({ namespace, path, detail }) => `${path === '' ? '' : `\`${path}\` of `}${namespace} (${detail})`,
  );
  const shown = texts.slice(0, most);
  const hidden = texts.length - shown.length;
  return hidden === 0 ? shown : [...shown, `${formatCount(hidden)} more (in the JSON report)`];
}

/** Names by what is to be said of them; a collection of which that is nothing is left out. */
function namesBy(
  collections: readonly ReportedCollection[],
  textOf: (collection: ReportedCollection) => string | null,
  most: number,
): string[] {
  return [...groupedBy(collections, textOf)].flatMap(([text, group]) => {
    if (text === null) return [];
    const names = group.map(({ namespace }) => namespace);
    return [`${listed(names, most)} (${text})`];
  });
}
