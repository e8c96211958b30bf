/**
 * Backups of the embedded database: a folder with an archive of all its files, PostgreSQL's manifest, and a
 * description. The keys are stored in another folder, under a name that the backup contains, so that neither is useful
 * without the other.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import tar from 'tar-stream'
import type { StoredKeys } from '../../server/security/keys.ts'
import { takeBaseBackup, type OnProgress } from './base-backup.ts'

/** The description of a backup. */
export type BackupInfo = {
  format: 1
  /** the version of PostgreSQL that made it */
  postgres: string
  started_at: string
  ended_at: string
  /** the WAL position up to which the backup is complete */
  end_lsn: string
  files: number
  bytes: number
  /** the name of its keys, which are in `keys-….json` */
  keys: string
}

const archive_file = 'base.tar.zst'
const manifest_file = 'backup_manifest'
const info_file = 'backup.json'

/** Fast compression, because the server stays in use during the backup. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** A name for keys that reveals nothing about them. */
const nameOf = (keys: StoredKeys): string =>
  createHash('sha256').update(JSON.stringify(keys)).digest('hex').slice(0, 16)

const keysFile = (folder: string, name: string) => join(folder, `keys-${name}.json`)

export type BackupOptions = {
  /** the URL at which the superuser connects to the running server */
  url: string
  postgres: string
  keys: StoredKeys
  /** the folder of the backup, which must not exist */
  folder: string
  /** the folder of the keys, common to all backups */
  keys_folder: string
  onProgress?: OnProgress
}

/**
 * Backs up a running database, and verifies the backup against PostgreSQL's hashes before it gets its name. A killed
 * backup leaves a folder that ends in `.unfinished`, which the next backup of that name removes.
 */
export async function backUp(options: BackupOptions): Promise<BackupInfo> {
  const { folder, keys_folder } = options
  if (existsSync(folder)) throw new Error(`${folder} already exists. Specify a new folder.`)
  if (!relative(resolve(folder), resolve(keys_folder)).startsWith('..'))
    throw new Error(`Store the keys outside of ${folder}. Both together give access to all data.`)
  const making = `${resolve(folder)}.unfinished`
  rmSync(making, { recursive: true, force: true })
  try {
    mkdirSync(making, { recursive: true, mode: 0o700 })
    const info = await makeBackup(making, options)
    await rename(making, folder)
    return info
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    throw error
  }
}

async function makeBackup(making: string, { url, postgres, keys, keys_folder, onProgress }: BackupOptions) {
  const started_at = new Date().toISOString()
  const name = await keepKeys(keys, keys_folder)
  const archive = new PassThrough()
  const file = createWriteStream(join(making, archive_file), { mode: 0o600, flush: true })
  const written = pipeline(archive, createZstdCompress(fast), file)
  // The error also fails the copy, which reports it.
  written.catch(() => undefined)
  const { end_lsn, manifest } = await takeBaseBackup(url, archive, onProgress ?? (() => undefined))
  archive.end()
  await written
  await writeFile(join(making, manifest_file), manifest, { mode: 0o600, flush: true })
  const read = await readArchive(making)
  const ended_at = new Date().toISOString()
  const info: BackupInfo = { format: 1, postgres, started_at, ended_at, end_lsn, ...read, keys: name }
  await writeFile(join(making, info_file), `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600, flush: true })
  return info
}

/** Stores keys in the keys folder and returns their name. Keys of earlier backups are kept. */
async function keepKeys(keys: StoredKeys, folder: string): Promise<string> {
  const name = nameOf(keys)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = keysFile(folder, name)
  if (!existsSync(path)) {
    await writeFile(`${path}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(`${path}.new`, path)
  }
  return name
}

/** The description of a backup and its keys. Throws if either is missing. */
export async function openBackup(folder: string, keys_folder: string): Promise<{ info: BackupInfo; keys: StoredKeys }> {
  const path = join(folder, info_file)
  if (!existsSync(path)) throw new Error(`${folder} is not a backup: it has no ${info_file}.`)
  const info = JSON.parse(await readFile(path, 'utf8')) as BackupInfo
  const keys_path = keysFile(keys_folder, info.keys)
  if (!existsSync(keys_path))
    throw new Error(`${keys_folder} does not have the keys of this backup: ${basename(keys_path)}.`)
  const keys = JSON.parse(await readFile(keys_path, 'utf8')) as StoredKeys
  if (nameOf(keys) !== info.keys) throw new Error(`${keys_path} was changed after the backup.`)
  return { info, keys }
}

/** Files that may be in the data folder before a restore. */
const no_data = new Set(['lock', 'owner', 'postgres.log', 'postgres.log.1'])

/**
 * The keys of a restore in progress. If they exist and the final keys do not, the database is left over from an
 * interrupted restore.
 */
const restoring_keys_file = 'secrets.json.new-restored'

const hasInterruptedRestore = (data_dir: string) =>
  existsSync(join(data_dir, restoring_keys_file)) && !existsSync(join(data_dir, 'secrets.json'))

/** Returns why a folder cannot be restored to: it contains data that would be lost. Undefined if it can. */
export function whyNotRestoreTo(data_dir: string): string | undefined {
  if (!existsSync(data_dir)) return undefined
  const of_interrupted_restore = hasInterruptedRestore(data_dir) ? ['postgres', restoring_keys_file] : []
  const [found] = readdirSync(data_dir).filter(
    (name) => !no_data.has(name) && !of_interrupted_restore.includes(name) && !/^postgres\.new-|^programs-/.test(name),
  )
  return found && `${data_dir} contains data (${found}). Set DATA_DIR to an empty folder, or move the data away.`
}

/**
 * Restores a backup into a data folder without data, and verifies the hash of each file. The caller holds the lock of
 * the folder. A killed restore leaves a folder that still counts as empty, and the next restore starts over.
 */
export async function unpackBackup(folder: string, keys: StoredKeys, data_dir: string): Promise<void> {
  const making = join(data_dir, `postgres.new-restored`)
  rmSync(making, { recursive: true, force: true })
  if (hasInterruptedRestore(data_dir)) rmSync(join(data_dir, 'postgres'), { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  await readArchive(folder, making)
  await writeFile(join(data_dir, restoring_keys_file), JSON.stringify(keys, null, 2), { mode: 0o600, flush: true })
  await rename(making, join(data_dir, 'postgres'))
  await rename(join(data_dir, restoring_keys_file), join(data_dir, 'secrets.json'))
}

/**
 * Reads an archive to its end and verifies each file against the manifest. Writes the files if a folder is given.
 * Throws if a file is missing, changed or unexpected.
 */
async function readArchive(folder: string, into?: string): Promise<{ files: number; bytes: number }> {
  const manifest = readManifest(readFileSync(join(folder, manifest_file)))
  const extract = tar.extract()
  const reading = pipeline(createReadStream(join(folder, archive_file)), createZstdDecompress(), extract)
  reading.catch((error: Error) => extract.destroy(error))
  const seen = new Map<string, FileEntry>()
  let bytes = 0
  for await (const entry of extract) {
    const { name, type = 'file' } = entry.header
    const path = name.replace(/^\.\//, '').replace(/\/$/, '')
    if (path.split('/').includes('..') || path.startsWith('/') || (type !== 'file' && type !== 'directory'))
      throw new Error(`The backup contains ${path}, which is not a database file.`)
    if (type === 'directory') {
      if (into) mkdirSync(join(into, path), { recursive: true, mode: 0o700 })
      entry.resume()
      continue
    }
    const found = await readEntry(entry as AsyncIterable<Buffer>, into && join(into, path))
    seen.set(path, found)
    bytes += found.size
  }
  await reading
  const fault = faultIn(manifest, seen)
  if (fault) throw new Error(`The backup ${folder} is damaged: ${fault}.`)
  return { files: seen.size, bytes }
}

/** Reads one file of the archive, and writes it if a path is given. Returns its size and hash. */
async function readEntry(entry: AsyncIterable<Buffer>, path: string | undefined): Promise<FileEntry> {
  const hash = createHash('sha256')
  let size = 0
  const file = path === undefined ? undefined : openSync(path, 'wx', 0o600)
  try {
    for await (const piece of entry) {
      hash.update(piece)
      size += piece.length
      if (file !== undefined) writeFileSync(file, piece)
    }
  } finally {
    if (file !== undefined) {
      fsyncSync(file)
      closeSync(file)
    }
  }
  return { size, sha256: hash.digest('hex') }
}

/**
 * PostgreSQL's list of the files of a base backup, in the format that pg_verifybackup reads.
 * https://www.postgresql.org/docs/18/backup-manifest-format.html
 */
type FileEntry = { size: number; sha256: string }

type Manifest = {
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
function readManifest(written: Buffer): Manifest {
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
function segmentsOf(timeline: number, from: string, to: string): string[] {
  const positionOf = (lsn: string) => {
    const [high = '', low = ''] = lsn.split('/')
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  }
  const hex = (number: bigint) => number.toString(16).toUpperCase().padStart(8, '0')
  const last = (positionOf(to) - 1n) / segment_bytes
  const names: string[] = []
  for (let index = positionOf(from) / segment_bytes; index <= last; index++)
    names.push(hex(BigInt(timeline)) + hex(index / segments_of_an_id) + hex(index % segments_of_an_id))
  return names
}

/** The first fault of a backup's files: missing, changed or unexpected. Undefined if there is no fault. */
function faultIn({ files, wal }: Manifest, seen: ReadonlyMap<string, FileEntry>): string | undefined {
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
