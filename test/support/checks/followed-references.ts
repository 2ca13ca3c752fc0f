import type { BackReference, ComparedReference, CopiedField } from '../../../src/check.js';
import type { GivenCluster, GivenCollection } from './joined-evidence.js';

/** Invoices of a shop, 500 sampled, whose customers are all there. */
const INVOICE_CUSTOMER: ComparedReference = {
  namespace: 'shop.invoices',
  path: 'customer_id',
  isInArray: false,
  target: 'shop.customers',
  furtherTargets: [],
  isSoughtEverywhere: true,
  conversion: null,
  sampled: 500,
  complete: false,
  documents: 500,
  references: 500,
  values: 300,
  dangling: { references: 0, values: 0, documents: 0 },
  copies: [],
  backReferences: [],
};

/** The customer's name in the invoice, a tenth of which differs, and is shown to follow. */
export const COPY: CopiedField = {
  path: 'customer_name',
  sourcePath: 'name',
  family: 'string',
  isBesideId: false,
  compared: 500,
  differing: 50,
  agreementByChance: 0.01,
  valuesAgreed: 250,
  valuesPerSource: 0.95,
  history: { updated: 20, untouched: 2 },
};

/** The customer lists the invoices; a tenth of them is not listed. */
export const BACK: BackReference = { path: 'invoices', isInArray: true, followed: 500, compared: 480, oneSided: 48 };

/** A shop of 20,000 invoices and 2,000 customers, of which one reference was followed. */
export function shopFollowing(
  reference: Partial<ComparedReference> = {},
  {
    invoices = {},
    customers = {},
    ...rest
  }: Partial<GivenCluster> & { readonly invoices?: GivenCollection; readonly customers?: GivenCollection } = {},
): GivenCluster {
  return {
    collections: { invoices, customers: { documents: 2_000, ...customers } },
    referenceIntegrity: { references: [{ ...INVOICE_CUSTOMER, ...reference }], gaps: [] },
    ...rest,
  };
}

/** So many references of the sample lead nowhere, each of them to another document. */
export function dangling(references: number, values = references): Pick<ComparedReference, 'dangling'> {
  return { dangling: { references, values, documents: references } };
}
