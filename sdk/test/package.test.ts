import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programIn } from '../../server/test/guides/code-blocks.ts'
import { build } from '../tools/build.ts'
import { bundled, tabbed } from './runtimes.ts'

const sdk = join(import.meta.dirname, '..')
const root = join(sdk, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'openbenefits-package-'))
const dist = join(folder, 'dist')
afterAll(() => rmSync(folder, { recursive: true }))

const withoutComments = (code: string) => code.replaceAll(/^ *\/\*\*.*?\*\/\n/gms, '').replaceAll(/^ *\/\/.*\n/gm, '')

beforeAll(() => build(dist))

it('has no dependencies and does not include its sources', () => {
  const { exports, ...rest } = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8')) as Record<string, unknown>
  expect(Object.keys(rest)).toEqual([
    'name',
    'version',
    'description',
    'license',
    'keywords',
    'type',
    'sideEffects',
    'engines',
  ])
  expect(exports).toMatchObject({ '.': { types: './index.d.ts', default: './index.js' } })
})

it('adds less than 10 kB to a page that calls three methods', async () => {
  const code = await bundled(`
    import { ApiError, boundToken, OpenBenefits } from 'openbenefits'
    const { getToken } = boundToken({ from: '/benefits-token', name: 'empl_1' })
    const ob = new OpenBenefits({ getToken, baseUrl: 'https://benefits.example.com' })
    const enrollments = await ob.enrollments.list('empl_1')
    const enrollment = await ob.enrollments.get(enrollments.data[0].id)
    await ob.enrollments.elect(enrollment.id, { plan_id: 'pln_1', coverage_tier: 'EE' }).catch((error) => {
      if (error instanceof ApiError) console.error(error.code)
    })`)
  const bytes = gzipSync(code).length
  expect(bytes).toBeLessThan(10_000)
})

it('has a core of at most 300 lines', () => {
  const lines = readdirSync(join(sdk, 'src/core')).flatMap((name) =>
    withoutComments(read(`sdk/src/core/${name}`))
      .split('\n')
      .filter((line) => line.trim() !== ''),
  )
  expect(lines.length).toBeLessThanOrEqual(300)
})

describe('samples', () => {
  const blocks = (path: string) => [...read(path).matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!)
  const examples = (path: string) =>
    [...read(path).matchAll(/@example\n *\* ```ts\n(.*?) *\* ```/gs)].map(([, code]) =>
      code!.replaceAll(/^ *\* ?/gm, '').replaceAll('*\\/', '*/'),
    )
  const given = `declare const employer_id: string, secret: string, apiKey: string, token: string
declare const rows: CensusRow[], request: Request
declare const ob: OpenBenefits, operator: OpenBenefitsOperator
declare const app: { post(path: string, handler: (req: any, ...rest: any[]) => unknown): void }
declare function refresh(id: string): Promise<void>\n`

  it('of the documentation and of every method compile', () => {
    const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
    const documents = ['README.md', 'sdk/README.md', ...guides.map((name) => `docs/${name}`)]
      .flatMap(blocks)
      .filter((code) => code.includes(`from 'openbenefits`))
    const own = ['index', 'operator', 'census', 'webhooks', 'token-route', 'bound-token']
    const files = [...own, 'v1/methods.gen', 'operator/methods.gen'].map((name) => `sdk/src/${name}.ts`)
    const reported = files.flatMap((path) => examples(path).map((code) => ({ path, code })))
    expect(documents.length).toBeGreaterThan(8)
    documents.push(...tabbed.map((path) => programIn(path, 'TypeScript').join('')))
    expect(reported.length).toBeGreaterThan(160)

    const names = new Set(reported.flatMap(({ code }) => code.match(/\b\w+_id\b(?=[,)])/g) ?? []))
    const ids = [...names].filter((name) => name !== 'employer_id').map((name) => `declare const ${name}: string\n`)
    const imports = `import { boundToken, OpenBenefits, verifyWebhook } from 'openbenefits'
import type { CensusProgress, CensusRow } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'\n`
    const functions = reported.map(
      ({ path, code }, at) => `// ${path}\nexport async function example${at}() {\n${code}}\n`,
    )
    writeFileSync(join(folder, 'examples.ts'), [imports, given, ...ids, ...functions].join(''))
    for (const [at, code] of documents.entries()) writeFileSync(join(folder, `sample${at}.ts`), `${code}\nexport {}\n`)

    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      skipLibCheck: true,
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      allowImportingTsExtensions: true,
      typeRoots: [join(root, 'node_modules/@types')],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    let complaints = ''
    try {
      execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'pipe' })
    } catch (error) {
      complaints = String((error as { stdout: Buffer }).stdout)
    }
    expect(complaints).toBe('')
  })
})
