/** Why a file can't be used, in half a sentence whose subject is the file. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}

const SYSTEM_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EDQUOT: 'the disk quota is exhausted',
  EFBIG: 'it would be larger than files may be here',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'this process may open no more files; raise the limit (ulimit -n)',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'its folder does not exist',
  ENXIO: 'nobody reads from it',
  EPERM: 'permission is denied',
  EPIPE: 'its reader left before the end',
  EROFS: 'the file system is read-only',
  ESPIPE: 'it is a pipe',
};

/** What the system refused this process, as a sentence without its stop; null for another error. */
export function processFault(error: unknown): string | null {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return 'the working directory does not exist any more';
  if (code === 'EMFILE') return fileFault(error);
  return code === undefined || syscall === undefined ? null : `${fileFault(error)} (${syscall})`;
}

/** Half a sentence for the error of an operation on a file. Messages of the system quote paths. */
export function fileFault(error: unknown): string {
  if (error instanceof FileFault) return error.message;
  const { code, name } = error as NodeJS.ErrnoException;
  return code === undefined ? name : (SYSTEM_FAULTS[code] ?? code);
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
