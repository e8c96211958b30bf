import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { greeting } from './open.ts'
import { readConfig } from '../kernel/config.ts'
import { useApi } from '../test/harness.ts'
import { only, pick, sure } from '../test/pick.ts'

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

/** On the usual day, with the sandbox's sample wages and lowest-cost silver premiums. */
const api = useApi({ with_story: 'usual_day' })

async function yearsOf(name: string) {
  const employer = only((await api.get(`/v1/employers?search=${encodeURIComponent(name)}`)).body.data)
  const years = (await api.get(`/v1/employers/${employer.id}/benefit-plan-years`)).body.data
  return { employer_id: employer.id, years }
}

it('shows whether an ICHRA is affordable to each employee', async () => {
  const { employer_id, years } = await yearsOf('Granite Freight')
  expect(years).toHaveLength(2)
  for (const { id } of years) {
    const path = `/v1/employers/${employer_id}/benefit-plan-years/${id}/enrollments` as const
    const rows = (await api.get(path)).body.data.filter(({ missing_figures }) => missing_figures)
    expect(rows.flatMap((row) => row.missing_figures)).toEqual([])
    expect(Object.fromEntries(rows.map((row) => [row.member_first_name, row.affordability]))).toEqual({
      Owen: 'Affordable',
      Priya: 'Affordable',
      Quinn: 'Not Affordable',
      Noor: 'Affordable',
    })
  }
})

it('shows whether plans of minimum value are affordable in the preview of the next plan year', async () => {
  const { years } = await yearsOf('Maple Row Clinic')
  const path = `/operator/v1/benefit-plan-years/${only(years).id}/copy` as const
  const { preview } = (await api.post(path, { dry_run: true }, { key: api.operator_key })).body
  const judged = sure(preview).data.filter(({ missing_figures }) => missing_figures)
  for (const name of ['Rosa', 'Samir'])
    expect(pick(judged, (row) => row.member_first_name === name)).toMatchObject({
      affordability: { verdict: 'Affordable' },
      missing_figures: [],
    })
})
