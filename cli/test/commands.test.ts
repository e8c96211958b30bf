import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../server/test/cast.ts'
import { useApi } from '../../server/test/harness.ts'
import { command, useSettings } from './command.ts'

const api = useApi()
const env = useSettings()
const read = async (line: string) => {
  const { code, out, err } = await command(`${line} --json`, env)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

it('a partner logs in, reads their book, their people and what happened, and logs out', async () => {
  const before = await command('employers', env)
  expect(before).toMatchObject({ code: 2, out: '' })
  expect(before.err).toContain('openbenefits login')

  const login = await command(`login --url ${api.url}/`, env, `${api.story.api_key}\n`)
  expect(login).toMatchObject({ code: 0, err: '' })
  expect(login.out).toContain('Harbor Benefits')
  expect(login.out).not.toContain(api.story.api_key)
  const file = join(env.XDG_CONFIG_HOME!, 'openbenefits/profiles.json')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)

  const { credential, from } = await read('whoami')
  expect([from, credential.organization.id]).toEqual(['profile default', api.story.organization_id])

  const employer_id = await createEmployer(api, { name: 'Blue Heron Coffee' })
  const { id: employee_id } = await createEmployee(api, employer_id, {
    first_name: 'Grace',
    employee_class: 'Full Time',
  })
  const book = await command('employers --search heron', env)
  expect(book.out).toMatch(/^id +name +stage/)
  expect(book.out).toMatch(new RegExp(`^${employer_id} +Blue Heron Coffee `, 'm'))
  expect(await read(`employers get ${employer_id}`)).toMatchObject({ id: employer_id, name: 'Blue Heron Coffee' })
  const people = await command(`employees ${employer_id}`, env)
  expect(people.out).toMatch(new RegExp(`^${employee_id} +Grace .* active +Full Time`, 'm'))
  expect(await read(`employees get ${employee_id}`)).toMatchObject({ first_name: 'Grace' })
  const why = await command(`employees explain ${employee_id} --as-of 2026-03-10`, env)
  expect(why.out).toMatch(/^as of +2026-03-10$/m)
  expect(why.out).toMatch(/^why +\S/m)
  const events = await read(`events --resource ${employee_id}`)
  expect(events.data.map((event: { event_name: string }) => event.event_name)).toContain('employee.created')
  expect(await read(`events get ${events.data[0].id}`)).toEqual(events.data[0])
  expect(people.out + why.out + book.out).not.toContain('\u001B')

  expect(await command('logout', env)).toMatchObject({ code: 0 })
  expect(await command('whoami', env)).toMatchObject({ code: 2 })
})

it('lists go on over pages up to their limit, and tell how many there are', async () => {
  const employer_id = await createEmployer(api)
  const row = (at: number) => ({ email: `p${at}@pages.example`, reference_id: `P-${at}` })
  for (let at = 0; at < 3; at++) await createEmployee(api, employer_id, row(at))
  const own = { ...env, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key }
  const two = await command(`employees ${employer_id} --limit 2`, own)
  expect(two.out.trim().split('\n')).toHaveLength(4)
  expect(two.out).toContain('2 of 3: more with --limit.')
  const all = JSON.parse((await command('employers --limit 150 --include-cancelled --json', own)).out)
  expect(all.data.length).toBe(all.total)
})

it('what is refused is said field by field with the trace id, and how it ended by the exit code', async () => {
  const own = { ...env, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key }
  const wrong = await command('events --since yesterday', own)
  expect(wrong).toMatchObject({ code: 3, out: '' })
  expect(wrong.err).toMatch(/^error: created_after: .+\n[^]*code: invalid_request\nmore: http.+\ntrace_id: \S+\n$/)
  const told = await command('events --since yesterday --json', own)
  expect(JSON.parse(told.err).error).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(await command('employers get empr_01kdq7b4w8e9rs2mh3n5t6v702', own)).toMatchObject({ code: 3 })
  expect(await command('employers', { ...own, OPENBENEFITS_API_KEY: 'nonsense' })).toMatchObject({ code: 4 })
  expect(await command('employers --limit none', own)).toMatchObject({ code: 2 })
  expect(await command('nothing', own)).toMatchObject({ code: 2 })
  expect(await command('employers --help', own)).toMatchObject({ code: 0, err: '' })
})

it('a key goes nowhere but to the service that it was kept for', async () => {
  for (const name of ['here', 'there']) {
    const made = await command(`login --url ${api.url} --profile ${name}`, env, api.story.api_key)
    expect(made.code).toBe(0)
  }
  const elsewhere = await command('employers --url http://127.0.0.1:1', env)
  expect(elsewhere).toMatchObject({ code: 2 })
  expect(elsewhere.err).toContain('api_key: a key for this address is missing')
  expect(await command('employers --profile here --url http://127.0.0.1:1', env)).toMatchObject({ code: 2 })

  const list = await read('profiles')
  expect([list.current, list.data.length]).toEqual(['there', 2])
  expect(JSON.stringify(list)).not.toContain(api.story.api_key)
  await command('profiles use here', env)
  expect((await read('whoami')).from).toBe('profile here')
  expect(await command('profiles use nowhere', env)).toMatchObject({ code: 2 })

  const wrong = await command(`login --url ${api.url} --profile wrong`, env, 'nonsense')
  expect(wrong).toMatchObject({ code: 4 })
  expect((await read('profiles')).data).toHaveLength(2)
  if (process.platform !== 'win32') {
    const file = join(env.XDG_CONFIG_HOME!, 'openbenefits/profiles.json')
    chmodSync(file, 0o644)
    expect((await command('whoami', env)).err).toContain('may be read by others')
    chmodSync(file, 0o600)
  }
  expect(await command('logout --all', env)).toMatchObject({ code: 0 })
})
