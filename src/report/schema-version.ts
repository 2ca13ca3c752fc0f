/** The version of the report's contract. Within it, changes only add: keys, and values where `examples` list them. */
export const REPORT_SCHEMA_VERSION = 1;
