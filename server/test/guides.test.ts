import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../modules/access/api-keys/actions.ts'
import { endpoints, tasks } from '../modules.ts'
import { errorPagesOf } from '../http/static/error-pages.ts'
import { findByNames } from '../sandbox/test-data.ts'
import { filePages, namesInTestData } from '../docs-site/site.ts'
import { plantStory, type Story } from '../sandbox/story.ts'
import { useApi } from './harness.ts'
import { blockOf, blocksIn, masked, paste, readDocument, stepsIn, stepsOf, type Block, type Step } from './pasted.ts'
import { pick } from './pick.ts'
import { isBeyond } from './unpasted.ts'

/**
 * The guides, pasted into a shell as a reader would, in the sandbox with its story. RECORD_GUIDES=1 writes what is
 * answered into them; GUIDES_ON tells the story on another day.
 */
const { GUIDES_ON } = process.env
const api = useApi(GUIDES_ON ? {} : { told: 'today' })
let story: Story
beforeAll(async () => {
  if (GUIDES_ON) api.moveTo(GUIDES_ON)
  story = GUIDES_ON ? await plantStory(api.runtime, tasks) : api.story
}, 120_000)

/** `$URL`, `$AUTH`, `$OPERATOR`, `$JSON`, `field` and `sandbox`, without an employer. */
const shell = stepsOf('docs/payroll-company.md', '## The shell', '## ')

function record(path: string, said: string[]): void {
  let at = -1
  const text = readDocument(path).replaceAll(/^```(\w*)[^\n]*\n(.*?)^```$/gms, (block, language: string) => {
    if (language === 'sh') at++
    return language === '' && at >= 0 ? `\`\`\`\n${said[at]!.trimEnd()}\n\`\`\`` : block
  })
  writeFileSync(join(import.meta.dirname, '../..', path), text)
}

describe.each([
  ['docs/payroll-company.md', []],
  ['docs/broker.md', []],
  ['docs/staffing-platform.md', []],
  ['docs/test-data.md', shell],
  ['docs/going-live.md', shell],
] as [string, Step[]][])('%s', (path, before) => {
  const steps = stepsIn(blocksIn(readDocument(path)))
  let said: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const pasted = await paste(api, story, [...before, ...steps])
    said = pasted.said.slice(before.length)
    complaints = pasted.complaints
    if (process.env.RECORD_GUIDES) record(path, said)
  }, 240_000)

  it.each(steps.map(({ pasted, shown }, index) => [pasted.split('\n').find(Boolean), shown, index] as const))(
    'is answered as it shows: %s',
    (_, shown, index) => expect(masked(said[index] ?? '')).toEqual(masked(shown)),
  )

  it('is refused nothing', () => expect(complaints).toBe(''))
})

describe('the tables of docs/test-data.md', () => {
  const rows = [
    ...readDocument('docs/test-data.md').matchAll(/^\| ([^|]+) \| [^|]+ \| `GET ([^`]+)` \| `([^`]+)` \|$/gm),
  ]
  const asked = rows.map(([, name, path, seen]) => [name!, path!, seen!] as const)
  let ids: Map<string, string>
  beforeAll(async () => {
    ids = await findByNames(
      api.runtime.database.reads([story.organization_id]),
      story.organization_id,
      namesInTestData(),
    )
  })

  it.each(asked)('%s: %s shows %s', async (name, path, seen) => {
    const id = ids.get(name)
    expect(id).toBeDefined()
    const answer = await api.get(path.replace(/\{\w+\}/, id!), { key: story.api_key })
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).toContain(seen)
  })

  it('are as many as their rows, and a sandbox shows ids in them', async () => {
    const all = readDocument('docs/test-data.md').match(/^\| \p{Lu}[^|]* \| [^|]+ \| `GET/gmu)
    expect(asked.length).toBe(all!.length)
    const page = (await filePages(ids)).find(({ path }) => path === '/docs/test-data')!
    for (const [name, id] of ids) expect(page.markdown()).toContain(`| ${name} \`${id}\` |`)
  })
})

describe('docs/integrating.md', () => {
  const tour = stepsOf('README.md', '## The first request', '## Where to read on')
  const blocks = blocksIn(readDocument('docs/integrating.md'))
  const steps = stepsIn(
    blocks.filter((block) => block.heading !== 'A year with an employer' && !isBeyond('docs/integrating.md', block)),
  )
  let said: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const pasted = await paste(api, story, [...tour, statements, ...steps])
    said = pasted.said.slice(tour.length + 1)
    complaints = pasted.complaints
  }, 240_000)

  it.each(steps.map(({ pasted, shown }, index) => [pasted.split('\n').find(Boolean), shown, index] as const))(
    'is answered alike: %s',
    (_, shown, index) => expect(unlike(shown, said[index] ?? '')).toEqual([]),
  )

  it('is refused nothing', () => expect(complaints).toBe(''))

  it('shows who asks too often what they are answered', async () => {
    const { organization_id, operator_key } = story
    const user = await api.post('/operator/v1/users', { name: 'Hasty' }, { key: operator_key })
    const user_id = user.body.data.id
    const path = `/operator/v1/organizations/${organization_id}/memberships` as const
    await api.post(path, { user_id, role: 'ADMIN' }, { key: operator_key })
    const key = await api.act((ctx) =>
      createApiKey(ctx, { user_id, organization_id, mode: 'test', rate_limited: true }),
    )
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => api.get('/v1/plans?limit=1', { key: key.api_key })),
    )
    const { status, headers, text } = pick(answers, (answer) => answer.status === 429)
    const names = [
      'ratelimit-reason',
      'retry-after',
      ...['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`),
    ]
    const said = [status, ...names.map((name) => `${name}: ${headers.get(name)}`), '', text].join('\n')
    const shown = blockOf('docs/integrating.md', '429')
    expect(unlike(shown, said)).toEqual([])
    expect(withoutNumbers(said.split('\n\n')[0]!)).toBe(withoutNumbers(shown.split('\n\n')[0]!))
  })
})

const withoutNumbers = (text: string): string => text.replaceAll(/\d+$/gm, '0')

/** Whom the chapters of operators speak of: an employer and one of its people, from the chapters of integrators. */
const acquaintance: Step = {
  pasted: `
OPERATOR="Authorization: Bearer $(sandbox operator_key)"
EMPLOYER=$(curl -s "$URL/v1/employers?search=blue%20heron%20coffee" -H "$AUTH" | field 'data[0].id')
EMPLOYEE=$(curl -s "$URL/v1/employers/$EMPLOYER/employees?search=ines" -H "$AUTH" | field 'data[0].id')
ENROLLMENT=$(curl -s $URL/v1/employees/$EMPLOYEE/enrollments -H "$AUTH" | field 'data[0].id')
PLAN=$(curl -s $URL/v1/plans -H "$AUTH" | field 'data[0].id')`,
  shown: '',
}

/** What has come about before a chapter, which its readers have from their own work. */
const known: Record<string, string> = {
  'Deciding about life events':
    `DEPENDENT=$(curl -s $URL/v1/employees/$EMPLOYEE/dependents -H "$AUTH" ` +
    `| field 'data.find((one) => one.relationship === "child").id')`,
  'Setting an enrollment right':
    'OF_INES=$ENROLLMENT\n' +
    'BAKERY=$(curl -s "$URL/v1/employers?search=sunrise" -H "$AUTH" | field "data[0].id")\n' +
    'AMARA=$(curl -s "$URL/v1/employers/$BAKERY/employees?search=amara" -H "$AUTH" | field "data[0].id")\n' +
    'ENROLLMENT=$(curl -s $URL/v1/employees/$AMARA/enrollments -H "$AUTH" ' +
    `| field 'data.find((one) => one.status === "enrolled").id')`,
  'Setting an employment right': 'ENROLLMENT=$OF_INES',
  'Opening a plan year': 'ORGANIZATION=$(sandbox organization_id)',
  Invoices: 'curl -s $URL/operator/v1/employers/$EMPLOYER/invoices/run -H "$OPERATOR" -H "$JSON" -d "{}"\nsleep 5',
}

/** Chapters that year/guides.test.ts and operating.test.ts paste. */
const pasted_elsewhere = ['A year of administration', 'The first hour', 'Upgrading']

/** Blocks that belong to the session of a shell. */
const isPasted = (block: Block) => !isBeyond('docs/operations.md', block)

describe('docs/operations.md', () => {
  const before = [...stepsOf('README.md', '## The first request', '## Where to read on').slice(0, 2), acquaintance]
  const blocks = blocksIn(readDocument('docs/operations.md')).filter(
    (block) => !pasted_elsewhere.includes(block.heading) && isPasted(block),
  )
  const headings = [...new Set(blocks.filter(({ language }) => language === 'sh').map(({ heading }) => heading))]
  const steps = headings.flatMap((heading) => {
    const own = stepsIn(blocks.filter((block) => block.heading === heading))
    return own.map((step, at) => ({ ...step, pasted: `${at === 0 ? (known[heading] ?? '') : ''}\n${step.pasted}` }))
  })
  const statuses = new Map(errorPagesOf(endpoints).map(({ kind }) => [kind.code, kind.status]))
  let said: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const pasted = await paste(api, story, [...before, ...steps])
    said = pasted.said.slice(before.length)
    complaints = pasted.complaints
  }, 240_000)

  it.each(steps.map(({ pasted, shown }, index) => [pasted.trim().split('\n')[0], shown, index] as const))(
    'is well-formed, and answered alike: %s',
    (_, shown, index) => {
      const answer = said[index] ?? ''
      const refused = [...answer.matchAll(/"error":\{"code":"(\w+)"/g)].map(([, code]) => statuses.get(code!))
      // What is there already, or too late by now, is refused for that; nothing for its form or since it is not there.
      expect(
        refused.filter((status) => status !== 409 && status !== 422),
        answer,
      ).toEqual([])
      if (refused.length === 0) expect(unlike(shown, answer)).toEqual([])
    },
  )

  it('shows metrics that there are', async () => {
    await api.get('/v1/employers', { key: 'nobody' })
    await api.get('/v1/employers', { key: story.api_key })
    const { text } = await api.get('/metrics', { key: story.operator_key })
    const nameOf = (line: string) => line.slice(0, line.lastIndexOf(' '))
    const told = new Set(text.split('\n').map(nameOf))
    const shown = blockOf('docs/operations.md', 'http_requests_total').trim().split('\n')
    expect(shown.map(nameOf).filter((name) => !told.has(name))).toEqual([])
  })

  it('has statements that the database takes', async () => {
    const of_demo = blockOf('docs/operations.md', 'begin;\nupdate')
    expect(of_demo).toContain('commit;')
    await api.database.pool.query(of_demo.replace('commit;', 'rollback;'))
    const { rows } = await api.database.pool.query(blockOf('docs/operations.md', 'select count(*), now()'))
    expect(rows).toHaveLength(1)
  })

  it('complains of nothing but the present state', () => {
    const codes = complaints.split('\n').flatMap((line) => /^(\w+): /.exec(line)?.[1] ?? [])
    expect(codes.filter((code) => ![409, 422].includes(statuses.get(code) ?? 0)).map((code) => code)).toEqual([])
    expect(complaints.split('\n').filter((line) => /Error/.test(line))).toEqual([])
  })
})

/** What an employer has that pays its people, and the one of the tour has not yet. */
const statements: Step = {
  pasted:
    'RUN=$URL/operator/v1/employers/$EMPLOYER/payroll-deduction-statements/run\n' +
    'curl -s $RUN -H "$OPERATOR" -H "$JSON" -d "{}"\nsleep 5',
  shown: '',
}

/** Where an answer is not of the shape that is shown: lines of JSON field by field, others by how many they are. */
function unlike(shown: string, said: string): string[] {
  const [these, those] = [shown, said].map((text) => text.trim().split('\n'))
  if (shown === '') return []
  if (these!.length !== those!.length) return [`${these!.length} lines, and not ${those!.length}`]
  return these!.flatMap((line, at) => (line.startsWith('{') ? differences(JSON.parse(line), parsed(those![at]!)) : []))
}

const parsed = (line: string): unknown => (line.startsWith('{') ? JSON.parse(line) : line)

/** The paths at which two values differ in kind: what is null or an empty list in one may be anything in the other. */
function differences(a: unknown, b: unknown, path = ''): string[] {
  if (a === null || b === null) return []
  if (Array.isArray(a) && Array.isArray(b))
    return a.length > 0 && b.length > 0 ? differences(a[0], b[0], `${path}[]`) : []
  if (typeof a !== typeof b) return [`${path}: ${typeof a}, and not ${typeof b}`]
  if (typeof a !== 'object' || typeof b !== 'object') return []
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].flatMap((key) => {
    const at = `${path}.${key}`
    if (!(key in a) || !(key in b)) return [at]
    return differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], at)
  })
}
