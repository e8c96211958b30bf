import { writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, expect, inject, it } from 'vitest'
import { buildApp } from '../app.ts'
import { endpoints } from '../modules.ts'
import { interfaces } from '../http/openapi/interfaces.ts'
import { documentOf, exampleResponses } from '../http/openapi/openapi.ts'
import { printJson } from '../kernel/formats/print-json.ts'
import type { Story } from '../sandbox/story.ts'
import { aPerson, createEmployer } from './fixtures.ts'
import { crawl, exampleOf, outputOf, scheduleExport, shapeOf, type Facts } from './examples.ts'
import { measureFreight, reportHours, reportTaxForms } from './mandate-examples.ts'
import { useApi } from './harness.ts'
import { first, pick, sure } from './pick.ts'
import { Visitor } from './clients/visitor.ts'

/**
 * The example responses in the OpenAPI documents are recorded responses about the sandbox's data. To record them again:
 * `RECORD_EXAMPLES=1 npm test -- server/test/examples.test.ts`, then `npm run gen`.
 */
const api = useApi({ with_story: 'usual_day' })
const recording = process.env.RECORD_EXAMPLES === '1'

/** Today's responses by the name of their example. */
const answered = new Map<string, unknown[]>()
/** The names of examples by operation and status. */
const names = new Map<string, string>()

type Operation = {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>
}

/** The documents as the sources describe them, since the committed ones are written after the examples. */
const documents = interfaces.map(
  (each) =>
    JSON.parse(documentOf(each, { endpoints, incoming: [] })) as {
      paths: Record<string, Record<string, Operation>>
      components: { schemas: object }
    },
)

beforeAll(async () => {
  for (const { paths } of documents) {
    for (const { operationId, responses } of Object.values(paths).flatMap((path) => Object.values(path))) {
      for (const [status, { content }] of Object.entries(responses)) {
        const name = content?.['application/json']?.schema.$ref?.split('/').at(-1)
        if (name) names.set(`${operationId} ${status}`, name)
      }
    }
  }
  const { story } = api
  await api.work()
  // Runs first, because the caller's own key is among the resources deleted below.
  const responses = [...(await responsesOfNewOrganization(story)), ...(await responsesOfSandbox(story))]
  for (const [prefix, key] of [
    ['/v1/', story.api_key],
    ['/operator/v1/', story.operator_key],
  ] as const) {
    const own = endpoints.filter(({ path }) => path.startsWith(prefix))
    const send = async ({ method }: { method: string }, path: string, body?: unknown) => {
      const query = method === 'GET' && path.endsWith('/invoices') ? '?include_drafts=true' : ''
      const answer = await api.call(method as 'GET', path + query, { key, ...(body !== undefined && { body }) })
      return answer.status < 300 ? answer : undefined
    }
    responses.push(...(await crawl(own, send, [story.organization_id, ...responses.map(({ body }) => body)])))
  }
  for (const { operation, status, body } of responses.filter(({ status }) => status < 300)) {
    const name = names.get(`${operation} ${status}`)!
    answered.set(name, [...(answered.get(name) ?? []), body])
  }
  if (!recording) return
  const recorded = [...answered]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bodies]) => [name, exampleOf(bodies.toSorted((a, b) => outputOf(b) - outputOf(a))[0])])
  writeFileSync(
    new URL('../http/openapi/example-responses.json', import.meta.url),
    printJson({ ...exampleResponses, ...Object.fromEntries(recorded) }),
  )
})

/** Responses that require a separate organization or a separate user. */
async function responsesOfNewOrganization({ newcomer_api_key, operator_key, api_key }: Story): Promise<Facts[]> {
  const made = await api.post(
    '/v1/organizations',
    { name: 'Lantern Benefits', type: 'BROKERAGE' },
    { key: newcomer_api_key },
  )
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
  // A process writes its counts when it ends.
  const app = await buildApp(api.runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
  await app.inject({ url: '/v1/employers', headers: { authorization: `Bearer ${api.story.api_key}` } })
  await app.close()
  const used = await api.get(`/operator/v1/organizations/${api.story.organization_id}/usage`, key)
  const key_usage = `/operator/v1/api-keys/${first(used.body.data).credential_id}/usage` as const
  const used_by_key = await api.get(key_usage, key)
  const text = 'I authorize my employer to deduct my share of the cost from my paychecks.'
  const agreement = await api.post('/v1/enrollment-agreements', { text_en: text, text_es: text }, { key: api_key })
  const branded = await api.put('/v1/organization-branding', { accent_color: '#7a1f5c' }, { key: api_key })
  const display_names = [{ language: 'es', name: 'Dental', display_name: 'Cuidado dental' }]
  const named = await api.put('/v1/organization-display-names', { display_names }, { key: api_key })
  const dependents = await api.get('/v1/dependents?search=Haddad', { key: api_key })
  return [
    await hireLinkedPerson(),
    ...(await quoteElection(api_key, operator_key)),
    ...(await attachCertificate(api_key)),
    ...(await verifyDependent(api_key)),
    ...(await shareDocument(api_key)),
    ...(await remindToEnroll(api_key)),
    await requestPlanYear(api_key),
    ...(await writeNotes(api_key)),
    ...(await proposeRenewal(api_key)),
    ...(await scheduleExport(api, api_key)),
    ...(await reportHours(api, api_key)),
    ...(await reportTaxForms(api, api_key)),
    ...(await measureFreight(api, api_key)),
    { operation: 'dependents_search', status: dependents.status, body: dependents.body },
    { operation: 'create_enrollment_agreement', status: agreement.status, body: agreement.body },
    { operation: 'set_branding', status: branded.status, body: branded.body },
    { operation: 'set_display_names', status: named.status, body: named.body },
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

/** Hires a person who is employed elsewhere, with a phone that is not adopted. */
async function hireLinkedPerson(): Promise<Facts> {
  const person = aPerson({ first_name: 'Ada', last_name: 'Byron', email: 'ada.byron@example.com', phone: '4155550123' })
  await api.post(`/v1/employers/${await createEmployer(api)}/employees`, person)
  const hire = { ...person, phone: '4155550199' }
  const { status, body } = await api.post(`/v1/employers/${await createEmployer(api)}/employees`, hire)
  return { operation: 'employees_create_employee', status, body }
}

/**
 * The sessions of a user who signs in with a browser, and the actual deductions that payroll reported for a statement.
 */
async function responsesOfSandbox({ api_key }: Story): Promise<Facts[]> {
  const key = { key: api_key }
  const visitor = new Visitor()
  await visitor.press(await visitor.visit(`${api.url}/sign-in`), 'Maya Okafor')
  const responses: Facts[] = []
  // The browser signed in to the organizations that every test database has, so their key is needed here.
  const tenant = { key: inject('story').api_key }
  const sessions = await api.get('/v1/sessions', tenant)
  const ended = await api.call('DELETE', `/v1/sessions/${first(sessions.body.data).id}`, tenant)
  responses.push(
    { operation: 'sessions_list', status: sessions.status, body: sessions.body },
    { operation: 'sessions_revoke', status: ended.status, body: ended.body },
  )
  const cafe = first((await api.get('/v1/employers?search=kettle', key)).body.data).id
  const statements = await api.get(`/v1/employers/${cafe}/payroll-deduction-statements?limit=100`, key)
  for (const { id } of statements.body.data) {
    const path = `/v1/employers/${cafe}/payroll-deduction-statements/${id}/actuals` as const
    const { status, body } = await api.get(path, key)
    if (body.data.length > 0) return [...responses, { operation: 'employers_list_payroll_actuals', status, body }]
  }
  return responses
}

/** A draft and the quote of an election for an employee of the freight company, which is in open enrollment. */
async function quoteElection(key: string, operator_key: string): Promise<Facts[]> {
  const [freight] = (await api.get('/v1/employers?search=Granite', { key })).body.data
  const [priya] = (await api.get(`/v1/employers/${sure(freight).id}/employees?search=Priya`, { key })).body.data
  const { data } = (await api.get(`/v1/employees/${sure(priya).id}/enrollments`, { key })).body
  const dental = pick(data, ({ benefit, window }) => benefit.name === 'Dental' && window !== null)
  const [plan] = (await api.get(`/v1/enrollments/${dental.id}`, { key })).body.data.plans
  const elect = { plan_id: sure(plan).id, coverage_tier: 'EE' }
  const answers = [{ enrollment_id: dental.id, elect }]
  const path = `/v1/employees/${sure(priya).id}/enrollment-answers` as const
  const { status, body } = await api.post(path, { answers, dry_run: true }, { key })
  const { organization_id } = (await api.get(`/v1/employers/${sure(freight).id}`, { key })).body.data
  const product = `/operator/v1/organizations/${organization_id}/benefits/${dental.benefit.id}` as const
  await api.patch(product, { takes_beneficiaries: true }, { key: operator_key })
  const beneficiaries = `/v1/employees/${sure(priya).id}/beneficiaries` as const
  const sam = { level: 'primary', type: 'person', name: 'Sam Costa', relationship: 'spouse', share_percentage: 100 }
  const of_dental = `/v1/employees/${sure(priya).id}/beneficiaries/${dental.benefit.id}` as const
  const designated = await api.put(of_dental, { beneficiaries: [sam] }, { key })
  const listed = await api.get(beneficiaries, { key })
  const history = await api.get(`${of_dental}/history`, { key })
  const year = await api.get(`/v1/employees/${sure(priya).id}/benefits-statement`, { key })
  const unfinished = [{ enrollment_id: dental.id, elect: { plan_id: sure(plan).id, dependent_ids: [] } }]
  const draft = `/v1/employees/${sure(priya).id}/enrollment-draft` as const
  const saved = await api.put(draft, { dependent_ids: [], answers: unfinished }, { key })
  const discarded = await api.call('DELETE', draft, { key })
  await api.post(path, { answers }, { key })
  const kept = await api.get(`/v1/employees/${sure(priya).id}/enrollment-confirmations`, { key })
  return [
    { operation: 'employees_answer_enrollments', status, body },
    { operation: 'employees_save_enrollment_draft', status: saved.status, body: saved.body },
    { operation: 'employees_discard_enrollment_draft', status: discarded.status, body: discarded.body },
    { operation: 'employees_get_benefits_statement', status: year.status, body: year.body },
    { operation: 'beneficiaries_designate', status: designated.status, body: designated.body },
    { operation: 'beneficiaries_list', status: listed.status, body: listed.body },
    { operation: 'beneficiaries_list_history', status: history.status, body: history.body },
    { operation: 'employees_list_confirmations', status: kept.status, body: kept.body },
  ]
}

/** The setup of an employer that requests a plan year. */
async function requestPlanYear(key: string): Promise<Facts> {
  const path = `/v1/employers/${await createEmployer(api, { name: 'Blue Heron Coffee' }, { key })}` as const
  const { id } = first((await api.get('/v1/plans', { key })).body.data)
  const wanted = {
    coverage_start: '2026-05-01',
    open_enrollment_start: '2026-04-01',
    plan_ids: [id],
    message: 'As agreed',
  }
  const { status, body } = await api.put(`${path}/plan-year-request`, wanted, { key })
  return { operation: 'employers_request_plan_year', status, body }
}

/** The responses about a note with a mention of a member, from its first text until it is deleted. */
async function writeNotes(api_key: string): Promise<Facts[]> {
  const key = { key: api_key }
  const employer_id = first((await api.get('/v1/employers?search=Granite', key)).body.data).id
  const members = await api.get('/v1/organization-members', key)
  const { user_id } = pick(members.body.data, ({ name }) => name === 'Maya Okafor')
  const path = `/v1/employers/${employer_id}/notes` as const
  const note = { text: 'Ada prefers calls before 10 am.', mentioned_user_ids: [user_id] }
  const added = await api.post(path, note, key)
  const listed = await api.get(path, key)
  const one = `/v1/notes/${added.body.data.id}` as const
  const deleted = await api.call('DELETE', one, key)
  return [
    { operation: 'list_organization_members', status: members.status, body: members.body },
    { operation: 'employers_add_note', status: added.status, body: added.body },
    { operation: 'employers_list_notes', status: listed.status, body: listed.body },
    { operation: 'notes_delete', status: deleted.status, body: deleted.body },
  ]
}

/** A renewal proposal for the café, and the list of stored proposals. */
async function proposeRenewal(key: string): Promise<Facts[]> {
  const employers = (await api.get('/v1/employers?search=Copper Kettle', { key })).body.data
  const path = `/v1/employers/${first(employers).id}/benefit-plan-years` as const
  const { id } = first((await api.get(path, { key })).body.data)
  const scenarios = [{ name: 'As quoted', premium_change_percent: 6.5 }]
  const proposals = `${path}/${id}/renewal-proposals` as const
  const proposed = await api.post(proposals, { scenarios, dry_run: true }, { key })
  await api.post(proposals, { scenarios }, { key })
  const listed = await api.get(proposals, { key })
  return [
    { operation: 'employers_propose_renewal', status: proposed.status, body: proposed.body },
    { operation: 'employers_list_renewal_proposals', status: listed.status, body: listed.body },
  ]
}

/** The responses about reminders of the freight company, and to redeeming the link of one. */
async function remindToEnroll(api_key: string): Promise<Facts[]> {
  const key = { key: api_key }
  const employer_id = first((await api.get('/v1/employers?search=Granite', key)).body.data).id
  const path = `/v1/employers/${employer_id}` as const
  const { benefit_plan_year_id } = first((await api.get(`${path}/enrollment-windows`, key)).body.data)
  const dashboard_url = 'https://portal.example.com/benefits?token={token}'
  const settings = await api.put('/v1/enrollment-message-settings', { dashboard_url, language: 'en' }, key)
  const preview = await api.post(`${path}/enrollment-reminders`, { benefit_plan_year_id, dry_run: true }, key)
  await api.post(`${path}/enrollment-reminders`, { benefit_plan_year_id }, key)
  const { id } = first((await api.get(`${path}/enrollment-messages`, key)).body.data)
  const all = await api.get('/v1/enrollment-messages?limit=1', key)
  const message = await api.get(`/v1/enrollment-messages/${id}`, key)
  const token = /token=(\S+)/.exec(sure(message.body.data.content).text)?.[1]
  const link = await api.post('/v1/enrollment-links', { token }, key)
  return [
    { operation: 'set_enrollment_message_settings', status: settings.status, body: settings.body },
    { operation: 'employers_remind_to_enroll', status: preview.status, body: preview.body },
    { operation: 'list_enrollment_messages', status: all.status, body: all.body },
    { operation: 'get_enrollment_message', status: message.status, body: message.body },
    { operation: 'redeem_enrollment_link', status: link.status, body: link.body },
  ]
}

/** The responses to attaching a certificate to a dependent, and to verifying and removing it. */
async function verifyDependent(key: string): Promise<Facts[]> {
  const [found] = (await api.get('/v1/dependents?search=Haddad', { key })).body.data
  const dependent = `/v1/dependents/${sure(found).id}` as const
  const path = `${dependent}/attachments` as const
  const added = await api.post(path, { file_name: 'certificate.pdf', content: 'JVBERi0xLjcK' }, { key })
  const listed = await api.get(path, { key })
  const verified = await api.put(`${dependent}/verification`, { status: 'verified' }, { key })
  const taken = await api.call('DELETE', `${path}/${first(listed.body.data).id}` as const, { key })
  return [
    { operation: 'dependents_attach', status: added.status, body: added.body },
    { operation: 'dependents_list_attachments', status: listed.status, body: listed.body },
    { operation: 'dependents_decide_verification', status: verified.status, body: verified.body },
    { operation: 'dependents_detach', status: taken.status, body: taken.body },
  ]
}

/** The responses to attaching a certificate to a life event, listing it and removing it. */
async function attachCertificate(key: string): Promise<Facts[]> {
  const [freight] = (await api.get('/v1/employers?search=Granite', { key })).body.data
  const [priya] = (await api.get(`/v1/employers/${sure(freight).id}/employees?search=Priya`, { key })).body.data
  const event = { type: 'marriage', occurred_on: '2026-03-01' }
  const life_event = await api.post(`/v1/employees/${sure(priya).id}/qualifying-life-events`, event, { key })
  const path = `/v1/qualifying-life-events/${life_event.body.data.id}/attachments` as const
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

/** The responses to adding a document to the library, and to an employee opening it. */
async function shareDocument(key: string): Promise<Facts[]> {
  const { id: employer_id } = first((await api.get('/v1/employers?search=Granite', { key })).body.data)
  const { id } = first((await api.get(`/v1/employers/${employer_id}/employees?search=Priya`, { key })).body.data)
  const guide = { kind: 'guide', title: 'Benefits guide 2027', file_name: 'guide-2027.pdf', content: 'JVBERi0xLjcK' }
  const added = await api.post('/v1/documents', { ...guide, employer_id }, { key })
  const path = `/v1/employees/${id}/documents` as const
  await api.post(`${path}/${added.body.data.id}/open`, {}, { key })
  const read = async (operation: string, at: `/v1/${string}`): Promise<Facts> => {
    const { status, body } = await api.get(at, { key })
    return { operation, status, body }
  }
  return [
    { operation: 'documents_create', status: added.status, body: added.body },
    await read('documents_list', '/v1/documents'),
    await read('documents_list_unopened', `/v1/documents/${added.body.data.id}/unopened`),
    await read('documents_list_receipts', `/v1/documents/${added.body.data.id}/receipts`),
    await read('employees_list_documents', path),
  ]
}

it('has an example for every response', () => {
  const without = [...new Set(names.values())].filter((name) => !(name in exampleResponses))
  expect(without).toEqual([])
  expect(Object.keys(exampleResponses).filter((name) => ![...names.values()].includes(name))).toEqual([])
})

it('has only examples that match their schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  formats.default(ajv)
  for (const [at, document] of documents.entries()) {
    ajv.addSchema(document, `document-${at}`)
    for (const name of Object.keys(document.components.schemas).filter((name) => name in exampleResponses)) {
      const fits = ajv.getSchema(`document-${at}#/components/schemas/${name}`)!
      expect(fits(exampleResponses[name]), `${name}: ${JSON.stringify(fits.errors)}`).toBe(true)
    }
  }
})

it("has every field of today's responses in the examples", () => {
  for (const [name, bodies] of answered) {
    const example = exampleResponses[name]
    if (example === undefined) continue
    const shown = new Set(shapeOf(example))
    const differencesOf = (body: unknown) => {
      const today = new Set(shapeOf(body))
      const missing = [...today].filter((path) => !shown.has(path) && isBelow(shown, path))
      const gone = [...shown].filter((path) => !today.has(path) && isBelow(today, path))
      return [missing.filter(isReportedOf(shown)), gone.filter(isReportedOf(today))]
    }
    const fits = bodies.some((body) => differencesOf(body).flat().length === 0)
    expect(fits, fits ? '' : `${name}: ${JSON.stringify(differencesOf(bodies[0]))}`).toBe(true)
  }
})

/** Whether a path's parent is a field of the same values, or the value itself. */
function isBelow(paths: Set<string>, path: string): boolean {
  const parent = path.replace(/(\.[^.[]+|\[\])$/, '')
  return parent === '' || paths.has(parent)
}

/** Whether a path's parent is among the paths. A field whose object is missing does not count as missing. */
const isReportedOf = (paths: Set<string>) => (path: string) => {
  const parent = path.slice(0, path.lastIndexOf('.'))
  return [...paths].some((other) => other.startsWith(`${parent}.`))
}
