import pg from 'pg'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, inject, it } from 'vitest'
import { openLog } from './log.ts'

it('logs no stored or sent values of PostgreSQL errors', async () => {
  const client = new pg.Client({ connectionString: inject('maintenance_url') })
  await client.connect()
  await client.query('create temporary table people (email text unique, born date)')
  await client.query(`insert into people values ('ada@example.com')`)
  const doubled = await client.query(`insert into people values ('ada@example.com')`).catch((error) => error)
  const odd = await client.query(`insert into people (born) values ('ada-was-born')`).catch((error) => error)
  await client.end()

  let written = ''
  const stream = new Writable({ write: (chunk, _, done) => ((written += chunk), done()) })
  const { err } = openLog('silent')[pino.symbols.serializersSym as never] as { err: (error: Error) => object }
  const log = pino({ serializers: { err } }, stream)
  log.error({ err: doubled }, 'refused')
  log.error({ err: odd }, 'refused')
  expect(written).toContain('"code":"23505"')
  expect(written).toContain('people_email_key')
  expect(written).not.toMatch(/ada@example|ada-was/)
})
