/** The chance that a collection in which nothing grows gets a finding from one of its paths by luck, for each source. */
export const FALSE_FINDING_RATE = 0.001;
