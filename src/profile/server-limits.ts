/** Bytes that a BSON document may have. Source: MongoDB manual, "MongoDB Limits and Thresholds". */
export const DOCUMENT_LIMIT_BYTES = 16 * 1024 * 1024;

/** Levels of objects and arrays that a document may have. Source: MongoDB manual, "MongoDB Limits and Thresholds". */
export const NESTING_LIMIT_LEVELS = 100;
