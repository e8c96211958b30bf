import { createWriteStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'

const root = join(import.meta.dirname, '../..')

/** The files that the service needs to start, and that the command line and operators need. */
const packaged = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'openapi.json',
  'openapi.operator.json',
  'scripts',
  'docs',
  'deploy',
  'cli/package.json',
  'cli/README.md',
  'cli/openbenefits.js',
  'cli/src',
  'sdk/package.json',
  'sdk/README.md',
  'sdk/src',
  'packages',
  'server',
  'docs-site/package.json',
  'docs-site/dist',
  'console/package.json',
  'console/dist',
  'widgets/package.json',
  'widgets/demo',
  'widgets/dist',
]

/** Folders and files that only developers need. */
const excluded = new Set(['server/test', 'server/bench', 'server/tools', 'server/node_modules'])

function filesIn(path: string): string[] {
  if (excluded.has(path) || path.endsWith('.test.ts')) return []
  const here = join(root, path)
  if (!statSync(here).isDirectory()) return [path]
  return readdirSync(here)
    .toSorted()
    .flatMap((name) => filesIn(`${path}/${name}`))
}

/** Workspaces that the package contains in built form. Their dependencies and those of the root are only for builds. */
const built = ['', 'console', 'docs-site', 'widgets']

type VersionsByName = Record<string, string>
type Manifest = { dependencies?: VersionsByName; devDependencies?: VersionsByName }
type LockedPackage = Manifest & {
  optionalDependencies?: VersionsByName
  peerDependencies?: VersionsByName
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  dev?: boolean
  link?: boolean
  resolved?: string
}
type Locked = Record<string, LockedPackage>

const withoutBuilds = <M extends Manifest>({ dependencies, devDependencies, ...manifest }: M) => ({
  ...manifest,
  devDependencies: { ...dependencies, ...devDependencies },
})

/** The path at which a package finds another one: in its own folder of packages, or in one above. */
function pathOf(locked: Locked, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`
    if (path in locked) return locked[path]!.link ? locked[path]!.resolved : path
    if (folder === '') return undefined
  }
}

/** Marks the locked packages that only builds need as packages for development, as npm would. */
export function lockWithoutBuilds(packages: Locked): Locked {
  const locked = { ...packages }
  for (const name of built) locked[name] = withoutBuilds(locked[name]!)
  const needed = new Set(['', 'server'])
  for (const path of needed) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = locked[path]!
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional)
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = pathOf(locked, path, name)
      if (found !== undefined) needed.add(found)
    }
  }
  for (const [path, each] of Object.entries(locked))
    if (path.includes('node_modules/') && !each.link && !needed.has(path)) locked[path] = { ...each, dev: true }
  return locked
}

/** A file as the package contains it. */
function packedFile(path: string): Buffer {
  const content = readFileSync(join(root, path))
  const written = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  if (path === 'package-lock.json') {
    const lock = JSON.parse(content.toString()) as { packages: Locked }
    return written({ ...lock, packages: lockWithoutBuilds(lock.packages) })
  }
  const is_built = built.some((name) => path === join(name, 'package.json'))
  return is_built ? written(withoutBuilds(JSON.parse(content.toString()))) : content
}

/** The files of the service package, by their paths from the root, including built files. */
export const filesOfService = (): string[] => packaged.filter((path) => existsSync(join(root, path))).flatMap(filesIn)

export const nameOfService = (version: string): string => `openbenefits-service-${version}`

/**
 * Writes the installable package of the service, with the built console, widgets, docs and server, and without build
 * tools and tests. It needs no development packages and builds nothing at its start. Returns the file name.
 */
export async function packService(folder: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const name = nameOfService(version)
  const files = filesOfService()
  for (const main of [
    'console/dist/index.html',
    'widgets/dist/manifest.json',
    'docs-site/dist/index.html',
    'server/dist/main.js',
  ])
    if (!files.includes(main)) throw new Error(`${main} is not built.`)
  const pack = tar.pack()
  const file = join(folder, `${name}.tgz`)
  const written = pipeline(pack, createGzip(), createWriteStream(file))
  for (const path of files) {
    const mode = statSync(join(root, path)).mode & 0o111 ? 0o755 : 0o644
    pack.entry({ name: `${name}/${path}`, mode }, packedFile(path))
  }
  pack.finalize()
  await written
  return relative(root, file)
}

if (import.meta.main) process.stdout.write(`${await packService(root)}\n`)
