/** A share of a collection's documents, 0 to 1: on average, of a rare value, and of the commonest. */
export interface Share {
  readonly estimate: number;
  readonly least: number;
  readonly most: number;
}

export function exactly(share: number): Share {
  return { estimate: share, least: share, most: share };
}

export const ALL = exactly(1);
export const NONE = exactly(0);

/** The share of what meets both, taken as independent; null if one of them is unknown. */
export function both(one: Share | null, other: Share | null): Share | null {
  return combined(one, other, (share, another) => share * another);
}

/** The share of what meets one or both, taken as independent. */
export function either(one: Share | null, other: Share | null): Share | null {
  return combined(one, other, (share, another) => share + another - share * another);
}

/** The share of what meets one of two that exclude each other. */
export function sum(one: Share | null, other: Share | null): Share | null {
  return combined(one, other, (share, another) => Math.min(1, share + another));
}

/** The share of what does not meet it. */
export function rest(share: Share | null): Share | null {
  return share === null ? null : { estimate: 1 - share.estimate, least: 1 - share.most, most: 1 - share.least };
}

/** As a figure: documents, keys. */
export function times({ estimate, least, most }: Share, factor: number): Share {
  return { estimate: estimate * factor, least: least * factor, most: most * factor };
}

function combined(one: Share | null, other: Share | null, by: (one: number, other: number) => number): Share | null {
  if (one === null || other === null) return null;
  return {
    estimate: by(one.estimate, other.estimate),
    least: by(one.least, other.least),
    most: by(one.most, other.most),
  };
}
