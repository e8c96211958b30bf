import type { DailyChunk, WriteScope } from '../runtime/ctx.ts'
import { statement } from '../database/sql/statement.ts'
import { isOutdatedIn, reseal, type Secrets } from './secrets.ts'

/**
 * Re-encrypts one chunk of a module's rows of a locked organization. Returns the last row if there may be more, else
 * null.
 */
export type ReEncryption = (
  scope: WriteScope & { secrets: Secrets },
  organization_id: string,
  chunk: DailyChunk,
) => Promise<string | null>

/** A table with encrypted columns. */
type SealedTable = {
  table: string
  /** the columns that identify a row of an organization */
  key: readonly string[]
  /** the encrypted columns, which may be null */
  sealed: readonly string[]
  /** SQL: the rows with encrypted values, by default all */
  where?: string
  /** the maximum rows of a chunk, if they are large */
  most?: number
  /** encrypts a value of a row again, by default with the current key itself */
  again?: (secrets: Secrets, value: Buffer, row: Record<string, string>) => Buffer
}

/** Declares the re-encryption of a table. Only rows with values of an earlier key are read and written. */
export function reEncryptionOf({ table, key, sealed, where = 'true', ...rest }: SealedTable): ReEncryption {
  const { most: most_rows = Infinity, again = reseal } = rest
  const outdated = statement(
    `re-encrypt.list(${table})` as string,
    `select ${[...key, ...sealed].join(', ')} from ${table}
      where organization_id = :organization_id and ${where} and (${sealed.map(isOutdatedIn).join(' or ')})
      limit :most`,
  )
  const saved = statement(
    `re-encrypt.save(${table})` as string,
    `update ${table} set ${sealed.map((column) => `${column} = :${column}`).join(', ')}
      where ${['organization_id', ...key].map((column) => `${column} = :${column}`).join(' and ')}`,
  )
  return async (scope, organization_id, chunk) => {
    const { secrets } = scope
    const most = Math.min(chunk.most, most_rows)
    const rows = await outdated.rows(scope, { organization_id, mark: secrets.mark(), most })
    await Promise.all(
      rows.map((row) => {
        const fresh = sealed.map((column) => [column, row[column] && again(secrets, row[column], row)])
        return saved.rows(scope, { ...row, ...Object.fromEntries(fresh), organization_id })
      }),
    )
    return rows.length === most ? '' : null
  }
}
