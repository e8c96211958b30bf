/**
 * A base backup of a running PostgreSQL over its replication protocol, with our driver. Does the same as pg_basebackup.
 * https://www.postgresql.org/docs/18/protocol-replication.html
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'

/** PostgreSQL's information about a backup: its first and last WAL position, and the manifest. */
export type BaseBackup = { start_lsn: string; end_lsn: string; manifest: Buffer }

/** Receives the bytes copied so far, and the estimated total. */
export type OnProgress = (done: number, total: number) => void

/**
 * Keeps the WAL of changes made during the backup until it is copied. Without that WAL, the backup would be incomplete.
 */
const take_slot = `CREATE_REPLICATION_SLOT openbenefits_backup_${process.pid} TEMPORARY PHYSICAL (reserve_wal)`
const take_copy = `BASE_BACKUP (label 'openbenefits', progress, checkpoint 'fast', wal, manifest 'yes',
  manifest_checksums 'SHA256')`

/** The message types of the copy. */
const kinds = { archive: 0x6e, manifest: 0x6d, data: 0x64, progress: 0x70 }

/**
 * Copies a server without blocking it. The role of the address must have replication rights. The tar archive is written
 * to `archive`, which is not ended. Throws PostgreSQL's errors and those of `archive`.
 */
export async function takeBaseBackup(url: string, archive: Writable, onProgress: OnProgress): Promise<BaseBackup> {
  const address = new URL(url)
  address.searchParams.set('replication', 'true')
  const client = new pg.Client({ connectionString: address.href, application_name: 'openbenefits backup' })
  client.on('error', () => undefined)
  const failed = once(archive, 'error').then(([error]: Error[]) => Promise.reject(error!))
  failed.catch(() => undefined)
  try {
    await client.connect()
    await client.query(take_slot)
    return await Promise.race([failed, copied(client, archive, onProgress)])
  } finally {
    // The slot ends with the session. Destroy the connection, because the server would wait for a client that no longer
    // reads.
    ;(client as unknown as { connection: Wire }).connection.stream.destroy()
    await client.end().catch(() => undefined)
  }
}

type Wire = {
  query(text: string): void
  stream: { pause(): void; resume(): void; destroy(): void }
}

/** Runs the backup command. Its response consists of two result sets, the copied data, and another result set. */
function copied(client: pg.Client, archive: Writable, onProgress: OnProgress): Promise<BaseBackup> {
  const { promise, resolve, reject } = Promise.withResolvers<BaseBackup>()
  const rows: (string | null)[][] = []
  const manifest: Buffer[] = []
  let into: 'archive' | 'manifest' = 'archive'
  let archives = 0
  let resume = () => {}
  archive.on('drain', () => resume())
  const total = () => Number(rows[1]?.[2] ?? 0) * 1024
  const take = (message: Buffer, { stream }: Wire) => {
    const [kind] = message
    if (kind === kinds.archive && ++archives > 1)
      reject(new Error('Tablespaces outside the data directory are not supported.'))
    if (kind === kinds.manifest) into = 'manifest'
    if (kind === kinds.progress) onProgress(Number(message.readBigInt64BE(1)), total())
    if (kind !== kinds.data) return
    // The driver reuses the memory of a message.
    const piece = Buffer.from(message.subarray(1))
    if (into === 'manifest') return void manifest.push(piece)
    if (archive.write(piece)) return
    stream.pause()
    resume = () => stream.resume()
  }
  const query = {
    submit: (connection: Wire) => connection.query(take_copy),
    handleRowDescription: () => undefined,
    handleDataRow: ({ fields }: { fields: (string | null)[] }) => void rows.push(fields),
    handleCommandComplete: () => undefined,
    handleEmptyQuery: () => undefined,
    handlePortalSuspended: () => undefined,
    handleCopyInResponse: () => undefined,
    handleCopyData: ({ chunk }: { chunk: Buffer }, connection: Wire) => take(chunk, connection),
    handleError: reject,
    handleReadyForQuery: () =>
      resolve({ start_lsn: rows[0]![0]!, end_lsn: rows.at(-1)![0]!, manifest: Buffer.concat(manifest) }),
  }
  client.query(query as unknown as pg.Submittable)
  return promise
}
