import pg from 'pg'
import { makeCopies, copyTables } from './copy.ts'
import { line, ratios, secondsOf } from './figures.ts'
import { awaitMembers, call, createGroup, newMembers, submitMembers } from './partner.ts'
import { sized } from './sizes.ts'
import { later, startService, type Options, type Service } from './stage.ts'

const row_count = sized(10_000, 40)

/** Where a sync puts the members of a group, and how to find them there. */
const tables = {
  members: 'id in (select member_id from group_members where group_id = $1)',
  group_members: 'group_id = $1',
}

/**
 * Rows per second of a sync of 10,000 new members from the request to the last row, beside `copy` of the same rows in
 * one transaction into copies of the tables with the same indexes and checks, but foreign keys. Then the same members
 * again with every tenth of them and three rows bad, and an empty list, which removes them all.
 */
export async function groups({ rounds }: Options): Promise<void> {
  const service = await startService()
  const client = new pg.Client({ connectionString: service.database_url })
  await client.connect()
  later(() => client.end())
  await makeCopies(client, Object.keys(tables))

  await measure(service, client)
  const figures: Figures[] = []
  for (let round = 0; round < rounds; round++) figures.push(await measure(service, client))
  const seconds = (name: keyof Figures) => figures.map((figure) => figure[name])
  const rates = (name: keyof Figures) => seconds(name).map((value) => row_count / value)
  console.log(line('accepted in', seconds('accepted'), 'seconds'))
  console.log(line('added', rates('added'), 'rows/s'))
  console.log(line('copy', rates('copied'), 'rows/s'))
  console.log(line('ratio', ratios(rates('added'), rates('copied'))))
  console.log(line('changed', rates('changed'), 'rows/s'))
  console.log(line('emptied in', seconds('emptied'), 'seconds'))
}

/** In seconds, from the request to its answer and to the last row. */
type Figures = { accepted: number; added: number; copied: number; changed: number; emptied: number }

async function measure(service: Service, client: pg.Client): Promise<Figures> {
  const group_id = await createGroup(service)
  const [plan] = await call<{ id: string }[]>(service, 'GET', '/v1/plans?limit=1')
  const members = newMembers(row_count, plan!.id)
  let accepted = 0
  const added = await secondsOf(async () => {
    let request_id = ''
    accepted = await secondsOf(async () => ({ request_id } = await submitMembers(service, group_id, members)))
    await awaitMembers(service, group_id, request_id, [row_count, 0, 0])
  })
  const copied = await copyTables(client, tables, group_id)
  const changed = members.map((row, at) => ({
    ...row,
    ...(at % 10 === 0 && { last_name: `${row.last_name} Changed` }),
    ...([1, row_count / 2 + 1, row_count - 1].includes(at) && { plan_id: 'none' }),
  }))
  const sync = (rows: typeof members, counts: number[]) =>
    secondsOf(async () => {
      const { request_id } = await submitMembers(service, group_id, rows)
      await awaitMembers(service, group_id, request_id, counts)
    })
  return {
    accepted,
    added,
    copied,
    changed: await sync(changed, [0, 0, 3]),
    emptied: await sync([], [0, row_count, 0]),
  }
}
