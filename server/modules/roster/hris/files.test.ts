import { payroll } from '../../../integrations/payroll/providers.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import {
  lutimesSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { csvFolderProvider } from '../../../integrations/payroll/csv-files.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { hrisOf, noChange } from '../../../test/clients/hris.ts'
import { collectFiles, syncConnection } from './actions.ts'

const api = useApi()
const hris = hrisOf(api)
const folder = mkdtempSync(join(tmpdir(), 'openbenefits-drop-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  integrationOf(api.runtime, payroll).csv = csvFolderProvider(folder)
})

const header = 'Employee ID,First Name,Last Name,Work Email,Mobile,DOB,Hire Date,Employment Type,Street,City,State,ZIP'
let count = 0
/** A line of a file about a new person. */
const aLine = (name = 'Zoë') => {
  const number = ++count
  return `F-${number},${name},"Núñez, ${number}",zoe${number}@example.com,(202) 555-${String(number).padStart(4, '0')},7/4/1988,2024-01-08,Full-Time,1 Elm St,Troy,NY,12180`
}
const fileOf = (...lines: string[]) => [header, ...lines].join('\r\n')

const send = (connection_id: string, raw: string | Uint8Array) => {
  api.wait(1000)
  const headers = { 'content-type': 'text/csv' }
  return hris.operate('POST', `/hris-connections/${connection_id}/upload`, undefined, { raw, headers })
}

/** Uploads a file, lets the worker process it, and returns the run. */
async function upload(connection_id: string, raw: string | Uint8Array) {
  const answer = await send(connection_id, raw)
  expect(answer.status, answer.text).toBe(202)
  await api.work()
  return hris.run(answer.body.data.id)
}

/** Puts a file into the folder, last modified a minute ago. */
function putFile(name: string, content: string | Uint8Array, seconds_ago = 60): void {
  const path = join(folder, name)
  writeFileSync(path, content)
  const then = Date.now() / 1000 - seconds_ago
  utimesSync(path, then, then)
}

/** Runs the task that is scheduled every minute, and the jobs that follow. */
async function runSchedule() {
  api.wait(1000)
  await collectFiles(api.runtime)
  await api.work()
}
const filesIn = (name: string) => readdirSync(join(folder, name))

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const encodings: [string, (text: string) => Uint8Array][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 with a byte order mark', utf16],
  ['UTF-16 without a byte order mark', (text) => Buffer.from(text, 'utf16le')],
  ['big-endian UTF-16', (text) => utf16(text).swap16()],
  ['Windows-1252', (text) => Buffer.from(text, 'latin1')],
]

describe('an uploaded file', () => {
  it('is applied as the whole roster: creates, updates, and terminates missing people', async () => {
    const { id, employer_id } = await hris.connect({ source: 'csv' })
    const lines = [aLine(), aLine(), aLine()]
    const run = await upload(id, fileOf(...lines))
    expect(run).toMatchObject({ cause: 'upload', state: 'completed', outcome: { counts: { ...noChange, created: 3 } } })
    expect(await hris.shown(employer_id)).toMatchObject({ provider: 'csv', status: 'active', synced_row_count: 3 })
    const [first] = (await hris.roster(employer_id)).filter((row) => row.reference_id === lines[0]!.split(',')[0])
    expect(first).toMatchObject({
      first_name: 'Zoë',
      date_of_birth: '1988-07-04',
      hire_date: '2024-01-08',
      employee_class: 'Full Time',
      address: { address_line_1: '1 Elm St', city: 'Troy', zipcode: '12180' },
    })
    const again = await upload(id, fileOf(lines[0]!.replace('Full-Time', 'PT'), lines[1]!))
    expect(again.outcome?.counts).toEqual({ ...noChange, updated: 1, unchanged: 1, terminated: 1 })
  })

  it.each(encodings)('is accepted in %s', async (_, encode) => {
    const { id, employer_id } = await hris.connect({ source: 'csv' })
    expect(await upload(id, encode(fileOf(aLine())))).toMatchObject({ outcome: { counts: { created: 1 } } })
    expect(await hris.roster(employer_id)).toMatchObject([
      { first_name: 'Zoë', last_name: expect.stringMatching(/^Núñez, \d+$/) },
    ])
  })

  it('is accepted with semicolons or tabs as separators', async () => {
    for (const delimiter of [';', '\t']) {
      const { id } = await hris.connect({ source: 'csv' })
      const text = fileOf(aLine().replace(/"(.*), (.*)"/, '$1 $2')).replaceAll(',', delimiter)
      expect(await upload(id, text)).toMatchObject({ outcome: { counts: { created: 1 } } })
    }
  })

  it('is read by the column names of the connection', async () => {
    const columns = { reference_id: 'File #', first_name: 'Vorname', last_name: 'Nachname', date_of_birth: 'Geboren' }
    const { id, employer_id } = await hris.connect({ source: 'csv', columns })
    const text = 'File #,ID,Vorname,Nachname,Geboren,E-Mail\n77,x,Jörg,Weiß,1980-01-31,joerg@example.com\n'
    expect(await upload(id, text)).toMatchObject({ state: 'completed', outcome: { counts: { created: 1 } } })
    expect(await hris.roster(employer_id)).toMatchObject([
      { reference_id: '77', first_name: 'Jörg', last_name: 'Weiß' },
    ])
    expect((await send(id, text.replace('Geboren', 'Born'))).error).toMatchObject({
      code: 'invalid_request',
      details: [
        {
          field: 'rows',
          message: expect.stringContaining('no column "Geboren", which the connection uses for date_of_birth'),
        },
      ],
    })
  })

  it('is refused without a column for last days that earlier files had, until the column is back', async () => {
    const { id, employer_id } = await hris.connect({ source: 'csv' })
    const [stays, leaves] = [aLine(), aLine()]
    const full = (last_day: string) => [`${header},Termination Date`, `${stays},`, `${leaves},${last_day}`].join('\n')
    await upload(id, full(''))
    const renamed = full('2026-03-02').replace('Termination Date', 'Separation')
    expect((await send(id, renamed)).error).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'rows', message: expect.stringContaining('no column for termination_date') }],
    })
    expect(await hris.roster(employer_id)).toMatchObject([{ status: 'active' }, { status: 'active' }])
    expect((await upload(id, full('2026-03-02'))).outcome?.counts).toEqual({ ...noChange, terminated: 1, unchanged: 1 })
  })

  it('may lack a column that only describes people', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    const line = aLine()
    await upload(id, fileOf(line))
    const without_phone = fileOf(line.replace(/\(202\)[^,]*/, '')).replace('Mobile', 'Extension')
    expect((await upload(id, without_phone)).outcome?.counts).toEqual({ ...noChange, unchanged: 1 })
  })

  it('is read from the most specific column of a field, or from the next one where that is empty', async () => {
    const { id, employer_id } = await hris.connect({ source: 'csv' })
    const run = await upload(
      id,
      'ID,Employee ID,First Name,Last Name,Personal Email,Work Email,DOB,Hire Date,Rehire Date\n' +
        'x,1,Ann,Bee,,ann@example.com,1/1/1980,1/1/2015,3/2/2026\n' +
        'x,,Cy,Dee,cy@home.example.com,cy@example.com,1/1/1981,1/1/2015,\n' +
        'x,3,Eve,Fey,eve@home.example.com,,1/1/1982,1/1/2015,',
    )
    expect(run.outcome?.counts).toEqual({ ...noChange, created: 3 })
    const rows = await hris.roster(employer_id)
    expect(rows.map((row) => [row.first_name, row.reference_id, row.email, row.hire_date]).sort()).toEqual([
      ['Ann', '1', 'ann@example.com', '2026-03-02'],
      ['Cy', null, 'cy@example.com', '2015-01-01'],
      ['Eve', '3', 'eve@home.example.com', '2015-01-01'],
    ])
  })

  it.each([
    'SSN Number',
    'EmployeeSSN',
    'employee_ssn_last4',
    'SS#',
    'Soc. Sec. No.',
    'Tax ID Number',
    'Social Security',
  ])('is refused when a column is called %s', async (name) => {
    const { id } = await hris.connect({ source: 'csv', columns: { reference_id: name } })
    const { details } = (await send(id, `${header},${name}\n${aLine()},1`)).error
    expect(details).toEqual([{ field: 'rows', message: expect.stringContaining('Social Security numbers') }])
  })

  it('is accepted with column names that contain `ss` but are not about social security numbers', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    const text = `${header},Business Name,Class Notes,Company Tax ID\n${aLine()},a,b,c`
    expect(await upload(id, text)).toMatchObject({ state: 'completed' })
  })

  it.each([
    ['lacks a column', 'First Name,Last Name\nA,B', 'rows: The file has no column for email, date_of_birth.'],
    [
      'has social security numbers',
      `${header},Social Security No.\n${aLine()},1`,
      'rows: The file has a column of Social Security numbers, which are not accepted. Remove the column.',
    ],
    [
      'has a column named ssn',
      'ssn,email\n1,2',
      'rows[0].ssn: must not be sent: Social Security numbers are not accepted',
    ],
    ['has incomplete lines', `${header}\n1,2`, ': line 2 of the CSV has fewer or more cells than the first line'],
    ['contains no people', header, 'rows: must contain at least one row'],
    [
      'is an HTML page',
      '<!DOCTYPE html><html><body>Sign in</body></html>',
      ': the content is an HTML page: send CSV, with column names in the first line',
    ],
  ])('is refused when it %s', async (_, text, why) => {
    const { id } = await hris.connect({ source: 'csv' })
    const { code, details } = (await send(id, text)).error
    expect(code).toBe('invalid_request')
    expect(details.map((one) => `${one.field}: ${one.message}`)).toEqual([why])
    expect(await hris.runs(id)).toEqual([])
  })

  it('is accepted as JSON rows', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    const rows = [{ first_name: 'Jo', LAST_NAME: 'Berg', email: 'jo.berg@example.com', dob: '1970-10-10', note: null }]
    const { body } = await hris.operate('POST', `/hris-connections/${id}/upload`, { rows })
    await api.work()
    expect(await hris.run(body.data.id)).toMatchObject({ outcome: { counts: { created: 1 } } })
  })
})

describe('a file in the drop folder', () => {
  it('is processed by the connection in its name and moved to `done`', async () => {
    const { id, employer_id } = await hris.connect({ source: 'csv' })
    putFile(`${id}-2026-03-10.csv`, fileOf(aLine(), aLine()))
    await runSchedule()
    const run = first(await hris.runs(id))
    expect(run).toMatchObject({ cause: 'drop', state: 'completed', counts: { ...noChange, created: 2 } })
    expect(filesIn('done')).toContain(`${run.id}-${id}-2026-03-10.csv`)
    expect(filesIn('working')).toEqual([])
    await runSchedule()
    expect(await hris.runs(id)).toHaveLength(1)
    expect(await hris.roster(employer_id)).toHaveLength(2)
  })

  it.each(encodings)('is accepted in %s at any length', async (_, encode) => {
    const { id, employer_id } = await hris.connect({ source: 'csv' })
    // Longer than the read buffer, with multi-byte characters across its boundaries.
    const lines = [`${header},Note`, ...Array.from({ length: 200 }, () => `${aLine()},${'ñ€é '.repeat(250)}`)]
    putFile(`${id}.csv`, encode(lines.join('\r\n')))
    await runSchedule()
    expect((await hris.runs(id))[0]).toMatchObject({ state: 'completed', counts: { ...noChange, created: 200 } })
    const { body } = await api.get(`/v1/employers/${employer_id}/employees?search=núñez&limit=1`)
    expect(body.pagination.total).toBe(200)
  })

  it('is moved to `failed` without the column for hire dates that the previous file had', async () => {
    const { id, employer_id } = await hris.connect({ source: 'csv' })
    const line = aLine()
    putFile(`${id}.csv`, fileOf(line))
    await runSchedule()
    putFile(`${id}.csv`, fileOf(line, aLine()).replace('Hire Date', 'Began'))
    await runSchedule()
    expect(await hris.roster(employer_id)).toHaveLength(1)
    const run = first(await hris.runs(id))
    expect(run.error).toMatchObject({ message: expect.stringContaining('no column for start_date') })
    expect(filesIn('failed')).toContain(`${run.id}-${id}.csv`)
  })

  it('is ignored while it is written, without a connection in its name, and while that is paused', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    putFile(`${id}.csv`, fileOf(aLine()), 1)
    putFile('payroll.csv', fileOf(aLine()))
    putFile(`${id}.xlsx`, fileOf(aLine()))
    await runSchedule()
    expect(await hris.runs(id)).toEqual([])
    await hris.pause(id)
    putFile(`${id}.csv`, fileOf(aLine()))
    await runSchedule()
    expect(await hris.runs(id)).toEqual([])
    await hris.resume(id)
    await runSchedule()
    expect(await hris.runs(id)).toMatchObject([{ state: 'completed' }])
  })

  it.each([
    ['lacks columns', 'a,b\n1,2', 'The file has no column for first_name, last_name, email, date_of_birth.'],
    ['has social security numbers', `${header},SSN\n${aLine()},1`, expect.stringContaining('Social Security numbers')],
    ['ends within a line', `${header}\n1,2`, expect.stringContaining('line 2 of the CSV has fewer or more cells')],
    ['ends within a quote', `${header}\n"1,2`, expect.stringContaining('opens a quote that is never closed')],
    [
      'opens a quote that stays open for too long',
      `${header}\n"${'1,2\n'.repeat(300_000)}`,
      expect.stringContaining('a closing quote may be missing'),
    ],
    [
      'has no header line (the message contains no personal data)',
      'Jane,Doe,jane.doe@example.com,jane.doe@example.com\n',
      "The file can't be read: line 1 of the CSV gives column 4 the name of an earlier column.",
    ],
    ['contains no people', header, 'The file contains no people.'],
    ['is empty', '', 'The file contains no people.'],
    [
      'is an Excel workbook',
      'PK\x03\x04\x14\0',
      expect.stringContaining('the content is an Excel workbook or another ZIP file: send CSV'),
    ],
  ])('is moved to `failed` and applies nothing when it %s', async (_, text, message) => {
    const { id } = await hris.connect({ source: 'csv' })
    putFile(`${id}.csv`, text)
    await runSchedule()
    const runs = await hris.runs(id)
    expect(runs).toMatchObject([{ state: 'failed', error: { code: 'unreadable', message } }])
    expect(filesIn('failed')).toContain(`${runs[0]?.id}-${id}.csv`)
    expect(await hris.read(id)).toMatchObject({ status: 'pending', last_error: { code: 'unreadable' } })
  })

  it('is ignored if it is a symbolic link, which could expose other files', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    putFile('of-another.csv', fileOf(aLine()))
    symlinkSync('of-another.csv', join(folder, `${id}.csv`))
    lutimesSync(join(folder, `${id}.csv`), 1, 1)
    await runSchedule()
    expect(await hris.runs(id)).toEqual([])
  })

  it('is accepted with the longest possible file name', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    putFile(`${id}-${'é'.repeat(109)}.csv`, fileOf(aLine()))
    await runSchedule()
    expect(await hris.runs(id)).toMatchObject([{ state: 'completed' }])
  })

  it('is not read when it is larger than any roster', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    putFile(`${id}.csv`, '')
    truncateSync(join(folder, `${id}.csv`), 300 * 1024 * 1024)
    utimesSync(join(folder, `${id}.csv`), 1, 1)
    await runSchedule()
    expect(await hris.runs(id)).toMatchObject([{ error: { code: 'unreadable', message: /256 MiB/ } }])
  })

  it('stays in the folder while its employer has no subscription', async () => {
    const { id, employer_id } = await hris.connect({ source: 'csv' })
    api.moveTo('2026-03-11')
    await hris.operate('POST', `/employers/${employer_id}/subscriptions/end`, { ended_on: '2026-03-11' })
    putFile(`${id}.csv`, fileOf(aLine()))
    await runSchedule()
    expect(await hris.runs(id)).toEqual([])
    expect(filesIn('.')).toContain(`${id}.csv`)
    api.moveTo('2026-03-10')
  })

  it('is moved to the folder of its outcome, even when two workers had it or a worker was killed', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    putFile(`${id}.csv`, fileOf(aLine()))
    api.wait(1000)
    await collectFiles(api.runtime)
    const { organization_id } = await hris.read(id)
    const { csv } = integrationOf(api.runtime, payroll)
    // The other worker applies the rows and is killed before it moves the file.
    const slow = async () => {
      integrationOf(api.runtime, payroll).csv = { ...csv, settle: () => Promise.reject(new Error('killed')) }
      await syncConnection(api.runtime, { organization_id, connection_id: id }).catch(() => undefined)
      integrationOf(api.runtime, payroll).csv = csv
      return []
    }
    await syncConnection(
      {
        ...api.runtime,
        integrations: new Map(api.runtime.integrations).set(payroll, {
          ...integrationOf(api.runtime, payroll),
          csv: { ...csv, fetch: slow },
        }),
      },
      { organization_id, connection_id: id },
    )
    const run = first(await hris.runs(id))
    expect(filesIn('done')).toContain(`${run.id}-${id}.csv`)
    await api.work()
  })

  /** Adds a file whose rows are applied but which is not moved. */
  async function applyWithoutMoving(id: string, name: string, text: string) {
    const { csv } = integrationOf(api.runtime, payroll)
    integrationOf(api.runtime, payroll).csv = { ...csv, settle: () => Promise.reject(new Error('no space')) }
    putFile(name, text)
    await runSchedule()
    integrationOf(api.runtime, payroll).csv = csv
    expect((await hris.runs(id))[0]).toMatchObject({ state: 'completed' })
    expect(filesIn('working').filter((each) => each.includes(name))).toHaveLength(1)
  }

  it('is moved at the latest when the next file is processed', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    const lines = [aLine(), aLine()]
    await applyWithoutMoving(id, `${id}-a.csv`, fileOf(lines[0]!))
    putFile(`${id}-b.csv`, fileOf(...lines))
    await runSchedule()
    const runs = await hris.runs(id)
    expect(runs.map((run) => run.state)).toEqual(['completed', 'completed'])
    expect(filesIn('done')).toEqual(
      expect.arrayContaining([`${runs[0]?.id}-${id}-b.csv`, `${runs[1]?.id}-${id}-a.csv`]),
    )
    expect(filesIn('working')).toEqual([])
  })

  it('is applied although the previous file cannot be moved', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    const lines = [aLine(), aLine()]
    await applyWithoutMoving(id, `${id}-a.csv`, fileOf(lines[0]!))
    await applyWithoutMoving(id, `${id}-b.csv`, fileOf(...lines))
    rmSync(join(folder, 'working'), { recursive: true })
  })

  it('is processed in order, the oldest first', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    const [stays, leaves] = [aLine(), aLine()]
    putFile(`${id}-b.csv`, fileOf(stays, leaves), 120)
    putFile(`${id}-a.csv`, fileOf(stays), 60)
    await runSchedule()
    await runSchedule()
    expect((await hris.runs(id)).map((run) => [run.counts?.created, run.counts?.terminated])).toEqual([
      [0, 1],
      [2, 0],
    ])
  })

  it('is reported as missing when a sync is requested without one', async () => {
    const { id } = await hris.connect({ source: 'csv' })
    expect(await hris.sync(id)).toMatchObject({ state: 'failed', error: { code: 'no_file' } })
    integrationOf(api.runtime, payroll).csv = csvFolderProvider(undefined)
    expect(await hris.sync(id)).toMatchObject({
      state: 'failed',
      error: { code: 'no_file', message: expect.stringContaining('HRIS_DROP_DIR') },
    })
    await runSchedule()
  })

  it('is applied exactly once, wherever the worker is killed', async () => {
    let last = Infinity
    for (let at = 1; at <= last; at++) {
      const { id } = await hris.connect({ source: 'csv' })
      putFile(`${id}.csv`, fileOf(aLine(), aLine()))
      api.wait(1000)
      await collectFiles(api.runtime)
      const died = await dieAt(at)
      if (!died) last = at
      await hris.dueNow()
      await runSchedule()
      const runs = await hris.runs(id)
      expect(runs, `killed at ${at}`).toMatchObject([{ state: 'completed', counts: { ...noChange, created: 2 } }])
      expect(filesIn('done')).toContain(`${runs[0]?.id}-${id}.csv`)
      expect(filesIn('working')).toEqual([])
    }
    // The worker was killed before and after fetching, before the file is moved, at the steps of the census, and at
    // the update of the connection.
    expect(last).toBeGreaterThan(6)
  })

  /** Works until the worker dies at step number `at`: the start of a transaction, or moving a file. */
  async function dieAt(at: number): Promise<boolean> {
    let step = 0
    const orDie =
      <Args extends unknown[], Result>(work: (...args: Args) => Result) =>
      (...args: Args): Result => {
        if (++step === at) throw new Error('killed')
        return work(...args)
      }
    const { database } = api.runtime
    const { csv } = integrationOf(api.runtime, payroll)
    const transactionOfJob = orDie(database.transactionOfJob) as typeof database.transactionOfJob
    api.runtime.database = { ...database, transactionOfJob }
    integrationOf(api.runtime, payroll).csv = { ...csv, settle: orDie(async (...args) => csv.settle!(...args)) }
    await api.work()
    Object.assign(api.runtime, { database })
    integrationOf(api.runtime, payroll).csv = csv
    return step >= at
  }
})
