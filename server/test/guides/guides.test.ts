import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../modules/access/api-keys/actions.ts'
import { endpoints } from '../../modules.ts'
import { tasks } from '../../worker-tasks.ts'
import { findByNames, namesInTestData } from '../../sandbox/test-data.ts'
import { seedStory, type Story } from '../../sandbox/story.ts'
import { explainedRefusals } from '../../tools/gen/refusals.ts'
import { useApi } from '../harness.ts'
import {
  blockOf,
  blocksIn,
  maskVariables,
  runSteps,
  readDocument,
  stepsIn,
  stepsOf,
  type Block,
  type Step,
} from './code-blocks.ts'
import { integrating, operating, isTestedElsewhere } from './tested-blocks.ts'
import { pick } from '../pick.ts'

/**
 * Runs the guides in a shell as a reader would, in the sandbox with its data. RECORD_GUIDES=1 writes the responses into
 * the guides. GUIDES_ON sets another day.
 */
const { GUIDES_ON } = process.env
const api = useApi(GUIDES_ON ? {} : { with_story: 'today' })
let story: Story
beforeAll(async () => {
  if (GUIDES_ON) api.moveTo(GUIDES_ON)
  story = GUIDES_ON ? await seedStory(api.runtime, tasks) : api.story
})

/** `$URL`, `$AUTH`, `$OPERATOR`, `$JSON`, `field` and `sandbox`, without an employer. */
const shell = stepsOf('docs/payroll-company.md', '## The shell', '## ')

function record(path: string, input: string[]): void {
  let at = -1
  const text = readDocument(path).replaceAll(/^```(\w*)[^\n]*\n(.*?)^```$/gms, (block, language: string) => {
    if (language === 'sh') at++
    return language === '' && at >= 0 ? `\`\`\`\n${input[at]!.trimEnd()}\n\`\`\`` : block
  })
  writeFileSync(join(import.meta.dirname, '../../..', path), text)
}

describe.each([
  ['docs/payroll-company.md', []],
  ['docs/broker.md', []],
  ['docs/staffing-platform.md', []],
  ['docs/test-data.md', shell],
  ['docs/going-live.md', shell],
] as [string, Step[]][])('%s', (path, before) => {
  const steps = stepsIn(blocksIn(readDocument(path)))
  let input: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const output = await runSteps(api, story, [...before, ...steps])
    input = output.input.slice(before.length)
    complaints = output.complaints
    if (process.env.RECORD_GUIDES) record(path, input)
  })

  it.each(steps.map(({ command, shown }, index) => [command.split('\n').find(Boolean), shown, index] as const))(
    'matches the documented response: %s',
    (_, shown, index) => expect(maskVariables(input[index] ?? '')).toEqual(maskVariables(shown)),
  )

  it('has no refused request', () => expect(complaints).toBe(''))
})

describe('the tables of docs/test-data.md', () => {
  const rows = [
    ...readDocument('docs/test-data.md').matchAll(/^\| ([^|]+) \| [^|]+ \| `GET ([^`]+)` \| `([^`]+)` \|$/gm),
  ]
  const reads = rows.map(([, name, path, seen]) => [name!, path!, seen!] as const)
  let ids: Map<string, string>
  beforeAll(async () => {
    ids = await findByNames(
      api.runtime.database.reads([story.organization_id]),
      story.organization_id,
      namesInTestData(),
    )
  })

  it.each(reads)('%s: %s shows %s', async (name, path, seen) => {
    const id = ids.get(name)
    expect(id).toBeDefined()
    const answer = await api.get(path.replace(/\{\w+\}/, id!), { key: story.api_key })
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).toContain(seen)
  })

  it('have the right number of rows, and a sandbox serves their ids', async () => {
    const all = readDocument('docs/test-data.md').match(/^\| \p{Lu}[^|]* \| [^|]+ \| `GET/gmu)
    expect(reads.length).toBe(all!.length)
    const { body } = await api.get('/docs/test-ids.json' as '/docs', { key: null })
    expect(body).toEqual(Object.fromEntries(ids))
  })
})

/** The blocks of a page that belong to a shell session. */
const sessionIn = (page: string): Block[] =>
  blocksIn(readDocument(page)).filter((block) => !isTestedElsewhere(page, block))

const tour = stepsOf('docs/tour.md', '## The first request', '## Next steps')

describe('docs/integrating', () => {
  const steps = integrating.flatMap((page) => stepsIn(sessionIn(page)))
  let input: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const output = await runSteps(api, story, [...tour, statements, ...steps])
    input = output.input.slice(tour.length + 1)
    complaints = output.complaints
  })

  it.each(steps.map(({ command, shown }, index) => [command.split('\n').find(Boolean), shown, index] as const))(
    'responds in the documented form: %s',
    (_, shown, index) => expect(unlike(shown, input[index] ?? '')).toEqual([]),
  )

  it('has no refused request', () => expect(complaints).toBe(''))

  it('documents the response to a client that exceeds its rate limit', async () => {
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
    const input = [status, ...names.map((name) => `${name}: ${headers.get(name)}`), '', text].join('\n')
    const shown = blockOf('docs/integrating/requests.md', '429')
    expect(unlike(shown, input)).toEqual([])
    expect(withoutNumbers(input.split('\n\n')[0]!)).toBe(withoutNumbers(shown.split('\n\n')[0]!))
  })
})

const withoutNumbers = (text: string): string => text.replaceAll(/\d+$/gm, '0')

/** The employer and the employee used by the pages for operators. */
const acquaintance: Step = {
  command: `
OPERATOR="Authorization: Bearer $(sandbox operator_key)"
EMPLOYER=$(curl -s "$URL/v1/employers?search=blue%20heron%20coffee" -H "$AUTH" | field 'data[0].id')
EMPLOYEE=$(curl -s "$URL/v1/employers/$EMPLOYER/employees?search=ines" -H "$AUTH" | field 'data[0].id')
ENROLLMENT=$(curl -s $URL/v1/employees/$EMPLOYEE/enrollments -H "$AUTH" | field 'data[0].id')
PLAN=$(curl -s $URL/v1/plans -H "$AUTH" | field 'data[0].id')`,
  shown: '',
}

/** The variables that a section needs from the reader's earlier work. */
const known: Record<string, string> = {
  'docs/operating/daily-work.md: Life events':
    `DEPENDENT=$(curl -s $URL/v1/employees/$EMPLOYEE/dependents -H "$AUTH" ` +
    `| field 'data.find((one) => one.relationship === "child").id')`,
  'docs/operating/daily-work.md: Correcting an enrollment':
    'OF_INES=$ENROLLMENT\n' +
    'BAKERY=$(curl -s "$URL/v1/employers?search=sunrise" -H "$AUTH" | field "data[0].id")\n' +
    'AMARA=$(curl -s "$URL/v1/employers/$BAKERY/employees?search=amara" -H "$AUTH" | field "data[0].id")\n' +
    'ENROLLMENT=$(curl -s $URL/v1/employees/$AMARA/enrollments -H "$AUTH" ' +
    `| field 'data.find((one) => one.status === "enrolled").id')`,
  'docs/operating/daily-work.md: Correcting an employment': 'ENROLLMENT=$OF_INES',
  'docs/operating/plan-years.md: Opening a plan year': 'ORGANIZATION=$(sandbox organization_id)',
  'docs/operating/payroll-and-billing.md: Invoices':
    'curl -s $URL/operator/v1/employers/$EMPLOYER/invoices/run -H "$OPERATOR" -H "$JSON" -d "{}"\nsleep 5',
}

describe('docs/operating', () => {
  const before = [...tour.slice(0, 2), acquaintance]
  const steps = operating.flatMap((page) => {
    const blocks = sessionIn(page)
    const headings = [...new Set(blocks.filter(({ language }) => language === 'sh').map(({ heading }) => heading))]
    return headings.flatMap((heading) => {
      const own = stepsIn(blocks.filter((block) => block.heading === heading))
      const missing = known[`${page}: ${heading}`] ?? ''
      return own.map((step, at) => ({ ...step, command: `${at === 0 ? missing : ''}\n${step.command}` }))
    })
  })
  const statuses = new Map(explainedRefusals(endpoints).map(({ code, status }) => [code, status]))
  let input: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const output = await runSteps(api, story, [...before, ...steps])
    input = output.input.slice(before.length)
    complaints = output.complaints
  })

  it.each(steps.map(({ command, shown }, index) => [command.trim().split('\n')[0], shown, index] as const))(
    'is well-formed and responds in the documented form: %s',
    (_, shown, index) => {
      const answer = input[index] ?? ''
      const refused = [...answer.matchAll(/"error":\{"code":"(\w+)"/g)].map(([, code]) => statuses.get(code!))
      // Requests may be refused because the resource exists or a deadline has passed, but never as malformed or not
      // found.
      expect(
        refused.filter((status) => status !== 409 && status !== 422),
        answer,
      ).toEqual([])
      if (refused.length === 0) expect(unlike(shown, answer)).toEqual([])
    },
  )

  it('shows existing metrics', async () => {
    await api.get('/v1/employers', { key: 'nobody' })
    await api.get('/v1/employers', { key: story.api_key })
    const { text } = await api.get('/metrics', { key: story.operator_key })
    const nameOf = (line: string) => line.slice(0, line.lastIndexOf(' '))
    const existing_metrics = new Set(text.split('\n').map(nameOf))
    const shown = blockOf('docs/operating/monitoring.md', 'http_requests_total').trim().split('\n')
    expect(shown.map(nameOf).filter((name) => !existing_metrics.has(name))).toEqual([])
  })

  it('has statements that the database accepts', async () => {
    const of_demo = blockOf('docs/operating/settings.md', 'begin;\nupdate')
    expect(of_demo).toContain('commit;')
    await api.database.pool.query(of_demo.replace('commit;', 'rollback;'))
    const { rows } = await api.database.pool.query(blockOf('docs/operating/monitoring.md', 'select count(*), now()'))
    expect(rows).toHaveLength(1)
  })

  it('is refused only because of the current state', () => {
    const codes = complaints.split('\n').flatMap((line) => /^(\w+): /.exec(line)?.[1] ?? [])
    expect(codes.filter((code) => ![409, 422].includes(statuses.get(code) ?? 0)).map((code) => code)).toEqual([])
    expect(complaints.split('\n').filter((line) => /Error/.test(line))).toEqual([])
  })
})

/** Creates the statement and deductions of an established employer, which the employer of the tour lacks. */
const statements: Step = {
  command:
    'RUN=$URL/operator/v1/employers/$EMPLOYER/payroll-deduction-statements/run\n' +
    'curl -s $RUN -H "$OPERATOR" -H "$JSON" -d "{}"\nsleep 5',
  shown: '',
}

/**
 * The differences in form between the documented and the actual output: by field for lines of JSON, by line count
 * otherwise.
 */
function unlike(shown: string, input: string): string[] {
  const [these, those] = [shown, input].map((text) => text.trim().split('\n'))
  if (shown === '') return []
  if (these!.length !== those!.length) return [`${these!.length} lines instead of ${those!.length}`]
  return these!.flatMap((line, at) => (line.startsWith('{') ? differences(JSON.parse(line), parsed(those![at]!)) : []))
}

const parsed = (line: string): unknown => (line.startsWith('{') ? JSON.parse(line) : line)

/** The paths at which two values differ in type. Null and empty lists match anything. */
function differences(a: unknown, b: unknown, path = ''): string[] {
  if (a === null || b === null) return []
  if (Array.isArray(a) && Array.isArray(b))
    return a.length > 0 && b.length > 0 ? differences(a[0], b[0], `${path}[]`) : []
  if (typeof a !== typeof b) return [`${path}: ${typeof a} instead of ${typeof b}`]
  if (typeof a !== 'object' || typeof b !== 'object') return []
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].flatMap((key) => {
    const at = `${path}.${key}`
    if (!(key in a) || !(key in b)) return [at]
    return differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], at)
  })
}
