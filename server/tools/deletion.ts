/**
 * Deletes each module in turn in a copy: its folder and its line in modules.ts. Prints for each which files no longer
 * compile, and which exports nothing uses any more.
 */
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { copyFile, cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseSync } from 'oxc-parser'
import { modules } from '../modules.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

type SyntaxNode = { type: string; start: number; end: number; [key: string]: any }

/** The text of modules.ts without a module: its imports and its line. */
function withoutModule(text: string, name: string): string {
  const { body } = parseSync('modules.ts', text).program as unknown as { body: SyntaxNode[] }
  const imports = body.filter((node) => node.type === 'ImportDeclaration' && node.source.value.split('/')[3] === name)
  const declared = body.map((node) => node.declaration?.declarations?.[0]).find((node) => node?.id.name === 'modules')
  const elements: SyntaxNode[] = declared.init.elements
  const line = elements.find((element) =>
    element.properties.some((property: SyntaxNode) => property.key.name === 'name' && property.value.value === name),
  )!
  const after = text.slice(line.end).match(/^,/)?.[0].length ?? 0
  const cuts = [...imports.map(({ start, end }) => [start, end]), [line.start, line.end + after]]
  return cuts.toSorted(([a], [b]) => b! - a!).reduce((cut, [start, end]) => cut.slice(0, start) + cut.slice(end), text)
}

/** Copies the service without its tests. */
async function copyService(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openbenefits-deletion-'))
  const is_kept = (path: string) => !/node_modules|\.test\.ts$|server\/(test|bench)$/.test(path)
  await cp(join(root, 'server'), join(folder, 'server'), { recursive: true, filter: is_kept })
  for (const file of ['package.json', 'tsconfig.json', 'scripts'])
    await cp(join(root, file), join(folder, file), { recursive: true })
  for (const packages of ['node_modules', 'server/node_modules'])
    await symlink(join(root, packages), join(folder, packages)).catch(() => undefined)
  await writeFile(
    join(folder, 'knip.json'),
    JSON.stringify({
      workspaces: { server: { entry: ['main.ts', 'cli/cli.ts', 'tools/gen/gen.ts'], ignoreDependencies: ['.*'] } },
      ignoreExportsUsedInFile: true,
    }),
  )
  return folder
}

/** The folder of a module, within its district. */
const folderOf = (name: string): string => globSync(`server/modules/*/${name}`, { cwd: root })[0]!

/** Runs work in a copy without a module. */
async function without<T>(folder: string, name: string, work: () => Promise<T>): Promise<T> {
  const [own, moved_to] = [join(folder, folderOf(name)), `${folder}-deleted`]
  const modules_file = join(folder, 'server/modules.ts')
  const text = await readFile(modules_file, 'utf8')
  await rename(own, moved_to)
  await writeFile(modules_file, withoutModule(text, name))
  try {
    return await work()
  } finally {
    await writeFile(modules_file, text)
    await rename(moved_to, own)
  }
}

/** The output of a program, even if it fails. */
const outputOf = (folder: string, ...args: string[]): Promise<string> =>
  run(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )

const unique = (texts: string[]) => [...new Set(texts)].sort()

/** The compiler's state for the complete copy, so that it only checks again what a deletion affects. */
const known_types = 'whole.tsbuildinfo'
const compile = (folder: string, build_info: string) =>
  outputOf(
    folder,
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    build_info,
  )

async function dependentsIn(folder: string): Promise<string[]> {
  await copyFile(join(folder, known_types), join(folder, 'deleted.tsbuildinfo'))
  const output = await compile(folder, 'deleted.tsbuildinfo')
  return unique([...output.matchAll(/^(server\/[^(]+)\(/gm)].map((match) => match[1]!))
}

/** Unused files, and unused exports with their files. */
async function unusedIn(folder: string): Promise<string[]> {
  const output = await outputOf(
    folder,
    join(root, 'node_modules/knip/bin/knip.js'),
    '--no-progress',
    '--cache',
    '--cache-location',
    join(folder, '.knip'),
    '--reporter',
    'json',
    '--include',
    'files,exports,types',
  )
  const { issues, files = [] } = JSON.parse(output) as { issues: any[]; files?: string[] }
  const exported = issues.flatMap(({ file, exports = [], types = [], files: own = [] }) => [
    ...own.map(() => file as string),
    ...[...exports, ...types].map(({ name }: { name: string }) => `${file} ${name}`),
  ])
  return unique([...files, ...exported])
}

/** The files that depend on each module, and the code that only it used. */
async function sectionsIn(folder: string): Promise<string[]> {
  const [unused] = await Promise.all([unusedIn(folder), compile(folder, known_types)])
  const already_unused = new Set(unused)
  const sections: string[] = []
  for (const { name } of modules) {
    const [dependents, left] = await without(folder, name, () => Promise.all([dependentsIn(folder), unusedIn(folder)]))
    const leftovers = left.filter((one) => !already_unused.has(one) && !one.startsWith('server/modules/'))
    const listed = (subject: string, items: string[]) => items.map((item) => `  ${subject} ${item}`)
    sections.push([name, ...listed('leans:', dependents), ...listed('is left:', leftovers)].join('\n'))
    process.stderr.write(`${name}: ${dependents.length} depend on it, ${leftovers.length} left behind\n`)
  }
  return sections
}

const folder = await copyService()
const sections = await sectionsIn(folder).finally(() => rm(folder, { recursive: true, force: true }))
process.stdout.write(`${sections.join('\n\n')}\n`)
