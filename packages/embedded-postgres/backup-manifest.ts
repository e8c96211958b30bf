/**
 * PostgreSQL's list of the files of a base backup, in the format that pg_verifybackup reads.
 * https://www.postgresql.org/docs/18/backup-manifest-format.html
 */
import { createHash } from 'node:crypto'

export type FileEntry = { size: number; sha256: string }

export type Manifest = {
  files: Map<string, FileEntry>
  /** the names of the WAL segments that the backup needs */
  wal: string[]
}

type Written = {
  Files: { Path?: string; 'Encoded-Path'?: string; Size: number; Checksum: string; 'Checksum-Algorithm': string }[]
  'WAL-Ranges': { Timeline: number; 'Start-LSN': string; 'End-LSN': string }[]
  'Manifest-Checksum': string
}

/** The size of a WAL segment in bytes, by initdb's default. */
const segment_bytes = 16n * 1024n * 1024n
const segments_of_an_id = 0x1_0000_0000n / segment_bytes

/** Reads a manifest. Throws if it was changed. */
export function readManifest(written: Buffer): Manifest {
  const text = written.toString()
  const { Files, 'WAL-Ranges': ranges, 'Manifest-Checksum': checksum } = JSON.parse(text) as Written
  const hashed = written.subarray(0, written.lastIndexOf('"Manifest-Checksum"'))
  if (createHash('sha256').update(hashed).digest('hex') !== checksum)
    throw new Error('The manifest of the backup was changed.')
  const files = Files.map(({ Path, 'Encoded-Path': encoded = '', Size, Checksum }): [string, FileEntry] => [
    Path ?? Buffer.from(encoded, 'hex').toString(),
    { size: Size, sha256: Checksum },
  ])
  const wal = ranges.flatMap(({ Timeline, 'Start-LSN': from, 'End-LSN': to }) => segmentsOf(Timeline, from, to))
  return { files: new Map(files), wal }
}

/** The names of the WAL segments between two positions, such as `0/2000028`. */
export function segmentsOf(timeline: number, from: string, to: string): string[] {
  const positionOf = (lsn: string) => {
    const [high = '', low = ''] = lsn.split('/')
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  }
  const hex = (number: bigint) => number.toString(16).toUpperCase().padStart(8, '0')
  const last = (positionOf(to) - 1n) / segment_bytes
  const names: string[] = []
  for (let at = positionOf(from) / segment_bytes; at <= last; at++)
    names.push(hex(BigInt(timeline)) + hex(at / segments_of_an_id) + hex(at % segments_of_an_id))
  return names
}

/** The first fault of a backup's files: missing, changed or unexpected. Undefined if there is no fault. */
export function missingFrom({ files, wal }: Manifest, seen: ReadonlyMap<string, FileEntry>): string | undefined {
  for (const [path, { size, sha256 }] of files) {
    const found = seen.get(path)
    if (!found) return `${path} is missing`
    if (found.size !== size || found.sha256 !== sha256) return `${path} was changed`
  }
  const unexpected = [...seen.keys()].find((path) => !files.has(path) && !path.startsWith('pg_wal/'))
  if (unexpected !== undefined) return `${unexpected} does not belong to it`
  const segment = wal.find((name) => seen.get(`pg_wal/${name}`)?.size !== Number(segment_bytes))
  return segment && `pg_wal/${segment} is missing`
}
