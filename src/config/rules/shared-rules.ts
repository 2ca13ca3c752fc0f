import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { AnyCheck, Check, Problem, Subject } from '../../check.js';
import { strangerAt } from '../../files/file-owner.js';
import { formatBytes, formatCount, formatShare, plural } from '../../format.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { isVisible } from '../../inventory/index-key.js';
import { namespaceFilter } from '../../inventory/namespace-glob.js';
import { indexName } from '../../judgement/indexes/index-proposal.js';
import { sampleWindow } from '../../judgement/sample-window.js';
import { linearPattern, type LinearPattern } from '../../text/linear-pattern.js';
import { issuesOf } from '../../text/schema-issues.js';
import { configError, type ConfigFile } from '../config-file.js';
import { findConfig } from '../find-config.js';
import { known } from '../option-schema.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import { rulesSchema, type HouseRule } from './house-rule.js';

/** Evidence of a rule, by what it demands. Rules are about documents, so views and time-series collections have only names. */
const ALL = ['documents', 'indexes', 'storage'] as const;

type Needed = (typeof ALL)[number];

type Known = Subject<never, Needed>;

/** What a rule finds, but for what all of its findings share. */
type Breach = Pick<Problem, 'path' | 'message' | 'evidence' | 'remedy'> & Partial<Pick<Problem, 'pathIs' | 'restsOn'>>;

const LABELS = {
  documents: 'Documents',
  collectionBytes: 'Size of the documents',
  documentBytes: 'Size of the largest sampled document',
  indexes: 'Indexes',
} as const;

/** What a file of the configuration extends beside the configs of plugins, and the rules of both. */
export interface SharedRules {
  /** Settings of checks, not validated yet, by the name under which they are extended. */
  readonly configs: ReadonlyMap<string, ConfigFile>;
  readonly checks: readonly AnyCheck[];
}

const sharedSchema = known({
  $schema: z.string().optional(),
  rules: rulesSchema().optional(),
  checks: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Reads the files and packages that a configuration extends, and makes checks of all rules. Of two with one id the later wins,
 * and the configuration's own over both.
 *
 * @throws LintError with file, line and key of each error
 */
export async function sharedRules(file: ConfigFile, plugins: readonly LoadedPlugin[]): Promise<SharedRules> {
  const own = z.object({ extends: z.array(z.string()).default([]), rules: rulesSchema().default([]) });
  const parsed = own.safeParse(file.value);
  if (!parsed.success) throw configError(file, issuesOf(parsed.error));
  const ofPlugins = new Set(
    plugins.flatMap(({ meta, configs }) => Object.keys(configs).map((name) => `${meta.name}/${name}`)),
  );
  const configs = new Map<string, ConfigFile>();
  const rules = new Map<string, HouseRule>();
  const { extends: names } = parsed.data;
  for (const name of names.filter((each) => !ofPlugins.has(each))) {
    const path = pathOf(name, dirname(file.path));
    if (path === null) continue;
    const stranger = OWN_FILE.test(name) ? null : await strangerAt(path);
    if (stranger !== null) {
      const message = `${path} was ignored: it ${stranger}. If it is yours, name the file instead of the package`;
      throw configError(file, [{ path: ['extends', names.indexOf(name)], message }]);
    }
    const shared = (await findConfig(dirname(file.path), path)) as ConfigFile;
    const content = sharedSchema.safeParse(shared.value);
    if (!content.success) throw configError(shared, issuesOf(content.error));
    configs.set(name, shared);
    for (const rule of content.data.rules ?? []) rules.set(rule.id, rule);
  }
  const twice = parsed.data.rules.findIndex(({ id }, index, all) => all.some((one, at) => at < index && one.id === id));
  if (twice !== -1) throw configError(file, [{ path: ['rules', twice, 'id'], message: 'another rule has this id' }]);
  for (const rule of parsed.data.rules) rules.set(rule.id, rule);
  return { configs, checks: [...rules.values()].map(checkOfRule) };
}

/** A file by its path: whoever wrote the configuration means it. Others are looked for in each folder above. */
const OWN_FILE = /^\.{0,2}\//;

/** Null if it is neither a file nor an installed package: a config of a plugin that is not there. */
function pathOf(name: string, folder: string): string | null {
  if (OWN_FILE.test(name)) return resolve(folder, name);
  try {
    return createRequire(join(folder, 'mongolint.js')).resolve(name);
  } catch {
    return null;
  }
}

/** A rule as a check: it judges the collections of its glob. */
function checkOfRule(rule: HouseRule): AnyCheck {
  const { id, reason, glob, severity, docs = 'docs/configuration.md#house-rules' } = rule;
  const isMeant = namespaceFilter({ include: [glob], exclude: [] });
  const needs = neededBy(rule);
  const pattern = rule.name === undefined ? null : linearPattern(rule.name);
  return {
    id: `house/${id}`,
    title: `House rule ${id}`,
    summary: reason.replace(/\.$/, ''),
    docs,
    appliesTo: needs.length === 0 ? ['collection', 'view', 'timeseries'] : ['collection'],
    needs,
    uses: ['storage'],
    thresholds: {},
    judge: (subject: Known) =>
      isMeant(subject.collection.namespace)
        ? [...ofName(pattern, rule, subject), ...breaches(rule, subject)].map((breach) => ({
            severity,
            confidence: 'high' as const,
            ...breach,
            message: `${breach.message} ${reason}`,
          }))
        : [],
  } satisfies Check<Needed, Record<never, never>, Needed> as AnyCheck;
}

function neededBy({ fields, forbiddenTypes, indexes, maximum = {} }: HouseRule): Needed[] {
  const isNeeded: Readonly<Record<Needed, boolean>> = {
    documents: fields !== undefined || forbiddenTypes !== undefined || maximum.documentBytes !== undefined,
    indexes: indexes !== undefined || maximum.indexes !== undefined,
    storage: maximum.documents !== undefined || maximum.collectionBytes !== undefined,
  };
  return ALL.filter((name) => isNeeded[name]);
}

function breaches(rule: HouseRule, subject: Known): Breach[] {
  return [
    ...ofFields(rule, subject),
    ...ofTypes(rule, subject),
    ...ofIndexes(rule, subject),
    ...ofMaximum(rule, subject),
  ];
}

function ofName(pattern: LinearPattern | null, { name }: HouseRule, { collection }: Known): Breach[] {
  if (pattern === null || pattern.matchesWhole(collection.name)) return [];
  return [
    {
      path: null,
      message: `The name of the collection does not match ${name}.`,
      evidence: { source: 'listCollections', window: 'the name of the collection' },
      remedy: steps('Rename it with `renameCollection`, together with the code that names it.'),
    },
  ];
}

function ofFields({ fields = {} }: HouseRule, { documents, storage }: Known): Breach[] {
  if (documents === undefined || documents.profile.documents === 0) return [];
  const { profile } = documents;
  const all = profile.documents;
  return Object.entries(fields).flatMap(([path, allowed]): Breach[] => {
    const found = profile.paths.find((each) => each.path === path);
    const lacking = all - (found?.documents ?? 0);
    const others = Object.entries(found?.types ?? {}).filter(([type]) => !(allowed as string[]).includes(type));
    const shared = { path, restsOn: ['sample'] };
    const window = sampleWindow(documents, storage);
    if (lacking > 0)
      return [
        {
          ...shared,
          message: `${formatShare(lacking / all)} of the sampled documents lack it (${formatCount(lacking)} of ${formatCount(all)}).`,
          evidence: { source: 'sample', window, lacking, documents: all },
          remedy: steps('Set it in these documents, then demand it with a validator ($jsonSchema, `required`).'),
        },
      ];
    if (allowed.length === 0 || others.length === 0) return [];
    const held = others.map(([type, values]) => `${type} (${plural(Number(values), 'value')})`).join(', ');
    return [
      {
        ...shared,
        message: `It must be ${allowed.join(' or ')}, and holds ${held}.`,
        evidence: { source: 'sample', window, types: Object.fromEntries(others) },
        remedy: steps('Convert these values, then demand the type with a validator ($jsonSchema, `bsonType`).'),
      },
    ];
  });
}

function ofTypes({ forbiddenTypes = [] }: HouseRule, { documents, storage }: Known): Breach[] {
  return (documents?.profile.paths ?? []).flatMap(({ path, types }): Breach[] => {
    const held = forbiddenTypes.filter((type) => (types[type] ?? 0) > 0);
    if (held.length === 0 || documents === undefined) return [];
    return [
      {
        path,
        restsOn: ['sample'],
        message: `It holds ${held.map((type) => `${type} (${plural(types[type] ?? 0, 'value')})`).join(', ')}.`,
        evidence: { source: 'sample', window: sampleWindow(documents, storage), types: { ...types } },
        remedy: steps('Convert these values to another type, and write no more of them.'),
      },
    ];
  });
}

function ofIndexes({ indexes: required = [] }: HouseRule, { collection, indexes = [] }: Known): Breach[] {
  return required
    .filter((wanted) => !indexes.some((index) => isAs(index, wanted)))
    .map(({ key, unique = false }): Breach => {
      const name = indexName(key);
      const command = { createIndexes: collection.name, indexes: [{ key, name }] };
      return {
        path: name,
        pathIs: 'missing-index',
        message: `No ${unique ? 'unique ' : ''}index begins with ${Object.keys(key).join(', ')}.`,
        evidence: { source: 'listIndexes', window: plural(indexes.length, 'index', 'indexes') },
        remedy: unique
          ? steps('Look for values that are there twice, put them right, and create the unique index.')
          : {
              steps: [
                {
                  text: 'Create the index. The build reads all documents on every member, while reads and writes go on.',
                  command: { db: collection.database, command },
                },
              ],
            },
      };
    });
}

function isAs(index: IndexDescription, { key, unique }: NonNullable<HouseRule['indexes']>[number]): boolean {
  const has = Object.entries(index.key);
  const wanted = Object.entries(key);
  const begins = wanted.every(([path, kind], position) => has[position]?.[0] === path && has[position][1] === kind);
  const isWhole = unique !== true || (index.unique && has.length === wanted.length);
  return isVisible(index) && index.partialFilterExpression === undefined && begins && isWhole;
}

function ofMaximum({ maximum = {} }: HouseRule, { documents, indexes, storage }: Known): Breach[] {
  const figures = [
    ['documents', storage?.count, maximum.documents, formatCount, 'collStats'],
    ['collectionBytes', storage?.size, maximum.collectionBytes, formatBytes, 'collStats'],
    ['documentBytes', documents?.profile.sizes.max, maximum.documentBytes, formatBytes, 'sample'],
    ['indexes', indexes?.length, maximum.indexes, formatCount, 'listIndexes'],
  ] as const;
  return figures.flatMap(([name, value, most, format, source]): Breach[] => {
    if (most === undefined || value === undefined || value === null || value <= most) return [];
    const window =
      source === 'sample' && documents !== undefined ? sampleWindow(documents, storage) : 'the whole collection';
    return [
      {
        path: null,
        message: `${LABELS[name]}: ${format(value)}, at most ${format(most)} are allowed.`,
        evidence: { source, window, [name]: value, allowed: most },
        remedy: steps('Bring it below the limit, or raise the limit of the rule and say why.'),
      },
    ];
  });
}

function steps(text: string): Problem['remedy'] {
  return { steps: [{ text }] };
}
