import type { Secrets } from './secrets.ts'

/** Whether a value was encrypted with a key other than the current one. */
export function isOutdated(secrets: Secrets, sealed: Buffer): boolean {
  const mark = secrets.mark()
  return !sealed.subarray(0, mark.length).equals(mark)
}

/**
 * SQL: whether a column was encrypted with a key other than the current one. Null if the column is null. `:mark` is the
 * prefix of values encrypted with the current key.
 */
export const isOutdatedIn = (column: string): string => `substr(${column}, 1,
octet_length(:mark::bytea)) <> :mark::bytea`

/** The same text or bytes, encrypted with the current key. */
export const reseal = (secrets: Secrets, sealed: Buffer): Buffer => secrets.encrypt(secrets.decryptBytes(sealed))
