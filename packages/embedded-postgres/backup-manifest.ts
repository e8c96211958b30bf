/**
 * PostgreSQL's list of what is in a copy of it, as pg_verifybackup reads it.
 * https://www.postgresql.org/docs/18/backup-manifest-format.html
 */
import { createHash } from 'node:crypto'

export type FileEntry = { size: number; sha256: string }

export type Manifest = {
  files: Map<string, FileEntry>
  /** the files of PostgreSQL's log without which the copy is none, by their names */
  wal: string[]
}

type Written = {
  Files: { Path?: string; 'Encoded-Path'?: string; Size: number; Checksum: string; 'Checksum-Algorithm': string }[]
  'WAL-Ranges': { Timeline: number; 'Start-LSN': string; 'End-LSN': string }[]
  'Manifest-Checksum': string
}

/** Bytes of a file of the log: what initdb makes unless told otherwise. */
const segment_bytes = 16n * 1024n * 1024n
const segments_of_an_id = 0x1_0000_0000n / segment_bytes

/** Reads a list. Throws when it was changed. */
export function readManifest(written: Buffer): Manifest {
  const text = written.toString()
  const { Files, 'WAL-Ranges': ranges, 'Manifest-Checksum': checksum } = JSON.parse(text) as Written
  const hashed = written.subarray(0, written.lastIndexOf('"Manifest-Checksum"'))
  if (createHash('sha256').update(hashed).digest('hex') !== checksum)
    throw new Error('The list of files of the back-up was changed.')
  const files = Files.map(({ Path, 'Encoded-Path': encoded = '', Size, Checksum }): [string, FileEntry] => [
    Path ?? Buffer.from(encoded, 'hex').toString(),
    { size: Size, sha256: Checksum },
  ])
  const wal = ranges.flatMap(({ Timeline, 'Start-LSN': from, 'End-LSN': to }) => segmentsOf(Timeline, from, to))
  return { files: new Map(files), wal }
}

/** The files of the log from one place in it to another, such as `0/2000028`. */
export function segmentsOf(timeline: number, from: string, to: string): string[] {
  const placeOf = (lsn: string) => {
    const [high = '', low = ''] = lsn.split('/')
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  }
  const hex = (number: bigint) => number.toString(16).toUpperCase().padStart(8, '0')
  const last = (placeOf(to) - 1n) / segment_bytes
  const names: string[] = []
  for (let at = placeOf(from) / segment_bytes; at <= last; at++)
    names.push(hex(BigInt(timeline)) + hex(at / segments_of_an_id) + hex(at % segments_of_an_id))
  return names
}

/** What is wrong with the files of a copy, if anything: the first that is missing, another, or not on the list. */
export function missingFrom({ files, wal }: Manifest, seen: ReadonlyMap<string, FileEntry>): string | undefined {
  for (const [path, { size, sha256 }] of files) {
    const found = seen.get(path)
    if (!found) return `${path} is missing`
    if (found.size !== size || found.sha256 !== sha256) return `${path} is not as it was copied`
  }
  const strange = [...seen.keys()].find((path) => !files.has(path) && !path.startsWith('pg_wal/'))
  if (strange !== undefined) return `${strange} does not belong to it`
  const segment = wal.find((name) => seen.get(`pg_wal/${name}`)?.size !== Number(segment_bytes))
  return segment && `pg_wal/${segment} is missing`
}
