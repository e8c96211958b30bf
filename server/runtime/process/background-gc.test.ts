import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'

const program = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { getPriority } from 'node:os'
  import { lowerGcPriority } from '${new URL('./background-gc.ts', import.meta.url).href}'
  lowerGcPriority()
  const nameOf = (id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim()
  const threads = readdirSync('/proc/self/task').map((id) => [nameOf(id), getPriority(Number(id)) - getPriority()])
  console.log(JSON.stringify(threads.filter(([name]) => /V8Worker|MainThread/.test(name))))`

test.runIf(process.platform === 'linux')('runs garbage collection helpers with a lower priority', () => {
  const reported = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  const threads = JSON.parse(reported) as [name: string, behind: number][]
  const helpers = threads.filter(([name]) => name.includes('V8Worker'))
  expect(helpers.length).toBeGreaterThan(0)
  expect(helpers.map(([, behind]) => behind)).toEqual(helpers.map(() => Math.min(10, 19 - getPriority())))
  // A thread that just started still has the name of the main thread.
  const main = threads.filter(([name]) => name.includes('MainThread'))
  expect(new Set(main.map(([, behind]) => behind))).toEqual(new Set([0]))
})

const with_one_that_ended = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { readdirSync } = fs
  fs.readdirSync = (...args) => ['999999999', ...readdirSync(...args)]
  syncBuiltinESMExports()
  const { lowerGcPriority } = await import('${new URL('./background-gc.ts', import.meta.url).href}')
  lowerGcPriority()
  console.log('started')`

test.runIf(process.platform === 'linux')('starts although a thread ends during the setup', () => {
  const reported = execFileSync(process.execPath, ['--input-type=module', '--eval', with_one_that_ended], {
    encoding: 'utf8',
  })
  expect(reported).toBe('started\n')
})
