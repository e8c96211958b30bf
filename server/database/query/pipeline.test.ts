import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import pg from 'pg'
import { expect, it } from 'vitest'
import { urlOf, useApi } from '../../test/harness.ts'
import { citus } from '../citus/citus.ts'
import { openPipeline } from './pipeline.ts'

const api = useApi()

/** A pooler in front of PostgreSQL that drops all settings of the startup message except user and database. */
async function startPooler(client: pg.Client): Promise<Server> {
  const { host, port } = client
  const pooler = createServer((socket) => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const each of [socket, upstream]) each.on('error', () => undefined)
    socket.once('data', (start: Buffer) => {
      upstream.write(withoutSettings(start))
      socket.pipe(upstream)
    })
    upstream.pipe(socket)
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  return pooler
}

/** The startup message: its length, the protocol version, and names and values, each terminated by a zero byte. */
function withoutSettings(start: Buffer): Buffer {
  const fields = start.toString('utf8', 8).split('\0')
  const kept: string[] = []
  for (let at = 0; fields[at]; at += 2) {
    if (fields[at] === 'user' || fields[at] === 'database') kept.push(fields[at]!, fields[at + 1]!)
  }
  const body = Buffer.from(`${kept.join('\0')}\0\0`)
  const head = Buffer.from(start.subarray(0, 8))
  head.writeInt32BE(8 + body.length)
  return Buffer.concat([head, body])
}

it('limits the duration of reads even behind a pooler that drops startup settings', async () => {
  const direct = new pg.Client({ connectionString: await urlOf(api) })
  const pooler = await startPooler(direct)
  const { port } = pooler.address() as AddressInfo
  const { user, database } = direct
  const config = { user, database, password: direct.password ?? '', host: '127.0.0.1', port }
  const limitOf = async (prepared: boolean) => {
    const pipeline = openPipeline(config, { prepared, limit: 1234 })
    const { rows } = await pipeline.query({ text: 'show statement_timeout', scope: '-' })
    await pipeline.end()
    return rows[0].statement_timeout
  }
  expect(await limitOf(true)).toBe('1234ms')
  // A pooled session changes its client, so each read sets its limit.
  expect(await limitOf(false)).toBe('1234ms')
  pooler.close()
})

it('sends a sync after each read of a distributed database, to protect its commit', async () => {
  const config = { connectionString: await urlOf(api) }
  const pipeline = openPipeline(config, { prepared: false, distribution: citus, is_set_up: true, limit: 0 })
  const alone = await pipeline.query({ text: 'select 1 as one', scope: '-' })
  expect(alone.rows).toEqual([{ one: 1 }])
  // A query without its own sync could contain several statements.
  await expect(pipeline.query({ text: 'select 1; select 2', scope: '-' })).rejects.toThrow('multiple commands')
  await pipeline.end()
})
