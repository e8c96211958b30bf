import { writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, expect, it } from 'vitest'
import { buildApp } from '../app.ts'
import { endpoints, tasks } from '../modules.ts'
import { documentOf, exampleAnswers, interfaces } from '../platform/http/docs.ts'
import { printJson } from '../kernel/print-json.ts'
import { plantStory, type Story } from '../sandbox/story.ts'
import { sampleOf } from '../platform/http/openapi-examples.ts'
import { referTo } from '../platform/http/openapi-schemas.ts'
import { aPerson, createEmployer } from './cast.ts'
import { crawl, exampleOf, saidBy, shapeOf, type Told } from './examples.ts'
import { known_empty, known_without_example } from './examples-known.ts'
import { useApi } from './harness.ts'
import { first } from './pick.ts'

/**
 * The example answers of the OpenAPI documents are what the service answered about the sandbox's story. To record them
 * anew: `RECORD_EXAMPLES=1 npm test -- server/test/examples.test.ts`, then `npm run gen`.
 */
const api = useApi()
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
  const story = await plantStory(api.runtime, tasks)
  await api.work()
  // First, since among what is deleted below is the key of whoever asks.
  const told = await toldByHand(story)
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
    new URL('../platform/http/example-answers.json', import.meta.url),
    printJson({ ...exampleAnswers, ...Object.fromEntries(recorded) }),
  )
}, 300_000)

/** What only an organization of its own, or a user of its own, can show. */
async function toldByHand({ newcomer_api_key, operator_key }: Story): Promise<Told[]> {
  const made = await api.post('/v1/organizations', { name: 'Lantern Benefits' }, { key: newcomer_api_key })
  const { id } = made.body
  const key = { key: operator_key }
  const user = await api.post('/operator/v1/users', { name: 'Uma Lind' }, key)
  const wanted = { user_id: user.body.data.id, organization_id: null, mode: 'test' }
  const shown = await api.post('/operator/v1/api-keys', wanted, key)
  const revoked = await api.call('DELETE', `/operator/v1/api-keys/${shown.body.data.id}`, key)
  const moved = await api.put(`/operator/v1/organizations/${id}/clock`, { today: '2026-03-12' }, key)
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
  return [
    { operation: 'operator_list_usage', status: used.status, body: used.body },
    { operation: 'operator_list_api_key_usage', status: used_by_key.status, body: used_by_key.body },
    { operation: 'operator_list_jobs', status: jobs.status, body: jobs.body },
    { operation: 'operator_get_job', status: job.status, body: job.body },
    { operation: 'create_organization', status: made.status, body: made.body },
    { operation: 'operator_revoke_api_key', status: revoked.status, body: revoked.body },
    { operation: 'operator_move_clock', status: moved.status, body: moved.body },
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
  expect([...new Set(unseen)].toSorted()).toEqual(known_empty.toSorted())
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
