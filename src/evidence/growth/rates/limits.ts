/** Chance that one of a collection's paths gets a finding by luck although nothing grows, for each source. */
export const FALSE_FINDING_RATE = 0.001;
