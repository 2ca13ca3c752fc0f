import { defineCheck, formatShare, sampleWindow, type PathProfile, type Verdict } from 'mongolint';

/** Field names that are amounts of money, whatever stands before: "price", "unitPrice", "total_amount". */
const MONEY = /(?:^|[a-z_])(?:amount|balance|cost|fee|price|total)$/i;

export const floatingPointMoney = defineCheck({
  // With the plugin's name it becomes money/floating-point-money.
  id: 'floating-point-money',
  title: 'Money in floating point',
  summary: 'amounts of money stored as double, which cannot hold most of them exactly',
  docs: 'https://example.com/mongolint-plugin-money/docs/floating-point-money.md',
  appliesTo: ['collection'],
  needs: ['documents', 'storage'],
  thresholds: {
    share: {
      default: 0.1,
      unit: 'share',
      description: 'share of doubles with a fraction among the values of a field from which a warning is given',
      source: 'judgement: a few may come from a shell, which writes every number as double',
    },
  },
  judge({ documents, storage }, { share }) {
    return documents.profile.paths.filter(isMoney).flatMap((profile): Verdict[] => {
      const fractions = shareOfFractions(profile);
      if (fractions < share) return [];
      return [
        {
          severity: 'warning',
          confidence: 'medium',
          path: profile.path,
          message: `${formatShare(fractions)} of the values of \`${profile.path}\` are doubles with a fraction: sums of them drift by cents.`,
          evidence: { source: 'sample', window: sampleWindow(documents, storage), fractions },
          remedy: {
            steps: [{ text: `Store \`${profile.path}\` as Decimal128, or as a whole number of cents.` }],
          },
        },
      ];
    });
  },
});

function isMoney({ path }: PathProfile): boolean {
  return MONEY.test(path.slice(path.lastIndexOf('.') + 1));
}

function shareOfFractions({ occurrences, values }: PathProfile): number {
  const { numbers } = values ?? {};
  return numbers === undefined ? 0 : (numbers.count - numbers.whole) / occurrences;
}
