import { Writable } from 'node:stream'
import { expect, it, inject, describe } from 'vitest'
import { lineWriter } from './output.ts'
import pg from 'pg'
import { pino } from 'pino'
import { openLog } from './log.ts'

/** A stream whose writes fail, wait or succeed depending on `state` at the time of the write. */
function aStream() {
  const stream = {
    state: 'open' as 'open' | 'full' | 'slow',
    written: '',
    proceed: () => undefined as void,
  }
  const writable = new Writable({
    autoDestroy: false,
    write(chunk, _, done) {
      if (stream.state === 'full') return done(new Error('ENOSPC'))
      stream.written += chunk
      if (stream.state === 'slow') stream.proceed = done
      else done()
    },
  })
  // Unlike other streams, standard output remains usable after an error.
  writable.on('error', () =>
    Object.assign((writable as never)['_writableState'], { errored: null, errorEmitted: false }),
  )
  return Object.assign(stream, { writable })
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('reports how many lines were lost before the next line that can be written', async () => {
  const stream = aStream()
  const { write } = lineWriter(stream.writable, () => 7)
  write('before\n')
  stream.state = 'full'
  for (const line of ['one\n', 'two\n', 'three\n']) {
    write(line)
    await settled()
  }
  stream.state = 'open'
  write('after\n')
  write('and on\n')
  await settled()
  const notice = '{"level":40,"time":7,"lost":3,"msg":"log lines could not be written"}'
  expect(stream.written).toBe(`before\n\n${notice}\nafter\nand on\n`)
})

it('drops lines for a reader that is too slow instead of keeping them all in memory', async () => {
  const stream = aStream()
  const { write } = lineWriter(stream.writable)
  stream.state = 'slow'
  const line = `${'x'.repeat(1_000_000)}\n`
  for (let i = 0; i < 100; i++) write(line)
  expect(stream.writable.writableLength).toBeLessThan(20_000_000)
  stream.state = 'open'
  stream.proceed()
  write('after\n')
  await settled()
  expect(stream.written).toMatch(/"lost":8\d,.*\nafter\n$/)
})

describe('the log', () => {
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
})
