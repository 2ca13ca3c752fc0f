import type { CheckSetting, CheckSettings } from '../../src/findings/check-settings.js';
import { separated } from '../../src/findings/further-reasons.js';
import { nameOf } from '../../src/namespace.js';
import type { Report } from '../../src/report/report.js';
import { arraysExhibits } from './arrays.js';
import { collectionsExhibits } from './collections.js';
import { documentsExhibits } from './documents.js';
import { type Exhibit, inOrder } from './exhibit.js';
import { fieldsExhibits } from './fields.js';
import { indexesExhibits } from './indexes.js';
import { joinsExhibits } from './joins.js';
import { operationsExhibits } from './operations.js';
import { orderQueriesExhibits } from './order-queries.js';
import { pagesExhibits } from './pages.js';
import { referencesExhibits } from './references.js';
import { timesExhibits } from './times.js';

/** Every exhibit, in the order of the checks. */
export const exhibits = inOrder([
  ...arraysExhibits,
  ...collectionsExhibits,
  ...documentsExhibits,
  ...fieldsExhibits,
  ...indexesExhibits,
  ...joinsExhibits,
  ...operationsExhibits,
  ...orderQueriesExhibits,
  ...pagesExhibits,
  ...referencesExhibits,
  ...timesExhibits,
]);

/** The database that the exhibits are planted in where nothing else is. */
export const EXHIBIT_DATABASE = 'demo';

/** The settings under which the exhibits, planted in this database, show what they are for. */
export function exhibitSettings(database: string): CheckSettings {
  return Object.fromEntries(
    exhibits.flatMap(({ check, thresholds, bad, twin }): [string, CheckSetting][] => {
      if (thresholds === undefined) return [];
      const namespaces = [bad, twin].map(({ name }) => ({
        glob: `${database}.${name}`,
        severity: 'info' as const,
        thresholds,
      }));
      return [[check, { severity: 'off', namespaces }]];
    }),
  );
}

interface ExhibitOutcome {
  readonly exhibit: Exhibit;
  /** True if the check fired on the bad collection, at the path it should. */
  readonly fired: boolean;
  /** True if the check was silent on the twin. */
  readonly silent: boolean;
}

export function outcomeOf(exhibit: Exhibit, { findings }: Report): ExhibitOutcome {
  const own = findings.flatMap(separated).filter(({ check }) => check === exhibit.check);
  return {
    exhibit,
    fired: own.some(({ namespace, path }) => nameOf(namespace) === exhibit.bad.name && path === exhibit.bad.path),
    silent: !own.some(({ namespace }) => nameOf(namespace) === exhibit.twin.name),
  };
}
