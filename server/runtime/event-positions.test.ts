import { expect, it } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { createOrganization } from '../test/fixtures.ts'
import { useApi } from '../test/harness.ts'
import { numberEvents } from './event-positions.ts'

const api = useApi()

it('numbers no event before an earlier one of its resource, even with more events than a batch', async () => {
  const { id: organization_id } = await createOrganization(api)
  const insert = (resource_id: string, sequence: number, created_at: string, count = 1) =>
    api.database.pool.query(
      `insert into webhook_events (id, organization_id, event_name, resource_type, resource_id, sequence, created_at,
                                   employer_id)
       select new_id('wevt'), $1, 'employee.updated', 'employee', case when number = 1 then $2 else new_id('empl') end,
              $3, $4, ''
         from generate_series(1, $5::int) as number`,
      [organization_id, resource_id, sequence, created_at, count],
    )
  const employee_id = newId('empl')
  await insert(newId('empl'), 1, '2026-03-01', 3000)
  // The clock of the process that wrote the first event was ahead.
  await insert(employee_id, 1, '2026-03-03')
  await insert(employee_id, 2, '2026-02-28')
  await numberEvents(api.runtime.database, [organization_id])
  const { rows } = await api.database.pool.query<{ position: string; resource_id: string; sequence: string }>(
    'select position, resource_id, sequence from webhook_events where organization_id = $1 order by position',
    [organization_id],
  )
  expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, at) => at + 1))
  const of_employee = rows.filter(({ resource_id }) => resource_id === employee_id)
  expect(of_employee.map(({ sequence }) => Number(sequence))).toEqual([1, 2])
})
