import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../server/modules.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../server/test/fixtures.ts'
import { openReceiver } from '../../server/test/fakes/receiver.ts'
import { useApi } from '../../server/test/harness.ts'
import { pick } from '../../server/test/pick.ts'
import { blocksIn, readDocument } from '../../server/test/guides/code-blocks.ts'
import { command, startWith, useSettings, type Ended } from './command.ts'

const api = useApi()
const env = useSettings()
const read = async (line: string) => {
  const { code, out, err } = await command(`${line} --json`, env)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

it('logs in, reads employers, people and events, and logs out', async () => {
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
  expect(await read(`employers setup ${employer_id}`)).toMatchObject({ done_count: expect.any(Number), step_count: 8 })
  expect(await read(`employers get ${employer_id}`)).toMatchObject({ id: employer_id, name: 'Blue Heron Coffee' })
  const guide = join(env.XDG_CONFIG_HOME!, 'guide.pdf')
  writeFileSync(guide, '%PDF-1.7')
  const added = await command(`documents add ${guide} --title Guide --kind guide --employer ${employer_id}`, env)
  expect(added.out).toMatch(/^Added doc_\w+\.$/m)
  expect((await read(`documents --employer ${employer_id} --status current`)).total).toBe(1)
  expect((await read(`tasks --employer ${employer_id} --kind renewal_due`)).total).toBe(0)
  expect((await read(`activity --employer ${employer_id}`)).total).toBeGreaterThan(0)
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

it('shows drafts, publishes agreements and designates beneficiaries', async () => {
  const catalog = await importCatalog(api)
  const employer_id = await createEmployer(api)
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await openPlanYear(api, employer_id, catalog)
  await api.work()
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  await command(`login --url ${api.url}/`, env, `${api.story.api_key}\n`)
  const { benefit_id } = catalog.dental
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  const dental = pick(data, ({ benefit }) => benefit.id === benefit_id)
  expect(await command(`drafts ${id}`, env)).toMatchObject({ code: 0, out: 'No draft.\n' })
  const draft = { dependent_ids: [], answers: [{ enrollment_id: dental.id, waive: {} }] }
  await api.put(`/v1/employees/${id}/enrollment-draft`, draft)
  expect((await command(`drafts ${id}`, env)).out).toMatch(new RegExp(`^${dental.id} +waive`, 'm'))
  expect(await command(`drafts discard ${id}`, env)).toMatchObject({ code: 0, out: 'Discarded.\n' })

  const file = (name: string, text: string) => {
    const path = join(env.XDG_CONFIG_HOME!, name)
    writeFileSync(path, text)
    return path
  }
  const [en, es] = [file('en.txt', 'I agree.'), file('es.txt', 'Acepto.')]
  expect((await command(`agreements create --en ${en} --es ${es}`, env)).out).toMatch(/^Published version 1 \(eagr_/)
  expect((await command('agreements', env)).out).toContain('I agree.')
  expect(await command(`agreements create --en ${en} --es missing.txt`, env)).toMatchObject({ code: 2 })

  const product = `/operator/v1/organizations/${api.story.organization_id}/benefits/${benefit_id}` as const
  await api.patch(product, { takes_beneficiaries: true }, { key: api.operator_key })
  const sam = { level: 'primary', type: 'person', name: 'Sam Costa', relationship: 'spouse', share_percentage: 100 }
  const named = file('beneficiaries.json', JSON.stringify({ beneficiaries: [sam] }))
  const set = await command(`beneficiaries set ${id} ${benefit_id} ${named}`, env)
  expect(set).toMatchObject({ code: 0, out: 'Designated 1 for Dental.\n' })
  expect((await command(`beneficiaries ${id}`, env)).out).toMatch(/^Dental +primary +person +Sam Costa +spouse +100%$/m)
  const half = file('half.json', JSON.stringify({ beneficiaries: [{ ...sam, share_percentage: 50 }] }))
  expect((await command(`beneficiaries set ${id} ${benefit_id} ${half}`, env)).err).toContain('100 percent')
  await command('logout', env)
})

it('previews reminders to enroll, and sends them to the selected employees', async () => {
  const employer_id = await createEmployer(api)
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
    classification: 'all',
    waiting_period: 'none',
  })
  await command(`login --url ${api.url}/`, env, `${api.story.api_key}\n`)
  const remind = (more: string) => command(`remind ${employer_id} ${more}`, env)
  expect(await remind('--dry-run')).toMatchObject({ code: 0, out: 'No enrollment window is open.\n' })
  await openPlanYear(api, employer_id, await importCatalog(api))
  await api.work()
  const { id } = await createEmployee(api, employer_id, { first_name: 'Nora', start_date: '2026-03-09' })
  await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  const planned = await remind('--dry-run')
  expect(planned.code).toBe(0)
  expect(planned.out).toMatch(/^reminders +2\nsent by +email\n\nReminder: choose your /)
  expect(await command(`remind ${employer_id}`, env)).toMatchObject({ code: 2 })
  const messages = async () => (await api.get(`/v1/employers/${employer_id}/enrollment-messages`)).body.data
  expect(await messages()).toEqual([])
  expect(await remind(`--employee ${id} --yes`)).toMatchObject({ code: 0, out: 'Reminders: 1.\n' })
  expect((await messages()).map(({ employee_id }) => employee_id)).toEqual([id])
  expect((await remind('--dry-run')).out).toMatch(/^reminders +1\nsent by +email\nmessaged_today +1\n/)
  await command('logout', env)
})

it('lists rows across pages up to the limit, and prints the total', async () => {
  const employer_id = await createEmployer(api)
  const row = (at: number) => ({ email: `p${at}@pages.example`, reference_id: `P-${at}` })
  for (let at = 0; at < 3; at++) await createEmployee(api, employer_id, row(at))
  const own = { ...env, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key }
  const two = await command(`employees ${employer_id} --limit 2`, own)
  expect(two.out.trim().split('\n')).toHaveLength(4)
  expect(two.out).toContain('2 of 3. Use --limit for more.')
  const all = JSON.parse((await command('employers --limit 150 --include-cancelled --json', own)).out)
  expect(all.data.length).toBe(all.total)
})

it('prints refusals by field with the trace id, and exits with the documented code', async () => {
  const own = { ...env, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key }
  const wrong = await command('events --since yesterday', own)
  expect(wrong).toMatchObject({ code: 3, out: '' })
  expect(wrong.err).toMatch(/^error: created_after: .+\n[^]*code: invalid_request\nmore: http.+\ntrace_id: \S+\n$/)
  const found = await command('events --since yesterday --json', own)
  expect(JSON.parse(found.err).error).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(await command('employers get empr_01kdq7b4w8e9rs2mh3n5t6v702', own)).toMatchObject({ code: 3 })
  expect(await command('employers', { ...own, OPENBENEFITS_API_KEY: 'nonsense' })).toMatchObject({ code: 4 })
  expect(await command('employers --limit none', own)).toMatchObject({ code: 2 })
  expect(await command('nothing', own)).toMatchObject({ code: 2 })
  expect(await command('employers --help', own)).toMatchObject({ code: 0, err: '' })
})

it('sends a key only to the service it was stored for', async () => {
  for (const name of ['here', 'there']) {
    const made = await command(`login --url ${api.url} --profile ${name}`, env, api.story.api_key)
    expect(made.code).toBe(0)
  }
  const elsewhere = await command('employers --url http://127.0.0.1:1', env)
  expect(elsewhere).toMatchObject({ code: 2 })
  expect(elsewhere.err).toContain('api_key: missing for this URL')
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
    expect((await command('whoami', env)).err).toContain('other users can read it')
    chmodSync(file, 0o600)
  }
  expect(await command('logout --all', env)).toMatchObject({ code: 0 })
})

/** A roster file with a number of people, in which every nth row has an error. */
function rosterOf(count: number, every: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const is_bad = at % every === every - 1
    const phone = `212555${String(1000 + at).slice(-4)}`
    const born = is_bad ? '13/45/1990' : ['3/9/1988', '03/09/88', '32211', '9-Mar-88'][at % 4]
    const employment = ['Full-time', 'full time', 'FT', 'F'][at % 4]
    return `Person${at},Roster,p${at}@roster.example,${phone},${born},1/5/2026,R-${at},${employment},"a note, quoted"`
  })
  return ['First,Last,Work mail,Mobile,DOB,Hire Date,Employee ID,Type,Notes', ...lines].join('\r\n')
}

it('plans and applies a roster file, and sends the corrected failures again', async () => {
  const own = { ...env, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key }
  const employer_id = await createEmployer(api)
  const [count, bad] = [Number(process.env.ROSTER ?? 400), Number(process.env.ROSTER ?? 400) / 125 + 0.8]
  const file = join(env.XDG_CONFIG_HOME!, 'roster.csv')
  writeFileSync(file, rosterOf(count, Math.floor(count / bad)))
  const failing = Math.floor(count / Math.floor(count / bad))
  const args = (action: string, path: string) => `census ${action} ${path} --employer ${employer_id}`

  const unnamed = await command(args('plan', file), own)
  expect(unnamed).toMatchObject({ code: 2, out: '' })
  expect(unnamed.err).toContain('map: no column for email. Use --map "email=…"')
  const run_of = (action: string, path: string, more: string[]) =>
    startWith([...args(action, path).split(' '), ...more], own)
  const mapped = ['--map', 'email=Work mail']

  const planned = await run_of('plan', file, mapped).ended
  expect([planned.code, planned.err]).toEqual([1, ''])
  expect(planned.out).toMatch(/^Work mail +email +p0@roster\.example$/m)
  expect(planned.out).toMatch(/^Notes +\(ignored\) +a note, quoted$/m)
  expect(planned.out).toContain(`${count} rows: ${count - failing} new, 0 changed`)
  expect(planned.out).toMatch(/^\d+ +R-\d+ +date_of_birth +must be a valid date/m)
  expect((await api.get(`/v1/employers/${employer_id}/employees`)).body.pagination.total).toBe(0)

  expect(await run_of('apply', file, mapped).ended).toMatchObject({ code: 2, out: '' })
  const applied = await working(run_of('apply', file, [...mapped, '--yes']).ended)
  expect([applied.code, applied.err]).toEqual([1, ''])
  expect(applied.out).toContain(`${count - failing} new`)
  const failures = /Failed rows are in (\S+)\. Correct/.exec(applied.out)![1]!
  const found = readFileSync(failures, 'utf8')
  expect(found.split('\n')[0]).toBe(
    'failed_row,failed_field,failed_reason,First,Last,Work mail,Mobile,DOB,Hire Date,Employee ID,Type,Notes',
  )
  expect(found.trim().split('\n')).toHaveLength(failing + 1)
  if (process.platform !== 'win32') expect(statSync(failures).mode & 0o777).toBe(0o600)

  writeFileSync(failures, found.replaceAll('13/45/1990', '3/9/1988'))
  const corrected = await working(run_of('apply', failures, [...mapped, '--yes', '--json']).ended)
  expect([corrected.code, corrected.err]).toEqual([0, ''])
  expect(JSON.parse(corrected.out)).toMatchObject({ state: 'completed', counts: { created: failing, failed: 0 } })

  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('13/45/1990', '3/9/1988').replace('Person0,', 'Grace,'))
  const again = await run_of('plan', file, mapped).ended
  expect(again.code).toBe(0)
  expect(again.out).toContain(`0 new, 1 changed, 0 rehired, 0 terminated, ${count - 1} unchanged, 0 failed.`)
  expect(again.out).toMatch(/^1 +Grace Roster +First name +Person0 +Grace$/m)

  const { data } = (await api.get(`/v1/employers/${employer_id}/employees?limit=10`)).body
  expect(new Set(data.map((one) => `${one.date_of_birth} ${one.employee_class}`))).toEqual(
    new Set(['1988-03-09 Full Time']),
  )

  api.wait(1000)
  const few = join(env.XDG_CONFIG_HOME!, 'few.csv')
  writeFileSync(few, rosterOf(2, 9))
  const replaced = await run_of('plan', few, [...mapped, '--mode', 'replace', '--rows', '5']).ended
  expect(replaced.out).toMatch(/^missing from the file +reference\n-*\n*Person\d+ Roster +R-\d+$/m)
  expect(replaced.out).toContain(`5 of ${count - 2} people. Use --rows for more.`)

  const people = join(env.XDG_CONFIG_HOME!, 'people.csv')
  expect((await command(`export employees ${employer_id} --to ${people}`, own)).code).toBe(0)
  expect(readFileSync(people, 'utf8').trim().split('\n')).toHaveLength(count + 1)
  expect((await command(`export employees ${employer_id} --to ${people}`, own)).code).toBe(2)
})

/** The output of a command that waits for the worker. */
async function working(ended: Promise<Ended>): Promise<Ended> {
  for (;;) {
    await api.work()
    const over = await Promise.race([ended, pause(50)])
    if (over) return over
  }
}

it('calls any operation by name, including operator operations', async () => {
  const own = {
    ...env,
    OPENBENEFITS_URL: api.url,
    OPENBENEFITS_API_KEY: api.story.api_key,
    OPENBENEFITS_OPERATOR_KEY: api.operator_key,
  }
  const { organization_id } = api.story
  expect((await command('call', own)).out).toMatch(/^operator\.users\.create +POST +\/operator\/v1\/users$/m)
  const made = await startWith(['call', 'operator.users.create', '--data', '-', '--get', 'id'], own, '{"name":"Pia"}')
    .ended
  expect(made.out).toMatch(/^usr_\w{26}\n$/)
  const found = await command(`call operator.users.get ${made.out.trim()}`, own)
  expect(JSON.parse(found.out)).toMatchObject({ name: 'Pia' })
  expect((await command('call employers.list --query limit=2 --get data.1.id', own)).out).toMatch(/^empr_/)
  expect((await command('call employers.get', own)).err).toContain('ids: employers.get takes {employer_id}.')
  expect((await command('call employers.gets x', own)).err).toContain(
    'unknown operation "employers.gets". Similar: employers.get',
  )
  expect((await command('call employers.list --data {}', own)).err).toContain('data: employers.list takes no body.')
  expect((await command('call employers.list --search Acme', own)).err).toContain('--query name=value')
  expect((await command(`clock ${organization_id}`, own)).out).toMatch(/^today +2026-03-10$/m)
  expect(
    await command('clock org_01kdq7b4w8e9rs2mh3n5t6v799', { ...own, OPENBENEFITS_OPERATOR_KEY: 'obop_no' }),
  ).toMatchObject({ code: 4 })
  const keys = await command('keys', own)
  expect(keys.out).toMatch(/^key_\w+ .*read write/m)
  expect(keys.out).not.toContain(api.story.api_key)
  const login = await command(`login --url ${api.url}`, env, api.operator_key)
  expect(login.out).toMatch(/^from +profile operator$[^]*^role +owner$/m)
  expect(login.out).not.toContain(api.operator_key)
  const kept = await command(`call operator.users.get ${made.out.trim()}`, env)
  expect(JSON.parse(kept.out)).toMatchObject({ name: 'Pia' })
  expect((await command('whoami --profile operator', env)).out).toMatch(/^kind +operator$/m)
  expect(await command('employers', env)).toMatchObject({ code: 2 })
  expect(await command('logout', env)).toMatchObject({ code: 0 })
  const log_file = join(env.XDG_CONFIG_HOME!, 'audit.csv')
  expect((await command(`export audit --to ${log_file}`, own)).code).toBe(0)
  expect(readFileSync(log_file, 'utf8')).toContain('employers_list')
})

describe('the README of the command line', () => {
  const blocks = blocksIn(readDocument('cli/README.md'))
  const commands = blocks.flatMap(({ language, code }) => (language === 'sh' ? code.trim().split('\n') : []))
  const folder = join(env.XDG_CONFIG_HOME!, 'readme')
  const own = { ...useSettings(), OPENBENEFITS_OPERATOR_KEY: '', OPENBENEFITS_URL: '' }
  /** Values of the README, and their replacements in the test. */
  const found: [shown: RegExp, here: string][] = []

  beforeAll(async () => {
    mkdirSync(folder)
    const roster = 'First name,Last name,Email,Work mail,Phone,Date of birth,Start date,Gender'
    const person = 'Grace,Murray,grace@home.example,grace@heron.example,2125550147,1988-12-09,2026-01-05,Female'
    writeFileSync(join(folder, 'roster.csv'), `${roster}\n${person}\n`)
    const employer = endpoints.find(({ operation }) => operation === 'employers_create')!.example
    writeFileSync(join(folder, 'employer.json'), JSON.stringify({ ...(employer as object), name: 'Heron Two' }))
    const employer_id = await createEmployer(api)
    const { id: employee_id } = await createEmployee(api, employer_id, { reference_id: 'T-7' })
    const payroll = 'Emp_No,period_starts_on,period_ends_on,kind,Regular'
    writeFileSync(join(folder, 'payroll.csv'), `${payroll}\nT-7,2026-02-15,2026-02-28,worked,64\n`)
    const hours = 'employee_id,period_starts_on,period_ends_on,kind,hours'
    writeFileSync(join(folder, 'june.csv'), `${hours}\n${employee_id},2026-02-01,2026-02-14,worked,76.5\n`)
    writeFileSync(join(folder, 'agreement-en.txt'), 'I agree.')
    writeFileSync(join(folder, 'agreement-es.txt'), 'Estoy de acuerdo.')
    await api.post('/v1/webhook-subscriptions', { url: 'https://example.com/hooks' })
    Object.assign(own, { OPENBENEFITS_OPERATOR_KEY: api.operator_key, OPENBENEFITS_URL: api.url })
    found.push(
      [/https:\/\/benefits\.example\.com/, api.url],
      [/http:\/\/localhost:3000\/hooks/, (await openReceiver()).url],
      [/empr_\w+/, employer_id],
      [/empl_\w+/, employee_id],
      [/org_\w+/, api.story.organization_id],
      [/(?<=[ @])(?=[\w-]+\.(?:csv|json|txt)\b)/g, `${folder}/`],
      [/trigger enrollment\.elected/, 'trigger employer.created'],
      [/2027-01-01/, '2026-03-11'],
    )
  })

  it.each(commands)('shows a working example: %s', async (shown) => {
    const line = found.reduce((text, [pattern, here]) => text.replace(pattern, here), shown.replace(' < key.txt', ''))
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!).slice(2)
    const stopping = new AbortController()
    const confirmation = words[1] === 'apply' ? ['--yes'] : []
    const input = words[0] === 'login' ? `${api.story.api_key}\n` : ''
    const { output, ended } = startWith([...words, ...confirmation], own, input, stopping.signal)
    if (words[0] === 'listen') await expect.poll(() => output.out).toContain('Ready.')
    if (words[0] === 'listen') stopping.abort()
    const { code, err } = await working(ended)
    expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  })

  it('shows the same assistant settings as the help', async () => {
    const { code } = blocks.find(({ language }) => language === 'json')!
    expect((await command('mcp --help', own)).out).toContain(code.trim())
    expect(JSON.parse(code).mcpServers.openbenefits.args.slice(1)).toEqual(['openbenefits', 'mcp'])
  })
})

it('reports hours of service from a CSV file, and shows what a corrected file changes', async () => {
  const signed_in = { ...env, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key }
  const employer_id = await createEmployer(api)
  const { id } = await createEmployee(api, employer_id, { reference_id: 'T-1' })
  const file = join(env.XDG_CONFIG_HOME!, 'hours.csv')
  const write = (rows: string[]) =>
    writeFileSync(file, ['reference_id,period_starts_on,period_ends_on,kind,hours', ...rows, ''].join('\n'))
  const report = (more = '') => command(`hours ${file} --employer ${employer_id} ${more}`.trim(), signed_in)
  write(['T-1,2026-02-01,2026-02-14,worked,76.5'])
  const first_time = await report()
  expect(first_time, first_time.err).toMatchObject({ code: 0, err: '' })
  expect(first_time.out).toContain('1 rows: 1 added, 0 changed, 0 removed, 0 unchanged, 0 failed.')
  write(['T-1,2026-02-01,2026-02-14,worked,70', 'T-9,2026-02-01,2026-02-14,worked,70'])
  const planned = await report('--dry-run')
  expect(planned.code).toBe(1)
  expect(planned.out).toMatch(new RegExp(`^1 +${id} +worked +2026-02-01 to 2026-02-14 +76.5 +70`, 'm'))
  expect(planned.out).toMatch(/^2 +reference_id +is not an employee of the employer/m)
  const { data } = (await api.get(`/v1/employees/${id}/hours`)).body
  expect(data.map(({ hours }) => hours)).toEqual([76.5])
  // A payroll file has its own column names, and one period for all rows.
  writeFileSync(file, 'Emp_No,Name,Regular,Overtime\nT-1,Ana,60,4.25\n')
  const columns = '--map reference_id=Emp_No --map hours=Regular --map hours=Overtime'
  const payroll = await report(`--period 2026-02-15..2026-02-28 --kind worked ${columns}`)
  expect(payroll, payroll.err).toMatchObject({ code: 0, err: '' })
  const [latest] = (await api.get(`/v1/employees/${id}/hours`)).body.data
  expect(latest).toMatchObject({ period_starts_on: '2026-02-15', period_ends_on: '2026-02-28', hours: 64.25 })
  expect((await report('--map hours=Extra')).err).toContain('unknown column "Extra"')
  expect((await report('--period 2026-02')).err).toContain('period: must be two days')
})
