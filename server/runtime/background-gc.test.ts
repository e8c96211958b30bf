import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'

const program = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { getPriority } from 'node:os'
  import { collectBehindOthers } from '${new URL('./background-gc.ts', import.meta.url).href}'
  collectBehindOthers()
  const nameOf = (id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim()
  const threads = readdirSync('/proc/self/task').map((id) => [nameOf(id), getPriority(Number(id)) - getPriority()])
  console.log(JSON.stringify(threads.filter(([name]) => /V8Worker|MainThread/.test(name))))`

test.runIf(process.platform === 'linux')('The helpers that collect garbage stand behind the event loop.', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  const threads = JSON.parse(told) as [name: string, behind: number][]
  const helpers = threads.filter(([name]) => name.includes('V8Worker'))
  expect(helpers.length).toBeGreaterThan(0)
  expect(helpers.map(([, behind]) => behind)).toEqual(helpers.map(() => Math.min(10, 19 - getPriority())))
  expect(threads.filter(([name]) => name.includes('MainThread'))).toEqual([[expect.any(String), 0]])
})

const with_one_that_ended = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { readdirSync } = fs
  fs.readdirSync = (...asked) => ['999999999', ...readdirSync(...asked)]
  syncBuiltinESMExports()
  const { collectBehindOthers } = await import('${new URL('./background-gc.ts', import.meta.url).href}')
  collectBehindOthers()
  console.log('started')`

test.runIf(process.platform === 'linux')(
  'A thread that ends while threads are looked at keeps nobody from starting.',
  () => {
    const told = execFileSync(process.execPath, ['--input-type=module', '--eval', with_one_that_ended], {
      encoding: 'utf8',
    })
    expect(told).toBe('started\n')
  },
)
