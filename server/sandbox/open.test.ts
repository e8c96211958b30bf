import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { greeting } from './open.ts'
import { readConfig } from '../kernel/config.ts'

const config = readConfig({ DATA_DIR: '.data' })
const api_key = 'obk_test_0uGdIPqaGBKiBTAZnsIlqi7Hf238vNPZo3pyKps'
const address = 'http://127.0.0.1:8080'
const sign_in_url = `${address}/sign-in`
const sandbox = { api_key, sign_in_url }

it('shows the key of a sandbox on a terminal, as in the README', () => {
  const lines = greeting(address, config, sandbox, true).join('\n').replace(config.DATA_DIR, '.data')
  expect(readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')).toContain(`\n${lines}\n`)
})

it('shows the location of the key instead of the key in a log', () => {
  const lines = greeting(address, config, sandbox, false).join('\n')
  expect(lines).not.toContain(api_key)
  expect(lines).toContain(`  API key  in ${config.DATA_DIR}/sandbox.json\n`)
  expect(lines).toMatch(/ {2}try {6}curl -s http:\S+\/v1\/employers /)
})

it('shows no key in live mode', () => {
  expect(greeting(address, config, undefined, true)).toEqual([
    `OpenBenefits is ready on ${address}`,
    `  docs     ${address}/docs`,
  ])
})
