/** Chance that one of a collection's paths gets a finding by luck although nothing grows, for each source. */
export const FALSE_FINDING_RATE = 0.001;

/** Within which an unknown rate doubles or halves by chance, in one case of ten. */
export const DOUBLED_BY_CHANCE_DAYS = 30;
