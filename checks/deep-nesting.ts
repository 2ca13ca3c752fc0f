import { defineCheck, type DocumentProfile, type RemedyStep } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { bySample, isSeenAgain, seenPart, type SeenPart, severityOf } from '../src/judgement/margins.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { withoutElements } from '../src/profile/path-steps.js';
import { NESTING_LIMIT_LEVELS } from '../src/profile/server-limits.js';

/** Levels of a path that a message shows at its beginning and its end. */
const SHOWN_STEPS = 3;

/**
 * Times that one field name is nested in itself from which it is a tree in one document. Judgement: three levels of comments
 * are common.
 */
const TREE_LEVELS = 4;

export const deepNesting = defineCheck({
  id: 'deep-nesting',
  title: 'Deep nesting',
  summary: 'objects and arrays nested many levels deep, or an object that contains its own kind',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage'],
  thresholds: {
    info: {
      default: 16,
      unit: 'levels',
      description: 'levels of nesting',
      source: 'judgement: a GeoJSON geometry within a record has 8, a FHIR resource about 10',
    },
    warning: {
      default: 32,
      unit: 'levels',
      description: 'levels of nesting',
      source: 'judgement: a third of what the server accepts',
    },
    error: {
      default: 0.8 * NESTING_LIMIT_LEVELS,
      unit: 'levels',
      description: 'levels of nesting',
      source: 'judgement: 80 % of the 100 levels beyond which a write fails (MongoDB manual, "Limits and Thresholds")',
    },
  },
  retiredThresholds: ['repeats'],
  judge({ documents, storage }, { info, warning, error }) {
    const { profile } = documents;
    const { depth } = profile;
    if (depth.path === null) return [];
    const tree = recursion(depth.path);
    const lines = { info, warning, error };
    const isTree = tree.repeats >= TREE_LEVELS;
    if (severityOf(depth.max, lines) === null && !isTree) return [];
    const path = shortened(isTree ? tree.path : withoutElements(depth.path));
    const documentsWithIt = profile.paths.find((each) => each.path === depth.path)?.documents ?? 0;
    const reason = isTree
      ? `\`${path}\` contains itself ${formatCount(tree.repeats)} times`
      : `the deepest value is at \`${shortened(depth.path)}\``;
    return [
      {
        ...bySample(seenPart(documents, storage), (seen) => ({
          severity: severityOf(levelsSeenAgain(profile, seen), lines) ?? 'info',
        })),
        confidence: 'high',
        path,
        message:
          `Documents are nested up to ${plural(depth.max, 'level')} deep: ${reason}. Writes fail beyond ${NESTING_LIMIT_LEVELS} levels. ` +
          'Each array on the way makes queries, indexes and updates harder.',
        restsOn: ['sample'],
        evidence: {
          source: 'sample',
          window: sampleWindow(documents, storage),
          levels: depth.max,
          limit: NESTING_LIMIT_LEVELS,
          deepestPath: shortened(depth.path),
          documentsWithIt,
          documentsShowing: documentsWithIt,
          repeats: tree.repeats,
        },
        remedy: { steps: isTree ? treeSteps(path) : flatteningSteps(path) },
      },
    ];
  },
});

/** The levels that are in the sample each time, not by chance. */
function levelsSeenAgain({ depth, paths }: DocumentProfile, seen: SeenPart): number {
  if (!seen.byChance) return depth.max;
  return Math.max(0, ...paths.filter((path) => isSeenAgain(path.documents, seen)).map((path) => path.depth));
}

/** The field that is nested in itself most often on a path: the path to its first occurrence, and its occurrences. */
function recursion(path: string): { readonly path: string; readonly repeats: number } {
  const steps = path.split('.');
  const names = steps.map((step) => withoutElements(step));
  // Maps within maps are not nested in themselves.
  const alike = groupedBy(
    names.filter((each) => each !== '*'),
    (each) => each,
  );
  const [[name, all] = ['', []]] = [...alike].toSorted(([, one], [, other]) => other.length - one.length);
  return { path: [...steps.slice(0, names.indexOf(name)), name].join('.'), repeats: all.length };
}

function shortened(path: string): string {
  const steps = path.split('.');
  if (steps.length <= 2 * SHOWN_STEPS) return path;
  return [...steps.slice(0, SHOWN_STEPS), '…', ...steps.slice(-SHOWN_STEPS)].join('.');
}

function treeSteps(path: string): RemedyStep[] {
  return stepsOf(
    `Store each node of \`${path}\` as its own document, with the _id of its parent (parent references).`,
    'Index the field with the parent. Then $graphLookup can read a subtree.',
    'Optional, if queries read whole branches: add to each node the list of its ancestors, or a path such as "/a/b/" (materialised ' +
      'paths), and index it.',
  );
}

function flatteningSteps(path: string): RemedyStep[] {
  const [top = path] = path.split(/[.[]/);
  return stepsOf(
    `Flatten what is below \`${top}\`: lift the fields that queries use to the top level.`,
    'Move inner arrays to their own collection, with the _id of the parent.',
    'Store what is only read as a whole, such as a configuration, as one string or binary.',
  );
}
