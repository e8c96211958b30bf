import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build } from '../tools/build.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'openbenefits-published-'))
const dist = join(folder, 'node_modules/openbenefits')
afterAll(() => rmSync(folder, { recursive: true }))
beforeAll(() => build(dist))

const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, APPDATA: folder }

it('is published with the SDK, needs no other package, and prints its help outside the repository', async () => {
  const { bin, dependencies, exports } = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'))
  expect([bin, dependencies]).toEqual([{ openbenefits: 'bin/openbenefits.js' }, undefined])
  expect(exports['.'].default).toBe('./index.js')
  const openbenefits = (...args: string[]) =>
    run(process.execPath, [join(dist, bin.openbenefits), ...args], { cwd: folder, env })
  const { stdout } = await openbenefits('--help')
  for (const command of ['login', 'employers', 'employees', 'events', 'listen', 'trigger', 'mcp'])
    expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
  expect(stdout).toContain('Exit codes:')
  expect(stdout).not.toContain('owner')
  await expect(openbenefits('employers')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('openbenefits login'),
  })
  const served = openbenefits('mcp', '--profile', 'none')
  await expect(served).rejects.toMatchObject({ code: 2 })
})

it('has the operator commands in the repository', async () => {
  const here = join(import.meta.dirname, '../openbenefits.js')
  const { stdout } = await run(process.execPath, [here, '--help'], { env })
  for (const command of ['login', 'listen', 'audit', 'owner']) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
  const { stdout: help } = await run(process.execPath, [here, 'audit', 'verify', '--help'], { env })
  expect(help).toContain('--seal')
})
