import type { Document } from 'mongodb';

/** What a collation is unless its locale or the user says otherwise, as `listIndexes` gives it on 6.0.5 and 6.0.27. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  strength: 3,
  caseLevel: false,
  caseFirst: 'off',
  numericOrdering: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  normalization: false,
  backwards: false,
};

const NORMALIZED_LOCALES = 'as bn el fa fa_AF gu he hi ig km kn kok mr my or pa ps si ta te th vi yi yo'.split(' ');

/** The options that depend on the locale. Every locale that 6.0.5 and 6.0.27 know was tried. */
const LOCALE_DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...Object.fromEntries(NORMALIZED_LOCALES.map((locale) => [locale, { normalization: true }])),
  da: { caseFirst: 'upper' },
  mt: { caseFirst: 'upper' },
  fr_CA: { backwards: true },
  th: { alternate: 'shifted', normalization: true },
};

/** The server completes an index's collation; a join's holds what the user wrote. */
export function isSameCollation(one: Document | null | undefined, other: Document | null | undefined): boolean {
  if (isSimpleCollation(one) || isSimpleCollation(other)) return isSimpleCollation(one) && isSimpleCollation(other);
  const [first, second] = [complete(one!), complete(other!)];
  return (
    first['locale'] === second['locale'] && Object.keys(DEFAULTS).every((option) => first[option] === second[option])
  );
}

export function isSimpleCollation(collation: Document | null | undefined): boolean {
  return collation === null || collation === undefined || collation['locale'] === 'simple';
}

/** The name of a collation in running text: "simple", "en, strength 2". */
export function localeOf(collation: Document | null | undefined): string {
  if (isSimpleCollation(collation)) return 'simple';
  const { locale, strength } = collation!;
  return strength === undefined ? `${locale}` : `${locale}, strength ${strength}`;
}

function complete(collation: Document): Document {
  return { ...DEFAULTS, ...LOCALE_DEFAULTS[String(collation['locale'])], ...collation };
}
