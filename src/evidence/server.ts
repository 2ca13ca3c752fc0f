/** What checks must know of the server. */
export interface Server {
  /** As `buildInfo` gives it, "6.0.27"; through mongos, that of mongos. */
  readonly version: string;
}
