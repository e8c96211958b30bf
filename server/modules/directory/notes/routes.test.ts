import { beforeAll, describe, expect, it } from 'vitest'
import { aMember, aMemberKey, createEmployee, createEmployer, boundToken } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, sure } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })
const rival = () => ({ key: api.story.rival_api_key })

let employer_id = ''
let employee_id = ''
let of_employer: `/v1/employers/${string}/notes`
let of_employee: `/v1/employees/${string}/notes`
let colleague = { user_id: '', key: '' }

beforeAll(async () => {
  employer_id = await createEmployer(api)
  employee_id = (await createEmployee(api, employer_id)).id
  of_employer = `/v1/employers/${employer_id}/notes`
  of_employee = `/v1/employees/${employee_id}/notes`
  colleague = await aMember(api, api.story.organization_id, 'OPERATIONS')
})

const add = async (path: typeof of_employer | typeof of_employee, body: object, key = api.story.api_key) => {
  const added = await api.post(path, body, { key })
  expect(added.status, added.text).toBe(201)
  return added.body.data
}
const textsOf = async (path: typeof of_employer | typeof of_employee, key = api.story.api_key) =>
  (await api.get(path, { key })).body.data.map(({ text }) => text)
const mentionsOf = async (key = colleague.key) => (await api.get('/v1/tasks?kind=note_mention', { key })).body.data

describe('notes', () => {
  it('are listed newest first and by page, and their author changes and deletes them', async () => {
    const former = await add(of_employer, { text: 'Renewal call in May' })
    const { id } = await add(of_employer, { text: 'Two\r\nlines of <b>text</b>  ' })
    const list = (await api.get(`${of_employer}?limit=1`)).body
    expect(only(list.data)).toMatchObject({
      id,
      employer_id,
      employee_id: null,
      text: 'Two\nlines of <b>text</b>',
      shared_with_employer: false,
      author: 'organization',
      author_name: 'Maya Okafor',
      mentions: [],
      edited_at: null,
    })
    expect(list.pagination.total).toBe(2)
    api.wait(1000)
    const note = `/v1/notes/${id}` as const
    const edited = (await api.patch(note, { text: 'One line' })).body.data
    expect([edited.text, edited.created_at < sure(edited.edited_at)]).toEqual(['One line', true])
    const shared = (await api.patch(note, { shared_with_employer: true })).body.data
    expect([shared.text, shared.edited_at]).toEqual(['One line', edited.edited_at])
    expect((await api.call('DELETE', note)).body.data).toEqual({ id })
    expect((await api.call('DELETE', note)).status).toBe(404)
    expect(await textsOf(of_employer)).toEqual([former.text])
  })

  it('are deleted once, even by two requests at the same time', async () => {
    const { id } = await add(of_employer, { text: 'Delete me' })
    const answers = await Promise.all([1, 2].map(() => api.call('DELETE', `/v1/notes/${id}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  })

  it('cannot be changed or deleted by another member, an operator or another organization', async () => {
    const { id } = await add(of_employer, { text: 'Mine' })
    const note = `/v1/notes/${id}` as const
    const others = { key: colleague.key }
    expect(codeOf(await api.patch(note, { text: 'Theirs' }, others))).toEqual([409, 'note_of_another_author'])
    expect(codeOf(await api.call('DELETE', note, others))).toEqual([409, 'note_of_another_author'])
    expect(codeOf(await api.call('DELETE', `/operator${note}`, operator()))).toEqual([409, 'note_of_another_author'])
    expect(codeOf(await api.patch(note, { text: 'Theirs' }, rival()))).toEqual([404, 'not_found'])
    expect(codeOf(await api.call('DELETE', note, rival()))).toEqual([404, 'not_found'])
    expect(await textsOf(of_employer)).toContain('Mine')
  })

  it('of members can be deleted by an admin, and those of operators cannot', async () => {
    const left = await aMember(api, api.story.organization_id, 'OPERATIONS')
    const { id } = await add(of_employer, { text: 'Written before I left' }, left.key)
    const membership = `/operator/v1/organizations/${api.story.organization_id}/members/${left.user_id}` as const
    await api.call('DELETE', membership, operator())
    const note = `/v1/notes/${id}` as const
    expect(codeOf(await api.patch(note, { text: 'Theirs' }))).toEqual([409, 'note_of_another_author'])
    const refused = await api.call('DELETE', note, { key: colleague.key })
    expect(codeOf(refused)).toEqual([409, 'note_of_another_author'])
    expect((await api.call('DELETE', note)).body.data).toEqual({ id })
    const { data } = (await api.get(`/v1/audit-entries?resource_id=${id}`)).body
    expect(data.map(({ operation }) => operation)).toContain('notes_delete')
    const operated = await api.post(`/operator${of_employer}`, { text: 'From the operator' }, operator())
    const of_operator = `/v1/notes/${operated.body.data.id}` as const
    expect(codeOf(await api.call('DELETE', of_operator))).toEqual([409, 'note_of_another_author'])
  })

  it.each([
    ['an empty text', { text: ' \n ' }, 'text'],
    ['a text over 4,000 characters', { text: 'x'.repeat(4001) }, 'text'],
    ['a control character', { text: 'a\u0000b' }, 'text'],
    ['characters that reorder text', { text: 'a\u202eb' }, 'text'],
    ['a user of another organization', { text: 'Hello', mentioned_user_ids: 'rival' }, 'mentioned_user_ids[0]'],
  ])('are refused with %s, and the error names the field', async (_, body, field) => {
    const rivals = await aMember(api, api.story.rival_organization_id, 'ADMIN')
    const sent = 'mentioned_user_ids' in body ? { ...body, mentioned_user_ids: [rivals.user_id] } : body
    expect(refusalOf(await api.post(of_employer, sent))).toEqual([400, 'invalid_request', field])
  })
})

describe('the visibility of notes', () => {
  it('hides all notes from another organization', async () => {
    await add(of_employee, { text: 'Private', shared_with_employer: true })
    for (const path of [of_employer, of_employee]) {
      expect(codeOf(await api.get(path, rival()))).toEqual([404, 'not_found'])
      expect(codeOf(await api.post(path, { text: 'Hello' }, rival()))).toEqual([404, 'not_found'])
      const theirs = await boundToken(api, 'employer', await createEmployer(api, {}, rival()), rival())
      expect(codeOf(await api.get(path, { key: theirs }))).toEqual([404, 'not_found'])
    }
  })

  it('shows the employer only shared notes, of members and operators, without mentions and ids of users', async () => {
    const hidden = { text: 'They may leave us', mentioned_user_ids: [colleague.user_id] }
    const shown = { text: 'We renew in May', mentioned_user_ids: [colleague.user_id], shared_with_employer: true }
    for (const path of [of_employer, of_employee]) {
      await add(path, hidden)
      const { id } = await add(path, shown)
      const operated = { ...operator() }
      await api.post(`/operator${path}`, { text: 'Operators only' }, operated)
      await api.post(`/operator${path}`, { text: 'From your administrator', shared_with_employer: true }, operated)
      const hr = await boundToken(api, 'employer', employer_id)
      const { data, pagination } = (await api.get(path, { key: hr })).body
      const texts = data.map(({ text }) => text)
      expect(texts.slice(0, 2)).toEqual(['From your administrator', 'We renew in May'])
      expect(data.every(({ shared_with_employer }) => shared_with_employer)).toBe(true)
      expect(pagination.total).toBe(data.length)
      expect(data.slice(0, 2)).toMatchObject([
        { author: 'operator', author_user_id: null, author_name: null, mentions: [] },
        { author: 'organization', author_user_id: null, author_name: 'Maya Okafor', mentions: [] },
      ])
      expect(codeOf(await api.post(path, { text: 'Hello' }, { key: hr }))).toEqual([403, 'forbidden'])
      expect((await api.patch(`/v1/notes/${id}`, { text: 'Hello' }, { key: hr })).status).toBe(403)
      await api.patch(`/v1/notes/${id}`, { shared_with_employer: false })
      expect(await textsOf(path, hr)).not.toContain('We renew in May')
    }
  })

  it('hides notes from employees, and those about employees from another employer of the organization', async () => {
    const employee = { key: await boundToken(api, 'employee', employee_id) }
    expect((await api.get(of_employee, employee)).status).toBe(403)
    expect((await api.get(of_employer, employee)).status).not.toBe(200)
    const other = { key: await boundToken(api, 'employer', await createEmployer(api)) }
    expect(codeOf(await api.get(of_employee, other))).toEqual([404, 'not_found'])
  })

  it('hides notes about employees from roles and keys that do not see employees', async () => {
    const { id } = await add(of_employee, { text: 'On leave' })
    const sales = await aMember(api, api.story.organization_id, 'SALES')
    const without = (await api.post('/v1/api-keys', { name: 'Notes', scopes: ['read', 'write'] })).body.data.api_key
    for (const key of [sales.key, without]) {
      expect(codeOf(await api.get(of_employee, { key }))).toEqual([403, 'forbidden'])
      expect(codeOf(await api.patch(`/v1/notes/${id}`, { text: 'Hello' }, { key }))).toEqual([404, 'not_found'])
      expect((await api.get(of_employer, { key })).status).toBe(200)
    }
    const mention = { text: 'Look', mentioned_user_ids: [sales.user_id] }
    expect(refusalOf(await api.post(of_employee, mention))).toEqual([400, 'invalid_request', 'mentioned_user_ids[0]'])
    await add(of_employer, mention)
    expect(only(await mentionsOf(sales.key)).employee_id).toBe(null)
  })

  it('shows members the notes of operators without their names, and operators everything', async () => {
    const text = 'The carrier file is late'
    const added = await api.post(`/operator${of_employer}`, { text }, operator())
    expect(added.body.data.author_name).not.toBe(null)
    expect(first((await api.get(of_employer)).body.data)).toMatchObject({
      text,
      author: 'operator',
      author_user_id: null,
      author_name: null,
    })
    const all = (await api.get(`/operator${of_employer}`, operator())).body.data
    expect(all.map((note) => note.text)).toEqual(await textsOf(of_employer))
  })
})

describe('mentions', () => {
  it('open a task for the mentioned member until she marks it as done, and publish an event', async () => {
    const text = 'Please call Ada about the dental plan'
    const { id } = await add(of_employee, { text, mentioned_user_ids: [colleague.user_id, colleague.user_id] })
    const isOfIt = ({ resource_id }: { resource_id: string }) => resource_id === id
    expect(only((await mentionsOf()).filter(isOfIt))).toMatchObject({
      employer_id,
      employee_id,
      details: { excerpt: text },
      action: { operation: 'notes_mark_mention', path: `/v1/notes/${id}/mention` },
    })
    expect((await mentionsOf(api.story.api_key)).filter(isOfIt)).toEqual([])
    const { data: events } = (await api.get(`/v1/webhook-events?resource_id=${employee_id}`)).body
    expect(events.map(({ event_name }) => event_name)).toContain('employee.user_mentioned')

    const mention = `/v1/notes/${id}/mention` as const
    const her = { key: colleague.key }
    expect(codeOf(await api.put(mention, { done: true }))).toEqual([409, 'not_mentioned'])
    expect(codeOf(await api.put(mention, { done: true }, rival()))).toEqual([404, 'not_found'])
    const done = (await api.put(mention, { done: true }, her)).body.data
    expect(only(done.mentions).done_at).not.toBe(null)
    expect((await mentionsOf()).filter(isOfIt)).toEqual([])
    await api.put(mention, { done: false }, her)
    expect((await mentionsOf()).filter(isOfIt)).toHaveLength(1)
  })

  it('close their tasks when they or their note are removed, and otherwise stay done', async () => {
    const path = '/v1/organization-members?limit=100'
    const maya = sure((await api.get(path)).body.data.find(({ name }) => name === 'Maya Okafor')).user_id
    const before = (await mentionsOf()).length
    const mentioned_user_ids = [colleague.user_id]
    const { id } = await add(of_employer, { text: 'Call them', mentioned_user_ids })
    const note = `/v1/notes/${id}` as const
    await api.put(`${note}/mention`, { done: true }, { key: colleague.key })
    await api.patch(note, { mentioned_user_ids: [...mentioned_user_ids, maya] })
    expect([(await mentionsOf()).length, (await mentionsOf(api.story.api_key)).length]).toEqual([before, 1])
    await api.patch(note, { mentioned_user_ids: [] })
    expect(await mentionsOf(api.story.api_key)).toEqual([])
    await api.patch(note, { mentioned_user_ids })
    await api.call('DELETE', note)
    expect((await mentionsOf()).length).toBe(before)
  })

  it('close with the membership of the member', async () => {
    const { user_id, key } = await aMember(api, api.story.organization_id, 'ADMIN')
    const { id } = await add(of_employer, { text: 'Call them', mentioned_user_ids: [user_id] })
    expect(await mentionsOf(key)).toHaveLength(1)
    const membership = `/operator/v1/organizations/${api.story.organization_id}/members/${user_id}` as const
    await api.call('DELETE', membership, operator())
    const again = { text: 'Call them', mentioned_user_ids: [user_id] }
    expect((await api.post(of_employer, again)).status).toBe(400)
    // The note keeps the mention when it is changed.
    const kept = await api.patch(`/v1/notes/${id}`, { text: 'Call them today', mentioned_user_ids: [user_id] })
    expect(kept.body.data.mentions.map((mention) => mention.user_id)).toEqual([user_id])
  })
})

describe('list_organization_members', () => {
  it('lists the members of the caller’s organization only, to every role', async () => {
    const sales = await aMemberKey(api, api.story.organization_id, 'SALES')
    const { data } = (await api.get('/v1/organization-members?limit=100', { key: sales })).body
    expect(data.map(({ name }) => name)).toContain('Maya Okafor')
    const theirs = (await api.get('/v1/organization-members?limit=100', rival())).body.data
    expect(theirs.map(({ name }) => name)).not.toContain('Maya Okafor')
  })
})
