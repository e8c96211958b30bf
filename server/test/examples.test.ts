import { writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, expect, inject, it } from 'vitest'
import { buildApp } from '../app.ts'
import { endpoints } from '../modules.ts'
import { interfaces } from '../http/openapi/interfaces.ts'
import { documentOf, exampleAnswers } from '../http/openapi/openapi-documents.ts'
import { printJson } from '../kernel/print-json.ts'
import type { Story } from '../sandbox/story.ts'
import { sampleOf } from '../http/openapi/openapi-examples.ts'
import { referTo } from '../http/openapi/openapi-schemas.ts'
import { aPerson, createEmployer } from './cast.ts'
import { crawl, exampleOf, saidBy, shapeOf, type Told } from './examples.ts'
import { known_without_example } from './examples-known.ts'
import { useApi } from './harness.ts'
import { first, pick, sure } from './pick.ts'
import { Visitor } from './visitor.ts'

/**
 * The example answers of the OpenAPI documents are what the service answered about the sandbox's story. To record them
 * anew: `RECORD_EXAMPLES=1 npm test -- server/test/examples.test.ts`, then `npm run gen`.
 */
const api = useApi({ told: 'usual_day' })
const recording = process.env.RECORD_EXAMPLES === '1'

/** What each kind of answer looked like today, by its name. */
const answered = new Map<string, unknown[]>()
/** The name of what an operation answers with a status. */
const names = new Map<string, string>()

type Operation = {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>
}

beforeAll(async () => {
  for (const each of interfaces) {
    const { paths } = JSON.parse(documentOf(each, { endpoints, incoming: [] })) as {
      paths: Record<string, Record<string, Operation>>
    }
    for (const { operationId, responses } of Object.values(paths).flatMap((path) => Object.values(path))) {
      for (const [status, { content }] of Object.entries(responses)) {
        const name = content?.['application/json']?.schema.$ref?.split('/').at(-1)
        if (name) names.set(`${operationId} ${status}`, name)
      }
    }
  }
  const { story } = api
  await api.work()
  // First, since among what is deleted below is the key of whoever asks.
  const told = [...(await toldByHand(story)), ...(await toldOfStory(story))]
  for (const [prefix, key] of [
    ['/v1/', story.api_key],
    ['/operator/v1/', story.operator_key],
  ] as const) {
    const own = endpoints.filter(({ path }) => path.startsWith(prefix))
    const ask = async ({ method }: { method: string }, path: string, body?: unknown) => {
      const query = method === 'GET' && path.endsWith('/invoices') ? '?include_drafts=true' : ''
      const answer = await api.call(method as 'GET', path + query, { key, ...(body !== undefined && { body }) })
      return answer.status < 300 ? answer : undefined
    }
    told.push(...(await crawl(own, ask, [story.organization_id, ...told.map(({ body }) => body)])))
  }
  for (const { operation, status, body } of told.filter(({ status }) => status < 300)) {
    const name = names.get(`${operation} ${status}`)!
    answered.set(name, [...(answered.get(name) ?? []), body])
  }
  if (!recording) return
  const recorded = [...answered]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bodies]) => [name, exampleOf(bodies.toSorted((a, b) => saidBy(b) - saidBy(a))[0])])
  writeFileSync(
    new URL('../http/openapi/example-responses.json', import.meta.url),
    printJson({ ...exampleAnswers, ...Object.fromEntries(recorded) }),
  )
}, 300_000)

/** What only an organization of its own, or a user of its own, can show. */
async function toldByHand({ newcomer_api_key, operator_key, api_key }: Story): Promise<Told[]> {
  const made = await api.post('/v1/organizations', { name: 'Lantern Benefits' }, { key: newcomer_api_key })
  const { id } = made.body
  const key = { key: operator_key }
  const user = await api.post('/operator/v1/users', { name: 'Uma Lind' }, key)
  const wanted = { user_id: user.body.data.id, organization_id: null, mode: 'test' }
  const shown = await api.post('/operator/v1/api-keys', wanted, key)
  const revoked = await api.call('DELETE', `/operator/v1/api-keys/${shown.body.data.id}`, key)
  const moved = await api.put(`/operator/v1/organizations/${id}/clock`, { today: '2026-03-12' }, key)
  const days = await api.get(
    `/operator/v1/organizations/${api.story.organization_id}/webhook-events/by-day?from=2026-03-10`,
    key,
  )
  await api.post(`/v1/employers/${await createEmployer(api)}/census-sync`, { employees: [aPerson()] })
  const jobs = await api.get('/operator/v1/jobs?state=waiting', key)
  const job = await api.get(`/operator/v1/jobs/${first(jobs.body.data).id}`, key)
  // What a process has counted is written when it ends.
  const app = await buildApp(api.runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
  await app.inject({ url: '/v1/employers', headers: { authorization: `Bearer ${api.story.api_key}` } })
  await app.close()
  const used = await api.get(`/operator/v1/organizations/${api.story.organization_id}/usage`, key)
  const key_usage = `/operator/v1/api-keys/${first(used.body.data).credential_id}/usage` as const
  const used_by_key = await api.get(key_usage, key)
  const branded = await api.put('/v1/organization-branding', { accent_color: '#7a1f5c' }, { key: api_key })
  const dependents = await api.get('/v1/dependents?search=Haddad', { key: api_key })
  return [
    await linked(),
    await quoted(api_key),
    ...(await attached(api_key)),
    { operation: 'dependents_search', status: dependents.status, body: dependents.body },
    { operation: 'set_branding', status: branded.status, body: branded.body },
    { operation: 'operator_count_webhook_events', status: days.status, body: days.body },
    { operation: 'operator_list_usage', status: used.status, body: used.body },
    { operation: 'operator_list_api_key_usage', status: used_by_key.status, body: used_by_key.body },
    { operation: 'operator_list_jobs', status: jobs.status, body: jobs.body },
    { operation: 'operator_get_job', status: job.status, body: job.body },
    { operation: 'create_organization', status: made.status, body: made.body },
    { operation: 'operator_revoke_api_key', status: revoked.status, body: revoked.body },
    { operation: 'operator_move_clock', status: moved.status, body: moved.body },
  ]
}

/** The hire of a person who is employed elsewhere, with a phone that they do not take over. */
async function linked(): Promise<Told> {
  const person = aPerson({ first_name: 'Ada', last_name: 'Byron', email: 'ada.byron@example.com', phone: '4155550123' })
  await api.post(`/v1/employers/${await createEmployer(api)}/employees`, person)
  const hire = { ...person, phone: '4155550199' }
  const { status, body } = await api.post(`/v1/employers/${await createEmployer(api)}/employees`, hire)
  return { operation: 'employees_create_employee', status, body }
}

/** What somebody sees of their sessions who signs in with a browser, and what payroll told of a statement. */
async function toldOfStory({ api_key }: Story): Promise<Told[]> {
  const key = { key: api_key }
  const visitor = new Visitor()
  await visitor.press(await visitor.visit(`${api.url}/sign-in`), 'Maya Okafor')
  const told: Told[] = []
  // The first Maya is of the small story that is always there.
  const whose = { key: inject('story').api_key }
  const sessions = await api.get('/v1/sessions', whose)
  const ended = await api.call('DELETE', `/v1/sessions/${first(sessions.body.data).id}`, whose)
  told.push(
    { operation: 'sessions_list', status: sessions.status, body: sessions.body },
    { operation: 'sessions_revoke', status: ended.status, body: ended.body },
  )
  const cafe = first((await api.get('/v1/employers?search=kettle', key)).body.data).id
  const statements = await api.get(`/v1/employers/${cafe}/payroll-deduction-statements?limit=100`, key)
  for (const { id } of statements.body.data) {
    const path = `/v1/employers/${cafe}/payroll-deduction-statements/${id}/actuals` as const
    const { status, body } = await api.get(path, key)
    if (body.data.length > 0) return [...told, { operation: 'employers_list_payroll_actuals', status, body }]
  }
  return told
}

/** What somebody of the haulier is told of an election, who may choose these days. */
async function quoted(key: string): Promise<Told> {
  const [haulier] = (await api.get('/v1/employers?search=Granite', { key })).body.data
  const [priya] = (await api.get(`/v1/employers/${sure(haulier).id}/employees?search=Priya`, { key })).body.data
  const { data } = (await api.get(`/v1/employees/${sure(priya).id}/enrollments`, { key })).body
  const dental = pick(data, ({ benefit, window }) => benefit.name === 'Dental' && window !== null)
  const [plan] = (await api.get(`/v1/enrollments/${dental.id}`, { key })).body.data.plans
  const elect = { plan_id: sure(plan).id, coverage_tier: 'EE' }
  const answers = [{ enrollment_id: dental.id, elect }]
  const path = `/v1/employees/${sure(priya).id}/enrollment-answers` as const
  const { status, body } = await api.post(path, { answers, dry_run: true }, { key })
  return { operation: 'employees_answer_enrollments', status, body }
}

/** The responses to attaching a certificate to a life event, listing it and removing it. */
async function attached(key: string): Promise<Told[]> {
  const [haulier] = (await api.get('/v1/employers?search=Granite', { key })).body.data
  const [priya] = (await api.get(`/v1/employers/${sure(haulier).id}/employees?search=Priya`, { key })).body.data
  const event = { type: 'marriage', occurred_on: '2026-03-01' }
  const reported = await api.post(`/v1/employees/${sure(priya).id}/qualifying-life-events`, event, { key })
  const path = `/v1/qualifying-life-events/${reported.body.data.id}/attachments` as const
  const added = await api.post(path, { file_name: 'certificate.pdf', content: 'JVBERi0xLjcK' }, { key })
  const listed = await api.get(path, { key })
  const one = `${path}/${first(added.body.data.attachments).id}` as const
  const taken = await api.call('DELETE', one, { key })
  return [
    { operation: 'life_events_attach', status: added.status, body: added.body },
    { operation: 'life_events_list_attachments', status: listed.status, body: listed.body },
    { operation: 'life_events_detach', status: taken.status, body: taken.body },
  ]
}

it('there is an example of every answer', () => {
  const without = [...new Set(names.values())].filter((name) => !(name in exampleAnswers))
  expect(without.toSorted()).toEqual(known_without_example.toSorted())
  expect(Object.keys(exampleAnswers).filter((name) => ![...names.values()].includes(name))).toEqual([])
})

it('the documents show what each answer looks like', () => {
  const unseen = interfaces.flatMap((each) => {
    const { components } = JSON.parse(documentOf(each, { endpoints, incoming: [] })) as {
      components: { schemas: Record<string, Record<string, unknown>> }
    }
    const own = [...names.values()].filter((name) => name in components.schemas)
    return own.filter((name) => sampleOf(referTo(name), components.schemas) === undefined)
  })
  expect([...new Set(unseen)]).toEqual([])
})

it('each fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  for (const each of interfaces) {
    const document = JSON.parse(documentOf(each, { endpoints, incoming: [] })) as { components: { schemas: object } }
    ajv.addSchema(document, each.document)
    for (const name of Object.keys(document.components.schemas).filter((name) => name in exampleAnswers)) {
      const fits = ajv.getSchema(`${each.document}#/components/schemas/${name}`)!
      expect(fits(exampleAnswers[name]), `${name}: ${JSON.stringify(fits.errors)}`).toBe(true)
    }
  }
})

it('each has the fields that are answered today', () => {
  for (const [name, bodies] of answered) {
    const example = exampleAnswers[name]
    if (example === undefined) continue
    const shown = new Set(shapeOf(example))
    const fitting = bodies.map((body) => {
      const today = new Set(shapeOf(body))
      const parents = (path: string) => path.replace(/(\.[^.[]+|\[\])$/, '')
      const missing = [...today].filter(
        (path) => !shown.has(path) && (shown.has(parents(path)) || parents(path) === ''),
      )
      const gone = [...shown].filter((path) => !today.has(path) && (today.has(parents(path)) || parents(path) === ''))
      return { missing: missing.filter(isToldOf(shown)), gone: gone.filter(isToldOf(today)) }
    })
    expect(
      fitting.some(({ missing, gone }) => missing.length + gone.length === 0),
      `${name}: ${JSON.stringify(fitting[0])}`,
    ).toBe(true)
  }
})

/** Whether others beside a field are told of: what stands in no object that is there is not missing. */
const isToldOf = (paths: Set<string>) => (path: string) => {
  const parent = path.slice(0, path.lastIndexOf('.'))
  return [...paths].some((other) => other.startsWith(`${parent}.`))
}
