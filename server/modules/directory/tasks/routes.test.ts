import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../modules.ts'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { closeTasks, openTasks } from './actions.ts'
import type { NewTask } from './queries.ts'
import { actions, type TaskKind } from './rules.ts'

const api = useApi()

let organization_id: string
let employer_id: string
beforeAll(async () => {
  organization_id = api.story.organization_id
  employer_id = await createEmployer(api)
})

const kind: TaskKind = 'enrollment_lapsing'
const numbered = (number: number) => `enrl_01kdq7b4w8e9rs2mh3n5t6v7${String(number).padStart(2, '0')}`
const aTask = (number: number, input: Partial<NewTask> = {}): NewTask => ({
  kind,
  organization_id,
  employer_id,
  resource_id: numbered(number),
  details: { coverage_start: '2027-01-01' },
  ...input,
})
const open = (...tasks: NewTask[]) => api.act((ctx) => openTasks(ctx, tasks))
const close = (...numbers: number[]) =>
  api.act((ctx) => closeTasks(ctx, { organization_id, kinds: [kind] }, numbers.map(numbered)))
const requested = (query: string) => api.get(`/operator/v1/tasks?${query}`, { key: api.operator_key })
const list = async (query = `employer_id=${employer_id}`) => (await requested(query)).body
const numbersOf = ({ data }: { data: { resource_id: string }[] }) =>
  data.map(({ resource_id }) => Number(resource_id.slice(-2)))

describe('operator_list_tasks', () => {
  it('lists open tasks, each with the operation that completes it', async () => {
    await open(aTask(1))
    const { name: employer_name } = (await api.get(`/v1/employers/${employer_id}`)).body.data
    expect(await list()).toEqual({
      data: [
        {
          id: expect.stringMatching(/^task_/),
          kind,
          organization_id,
          organization_name: 'Harbor Benefits',
          employer_id,
          employer_name,
          person_name: null,
          resource_id: numbered(1),
          details: { coverage_start: '2027-01-01' },
          opened_at: '2026-03-10T16:00:00.000Z',
          action: {
            operation: 'operator_correct_enrollment',
            method: 'POST',
            path: `/operator/v1/enrollments/${numbered(1)}/corrections`,
          },
        },
      ],
      pagination: { limit: 20, page: 1, total: 1, total_pages: 1 },
    })
  })

  it('names the person that a task concerns, by its resource or its details', async () => {
    const { id } = await createEmployee(api, employer_id, { first_name: 'Ada', last_name: 'Moss' })
    const details = { employee_id: id }
    await open(aTask(2, { details }), aTask(3, { kind: 'reinstatement_too_old', resource_id: id }))
    const named = (await list()).data.filter(({ person_name }) => person_name === 'Ada Moss')
    expect(named.map(({ resource_id }) => resource_id).toSorted()).toEqual([id, numbered(2)].toSorted())
    await close(2)
    await api.act((ctx) => closeTasks(ctx, { organization_id, kinds: ['reinstatement_too_old'] }, [id]))
  })

  it('opens a task once, and updates its details if it is opened again', async () => {
    const before = first((await list()).data)
    api.wait(60_000)
    await open(aTask(1), aTask(1, { details: { coverage_start: '2027-02-01' } }))
    expect((await list()).data).toEqual([{ ...before, details: { coverage_start: '2027-02-01' } }])
  })

  it('removes completed tasks, and opens them again if they recur', async () => {
    const before = first((await list()).data)
    await close(1, 9)
    expect((await list()).data).toEqual([])
    await open(aTask(1))
    const again = first((await list()).data)
    expect(again).toMatchObject({ resource_id: numbered(1) })
    expect(again.id).not.toBe(before.id)
  })

  it('closes only the requested tasks', async () => {
    await open(aTask(1), aTask(2), aTask(3))
    await close(2)
    expect(numbersOf(await list())).toEqual([1, 3])
    await api.act((ctx) =>
      closeTasks(ctx, { organization_id: api.story.rival_organization_id, kinds: [kind] }, [numbered(1)]),
    )
    expect(numbersOf(await list())).toEqual([1, 3])
  })

  it('lists oldest first, and pages skip no task while others are closed', async () => {
    for (const number of [4, 5, 6]) {
      api.wait(1000)
      await open(aTask(number))
    }
    const page = (number: number) => list(`employer_id=${employer_id}&limit=2&page=${number}`)
    expect(numbersOf(await page(1))).toEqual([1, 3])
    await close(1, 3)
    expect(numbersOf(await page(2))).toEqual([4, 5])
    expect((await page(3)).pagination).toMatchObject({ page: 3, total: 3 })
  })

  it('filters by kind, organization and employer', async () => {
    const other = await createEmployer(api, {}, { key: api.story.rival_api_key })
    const rival = { organization_id: api.story.rival_organization_id }
    await open(aTask(7, { ...rival, employer_id: other }), aTask(8, { ...rival, employer_id: null }))
    expect(numbersOf(await list(`organization_id=${rival.organization_id}&kind=${kind}`))).toEqual([7, 8])
    expect(numbersOf(await list(`employer_id=${other}&organization_id=${rival.organization_id}`))).toEqual([7])
    expect(numbersOf(await list(`employer_id=${other}&organization_id=${organization_id}`))).toEqual([])
    expect(numbersOf(await list(`kind=${kind}`))).toEqual(expect.arrayContaining([4, 7, 8]))
  })

  it.each([
    ['kind=unknown', 'kind'],
    ['organization_id=x', 'organization_id'],
    ['employer_id=x', 'employer_id'],
  ])('refuses %s and names the field', async (query, field) => {
    const { error } = await requested(query)
    expect([error.code, error.details[0]?.field]).toEqual(['invalid_request', field])
  })
})

describe('the operation of each kind', () => {
  it.each(Object.entries(actions))(
    'that completes %s is an operation of the operator',
    (_, { operation, method, path }) => {
      const found = endpoints.find((endpoint) => endpoint.operation === operation)
      expect(found?.allows).toContain('operator')
      expect([found?.method, found?.path.replaceAll(/\{\w+\}/g, '{}')]).toEqual([
        method,
        path.replaceAll(/\{\w+\}/g, '{}'),
      ])
    },
  )
})
