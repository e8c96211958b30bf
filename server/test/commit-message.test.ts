import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const hook = join(import.meta.dirname, '../../.githooks/commit-msg')

function check(subject: string): { status: number | null; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-commit-'))
  const file = join(folder, 'message')
  writeFileSync(file, `${subject}\n\nThe reason.\n`)
  const { status, stderr } = spawnSync('sh', [hook, file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return { status, stderr }
}

it.each([
  'Fix duplicate deduction after a rehire',
  `Add ${'x'.repeat(68)}`,
  'Merge branch main of a clone whose name is very long, longer than any subject may be in this repository',
])('the commit hook accepts the subject: %s', (subject) => expect(check(subject)).toEqual({ status: 0, stderr: '' }))

it.each([
  ['Say plainly until when a child is added', 'The subject begins with "Say"'],
  ['Leave closed months taxed as they were', 'The subject begins with "Leave"'],
  [`Add ${'x'.repeat(69)}`, 'The subject has 73 characters. The limit is 72.'],
])('the commit hook refuses the subject: %s', (subject, reason) => {
  const { status, stderr } = check(subject)
  expect(status).toBe(1)
  expect(stderr).toContain(reason)
})
