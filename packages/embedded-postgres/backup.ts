/**
 * Back-ups of the embedded database: a folder with a copy of all its files, PostgreSQL's own list of them, and what the
 * copy is. The keys lie elsewhere, by a name that the back-up knows: whoever finds the one without the others has
 * nothing.
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
import { join, relative, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import tar from 'tar-stream'
import type { Kept } from '../../server/security/keys.ts'
import { takeBaseBackup, type OnProgress } from './base-backup.ts'
import { missingFrom, readManifest, type FileEntry } from './backup-manifest.ts'

/** What a back-up says of itself. */
export type BackupInfo = {
  format: 1
  /** of the programs that made it */
  postgres: string
  started_at: string
  ended_at: string
  /** until where in PostgreSQL's log everything is in it */
  end_lsn: string
  files: number
  bytes: number
  /** the keys that it takes lie in `keys-….json` with this in its name */
  keys: string
}

const archive_file = 'base.tar.zst'
const manifest_file = 'backup_manifest'
const info_file = 'backup.json'

/** The server is at work meanwhile. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** A name for keys that says nothing of them. */
const nameOf = (keys: Kept): string => createHash('sha256').update(JSON.stringify(keys)).digest('hex').slice(0, 16)

const keysFile = (folder: string, name: string) => join(folder, `keys-${name}.json`)

export type BackupOptions = {
  /** the superuser's address of the running server */
  url: string
  postgres: string
  keys: Kept
  /** where the back-up is made; must not be there */
  folder: string
  /** where its keys are kept, those of all back-ups together */
  keys_folder: string
  onProgress?: OnProgress
}

/**
 * Backs a running database up, and reads the back-up to its end before it has its name: every file is there, and has
 * the hash that PostgreSQL told of it. Killed meanwhile, it leaves a folder that ends in `.unfinished`, which the next
 * one of the name removes.
 */
export async function backUp(options: BackupOptions): Promise<BackupInfo> {
  const { folder, keys_folder } = options
  if (existsSync(folder)) throw new Error(`${folder} is there already: name a folder that is to be made.`)
  if (!relative(resolve(folder), resolve(keys_folder)).startsWith('..'))
    throw new Error(`The keys must lie elsewhere than in ${folder}: whoever has both has everything.`)
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
  // It fails the copy too, which tells of it.
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

/** Puts keys where back-ups find them, and answers their name. Those of former back-ups stay. */
async function keepKeys(keys: Kept, folder: string): Promise<string> {
  const name = nameOf(keys)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = keysFile(folder, name)
  if (!existsSync(path)) {
    await writeFile(`${path}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(`${path}.new`, path)
  }
  return name
}

/** What a back-up says of itself, and its keys. Throws a sentence when one of them is not there. */
export async function openBackup(folder: string, keys_folder: string): Promise<{ info: BackupInfo; keys: Kept }> {
  const path = join(folder, info_file)
  if (!existsSync(path)) throw new Error(`${folder} is no back-up: it has no ${info_file}.`)
  const info = JSON.parse(await readFile(path, 'utf8')) as BackupInfo
  const keys_path = keysFile(keys_folder, info.keys)
  if (!existsSync(keys_path))
    throw new Error(`${keys_folder} does not have the keys of this back-up: ${keysFile('', info.keys).slice(1)}.`)
  const keys = JSON.parse(await readFile(keys_path, 'utf8')) as Kept
  if (nameOf(keys) !== info.keys) throw new Error(`${keys_path} was changed since the back-up was made.`)
  return { info, keys }
}

/** What may be in a data folder that is restored to. */
const no_data = new Set(['lock', 'owner', 'postgres.log', 'postgres.log.1'])

/** The keys of a restore that is under way: with them beside it, a database without keys is what it left. */
const keys_to_be = 'secrets.json.new-restored'

const isLeft = (data_dir: string) =>
  existsSync(join(data_dir, keys_to_be)) && !existsSync(join(data_dir, 'secrets.json'))

/** Why a folder can't be restored to, if so: it holds something that would be lost. */
export function whyNotRestoreTo(data_dir: string): string | undefined {
  if (!existsSync(data_dir)) return undefined
  const left = isLeft(data_dir) ? ['postgres', keys_to_be] : []
  const [found] = readdirSync(data_dir).filter(
    (name) => !no_data.has(name) && !left.includes(name) && !/^postgres\.new-|^programs-/.test(name),
  )
  return found && `${data_dir} holds data (${found}): set DATA_DIR to an empty folder, or move it away.`
}

/**
 * Puts a back-up into a data folder that holds none, each file held against its hash. The folder is the caller's alone.
 * Killed meanwhile, the folder holds no data still, and the next restore begins anew.
 */
export async function unpackBackup(folder: string, keys: Kept, data_dir: string): Promise<void> {
  const making = join(data_dir, `postgres.new-restored`)
  rmSync(making, { recursive: true, force: true })
  if (isLeft(data_dir)) rmSync(join(data_dir, 'postgres'), { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  await readArchive(folder, making)
  await writeFile(join(data_dir, keys_to_be), JSON.stringify(keys, null, 2), { mode: 0o600, flush: true })
  await rename(making, join(data_dir, 'postgres'))
  await rename(join(data_dir, keys_to_be), join(data_dir, 'secrets.json'))
}

/**
 * Reads an archive to its end and holds each file against the list; writes them into a folder where one is given.
 * Throws when a file is missing, is another, or was never listed.
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
      throw new Error(`The back-up holds ${path}, which is no file of a database.`)
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
  const wrong = missingFrom(manifest, seen)
  if (wrong) throw new Error(`The back-up ${folder} is damaged: ${wrong}.`)
  return { files: seen.size, bytes }
}

/** Takes one file of the archive: its size and hash, and the file itself where it is to be written. */
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
