export const files: Map<string, Blob>;
