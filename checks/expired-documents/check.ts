import { defineCheck, type DocumentProfile, type IndexDescription, type Verdict } from '../../src/check.js';
import { formatShare } from '../../src/format.js';
import { judgedAt, judgedAtText, judgedSize, sizesUnknown, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { seenPart, shareWithin, STATED_RISK, type SeenPart } from '../../src/judgement/margins.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { bySample } from '../../src/judgement/severity-lines.js';
import { queryPath } from '../../src/profile/path-steps.js';
import { LINE_RISK } from '../../src/profile/sampling/confidence.js';
import { expiryFields, expiryReads, type ExpiryField, type ExpiryReads } from './expiry-fields.js';
import { steps } from './remedy.js';

export const expiredDocuments = defineCheck({
  id: 'expired-documents',
  title: 'Expired documents that nothing removes',
  summary: 'documents whose date of expiry passed a month ago or more, and that no TTL index deletes',
  appliesTo: ['collection'],
  needs: ['documents', 'indexes', 'storage'],
  uses: ['reads'],
  lostByPseudonyms: 'fields with a date of expiry were not recognized by their names.',
  thresholds: {
    documents: {
      default: 1_000,
      unit: 'documents',
      description: 'documents from which an info is given; fewer are too small to tell',
      source: 'judgement: fewer cost nothing; the floor of other checks of what is proportional to the documents',
    },
    share: {
      default: 0.5,
      unit: 'share',
      description: 'share of the documents that must have expired 31 days ago or more',
      source: 'judgement: a job that cleans up each month leaves fewer, unless it does not keep up',
    },
    warning: {
      default: 1_000_000,
      unit: 'documents',
      description:
        'expired documents from which a warning is given, if queries or the name of the field show that they are not wanted',
      source:
        'judgement: the index on _id then has 10 MB or more for them alone (measured on 6.0.5: 10 to 20 bytes per document)',
    },
  },
  judge({ collection, documents, indexes, storage, reads }, limits): readonly Verdict[] {
    if (collection.capped !== undefined || collection.expireAfterSeconds !== undefined) return [];
    // Something removes documents, by a rule that is not known.
    if ((reads?.deletes ?? 0) > 0) return [];
    const { profile } = documents;
    const fields = expiryFields(profile);
    if (fields === null) return [{ notJudged: 'insufficient', detail: NOT_COUNTED, nothingJudged: true }];
    const seen = seenPart(documents, storage);
    return fields.flatMap((field): Verdict[] => {
      if (indexes.some((index) => mayDelete(index, field, profile, limits.share))) return [];
      const within = (risk: number, part = seen) => shareWithin(field.monthPast, profile.documents, part, risk);
      const asked = expiryReads(field.path, reads);
      if (within(LINE_RISK)[0] < limits.share || asked === 'expired') return [];
      if (storage.count === null) return [sizesUnknown(collection.namespace)];
      const size = judgedSize(collection, storage.count);
      if (size.documents < limits.documents) return [tooSmallToTell(size, `kept beyond \`${field.path}\``)];
      const isUnwanted = asked === 'unexpired' || field.saysDelete;
      const share = field.monthPast / profile.documents;
      const isMany = (part: SeenPart) => within(LINE_RISK, part)[0] * size.documents >= limits.warning;
      return [
        {
          ...bySample(seen, (part) => ({ severity: isUnwanted && isMany(part) ? 'warning' : 'info' })),
          confidence: isUnwanted ? 'medium' : 'low',
          path: field.path,
          message:
            `${formatShare(share)} of the documents expired a month ago or more by \`${field.path}\`, and no TTL index deletes them. ` +
            `${askedText(asked, field)}${judgedAtText(size)}`,
          ...judgedAt(size),
          restsOn: ['sample'],
          evidence: {
            source: 'sample',
            window: sampleWindow(documents, storage),
            expired: field.monthPast,
            expiredShare: share,
            ...(seen.share < 1 && { expiredShareRange: [...within(STATED_RISK)] }),
          },
          remedy: { steps: steps(collection, field.path, indexes) },
        },
      ];
    });
  },
});

/** True of a TTL index on the field, and of one on another field that so many documents have a date in. */
function mayDelete(
  { key, expireAfterSeconds }: IndexDescription,
  { path }: ExpiryField,
  { paths, documents }: DocumentProfile,
  share: number,
): boolean {
  if (expireAfterSeconds === undefined) return false;
  const dated = paths.filter((each) => Object.hasOwn(key, queryPath(each.path)) && each.types.date !== undefined);
  return Object.hasOwn(key, path) || dated.some((each) => each.documents > (1 - share) * documents);
}

const NOT_COUNTED =
  'which dates are past is not in this evidence file. Collect it again: they are counted since this check exists.';

function askedText(asked: ExpiryReads, { saysDelete }: ExpiryField): string {
  if (asked === 'unexpired') return 'Every recorded read asks only for documents that have not expired.';
  if (asked !== 'unknown') return 'Recorded reads return them too, so somebody may want them.';
  return saysDelete
    ? 'Its name says that they are to be deleted.'
    : 'No recorded reads show whether anybody wants them.';
}
