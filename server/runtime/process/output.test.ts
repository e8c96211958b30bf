import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { lineWriter } from './output.ts'

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
  // Standard output stays usable after an error, unlike other streams.
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
