import { createReadStream, createWriteStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'

const root = join(import.meta.dirname, '../..')

/** What a start, the command line and those who run them read. */
const held = [
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
  'sdk/api.md',
  'sdk/src',
  'packages',
  'server',
  'console/package.json',
  'console/dist',
  'widgets/package.json',
  'widgets/demo',
  'widgets/dist',
]

/** Folders of it that only who develops needs. */
const left_out = new Set(['server/test', 'server/bench', 'server/tools', 'server/node_modules', 'server/deletion.txt'])

function filesIn(path: string): string[] {
  if (left_out.has(path) || path.endsWith('.test.ts')) return []
  const here = join(root, path)
  if (!statSync(here).isDirectory()) return [path]
  return readdirSync(here)
    .toSorted()
    .flatMap((name) => filesIn(`${path}/${name}`))
}

/** The files of the package of the service, by their paths from the root, with what is built already. */
export const filesOfService = (): string[] => held.filter((path) => existsSync(join(root, path))).flatMap(filesIn)

export const nameOfService = (version: string): string => `openbenefits-service-${version}`

/**
 * Writes the service as it is installed, with the console, the widgets and itself built, and without what builds and
 * tests them: it takes no packages for development, and builds nothing at its start. Answers the file's name.
 */
export async function packService(folder: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const name = nameOfService(version)
  const files = filesOfService()
  for (const built of ['console/dist/index.html', 'widgets/dist/manifest.json', 'server/dist/main.js'])
    if (!files.includes(built)) throw new Error(`${built} is not built.`)
  const pack = tar.pack()
  const file = join(folder, `${name}.tgz`)
  const written = pipeline(pack, createGzip(), createWriteStream(file))
  for (const path of files) {
    const { size, mode } = statSync(join(root, path))
    const entry = pack.entry({ name: `${name}/${path}`, size, mode: mode & 0o111 ? 0o755 : 0o644 })
    await pipeline(createReadStream(join(root, path)), entry)
  }
  pack.finalize()
  await written
  return relative(root, file)
}

if (import.meta.main) process.stdout.write(`${await packService(root)}\n`)
