import type { Secrets } from './secrets.ts'

/** Whether a value was encrypted by another key than the one that encrypts now. */
export function isStale(secrets: Secrets, sealed: Buffer): boolean {
  const mark = secrets.mark()
  return !sealed.subarray(0, mark.length).equals(mark)
}

/** SQL: the same of a column, null where it is; `:mark` is what begins all that is encrypted now. */
export const isStaleIn = (column: string): string => `substr(${column}, 1, octet_length(:mark::bytea)) <> :mark::bytea`

/** The same text or bytes, encrypted by the key of now. */
export const reseal = (secrets: Secrets, sealed: Buffer): Buffer => secrets.encrypt(secrets.decryptBytes(sealed))
