/** The public face: every name, value or type, that `import … from 'mongolint'` gives. Semantic versioning holds for these. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import * as library from '../../src/index.js';

/** The contract of checks: what they are, what they are given, and what they give back. */
const CONTRACT = `
  AnyCheck AnyClusterCheck AnyCollectionCheck Check ClusterCheck ClusterSubject ClusterVerdict Confidence Evidence
  EvidenceName ClusterEvidenceName FindingEvidence FindingLocation IndexProposal KnownCollection NotJudged Problem Remedy RemedyCommand RemedyStep Severity
  SkipReason Subject Threshold ThresholdValues Thresholds Verdict defineCheck defineClusterCheck isClusterCheck`;

/** What evidence is made of. */
const EVIDENCE = `
  ArrayGrowth ArrayProfile BackReference Balancer BsonType Buckets ChildFamilies Children ClusterEvidence Collection
  CollectionEvidence CollectionKind CollectionReads CollectionSharding ComparedReference CopiedField Distribution
  DocumentEvidence DocumentProfile DocumentSample Exempt FieldType FieldTypes GrowthEvidence IndexDescription IndexUsage
  InsertionOrder KeyOrder LargestDocuments LimitForecast MeasuredGrowth MeasurementSeries ObjectProfile OperationFigures
  OplogGrowth OplogWindow PathProfile Reference ReferenceIntegrity References Safety Server Shard ShardKeyEvidence ShardPart ShardingEvidence
  StorageStatistics TracedOperation TracedWorkload TypeCounts UnderstoodCode Workload`;

/** How checks write figures and names. */
const WRITING = 'formatBytes formatCount formatDuration formatShare plural sampleWindow shellCollection';

const PLUGINS = 'Plugin PluginConfig testCheck';

const RUN = `
  CheckSetting CheckSettings LINT_DEFAULTS LintError LintOptions LintProgress
  builtInChecks createLinter lint loadConfig toHaveNoFindings`;

const REPORT = `
  Finding REPORT_FORMATS RenderOptions Report ReportFormat Skipped TargetReport renderReport reportJsonSchema reportSchema`;

const POLICY = `
  BaselineEntry EXIT_CODES ExitCode ExitPolicy Policy Suppression TargetRun applyPolicy exitCode readBaseline writeBaseline`;

const PUBLIC = [CONTRACT, EVIDENCE, WRITING, PLUGINS, RUN, REPORT, POLICY].flatMap((names) =>
  names.trim().split(/\s+/),
);

/** The names that a module exports, those that it passes on included. */
function exportedNames(file: string): string[] {
  const source = readFileSync(join(packageRoot(), file), 'utf8');
  const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  const declared = [...source.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)];
  const passedOn = [...source.matchAll(/^export \* from '(\.[^']+)\.js'/gm)];
  return [
    ...listed.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== ''),
    ...declared.map(([, name = '']) => name),
    ...passedOn.flatMap(([, path = '']) => exportedNames(join(dirname(file), `${path}.ts`))),
  ];
}

describe('the public face', () => {
  it('is what is listed here, and nothing by accident', () => {
    expect(exportedNames('src/index.ts').sort()).toEqual(PUBLIC.toSorted());
  });

  it('has fewer than 125 names', () => {
    expect(PUBLIC.length).toBeLessThan(125);
    expect(new Set(PUBLIC).size).toBe(PUBLIC.length);
  });

  it('has the values that are listed here', () => {
    expect(PUBLIC).toEqual(expect.arrayContaining(Object.keys(library)));
    const values = PUBLIC.filter((name) => /^(?:[a-z]|[A-Z_]+$)/.test(name));
    expect(Object.keys(library)).toEqual(expect.arrayContaining(values));
  });
});
