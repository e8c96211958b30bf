/**
 * The control for the reads of the service: Node's `http` with the same number of pipelined connections. It
 * authenticates and authorizes nothing, and runs one prepared statement per request: the same text and parameters as
 * the service. The difference is the overhead of the service.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { findEmployee, listEmployees } from '../../modules/roster/employees/queries.ts'
import { EmployeeFilter } from '../../modules/roster/employees/schemas.ts'
import { PageAnchors } from '../../database/sql/page-anchors.ts'
import { default_read_connections } from '../../database/query/open-database.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { easternDay } from '../../kernel/days.ts'

/** Stands for the id in the path: `/v1/employees/{id}` or `/v1/employers/{id}/employees`. */
const requested_for = 'the id in the path'

type Statement = { name: string; text: string; values: unknown[] }

/** The statement of a query, captured with a database that records it without running it. */
async function statementOf(name: string, read: (ctx: Ctx) => Promise<unknown>): Promise<Statement> {
  let statement: Statement | undefined
  const note = async (text: string, values: unknown[] = []) => void (statement = { name, text, values })
  const db = { json: note, row: note } as unknown as Ctx['db']
  const caller = serviceCaller(process.env.ORGANIZATION_ID!)
  await read({ db, caller, today: easternDay(Date.now()), page_anchors: new PageAnchors() } as Ctx)
  return statement!
}

const one = await statementOf('one', (ctx) => findEmployee(ctx, { employee_id: requested_for }))
const list = await statementOf('list', (ctx) => listEmployees(ctx, requested_for, EmployeeFilter.parse({})))
const clients = await Promise.all(Array.from({ length: default_read_connections }, connect))
let turn = 0

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL, pipeline: true })
  await client.connect()
  // The same setting as in the service, so that both use the same plans.
  await client.query('set plan_cache_mode = force_generic_plan')
  return client
}

async function jsonOf(statement: Statement, id: string): Promise<string> {
  const { rows } = await clients[turn++ % clients.length]!.query<{ json: string }>({
    ...statement,
    values: statement.values.with(statement.values.indexOf(requested_for), id),
  })
  return rows[0]!.json
}

const server = createServer(async (request, response) => {
  const [, , resource, id = ''] = request.url!.split('/')
  const body = resource === 'employees' ? `{"data":${await jsonOf(one, id)}}\n` : `${await jsonOf(list, id)}\n`
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body)
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
