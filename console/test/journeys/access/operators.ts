import { expect, it } from 'vitest'
import { openTasks } from '../../../../server/modules/directory/tasks/actions.ts'
import { disableByService } from '../../../../server/modules/events/webhooks/actions.ts'
import { accessibilityViolations } from '../../../../server/test/clients/browser.ts'
import {
  aPerson,
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
} from '../../../../server/test/fixtures.ts'
import type { Api } from '../../../../server/test/harness.ts'
import { first, pick, sure } from '../../../../server/test/pick.ts'
import {
  outOfReach,
  pagesOfOperator,
  type Scene,
  settled,
  tooWideAt,
  turnTo,
  userCalled,
  visitAs,
} from '../../stage.ts'

/** Journeys of operators. */
export function operatorsAtWork(scene: Scene): void {
  const { api } = scene

  // Creates each kind of task that a button resolves, and expects it to disappear after a click.
  it('resolves each task with its button', async () => {
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const census = `/v1/employers/${employer_id}/census-sync` as const
    const { id } = await createEmployee(api, employer_id, {}, { key })
    const reportBirth = async (occurred_on: `2026-03-0${number}`) => {
      const birth = { type: 'birth', occurred_on }
      const { status, text } = await api.post(`/v1/employees/${id}/qualifying-life-events`, birth, { key })
      expect(status, text).toBe(201)
    }
    await reportBirth('2026-03-09')
    await api.post(census, { employees: Array.from({ length: 20 }, () => aPerson()) }, { key })
    await api.work()
    api.wait(1000)
    await api.post(`${census}?mode=replace`, { employees: [aPerson()] }, { key })
    await api.work()
    const hook = await api.post('/v1/webhook-subscriptions', { url: 'https://gone.example.com/benefits' }, { key })
    await api.act((ctx) => disableByService(ctx, hook.body.data.id, 'failing'))
    const other_id = await createEmployer(api, {}, { key })
    await api.post(`/v1/employers/${other_id}/census-sync`, { employees: [aPerson()] }, { key })
    await api.database.pool.query('update graphile_worker._private_jobs set attempts = max_attempts where key = $1', [
      `census:${other_id}`,
    ])
    await api.database.pool.query(
      `update organizations
          set daily_run_on = case when name = 'Rival Benefits' then '2026-03-08' else '2026-03-10' end::date`,
    )

    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Olive Marsh'))
    await page.getByRole('heading', { name: 'Health' }).waitFor()
    await page.getByText('1 failed job').waitFor()
    await page.getByText(/Employer created/).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const tasks = page.getByRole('table', { name: 'Tasks' })
    // Another operator decides first. The page shows the refusal and the current tasks.
    const approve = tasks.getByRole('button', { name: 'Approve', exact: true })
    await approve.first().waitFor()
    const operator = { key: api.operator_key }
    const pending = async () =>
      (await api.get('/operator/v1/qualifying-life-events?status=pending', operator)).body.data
    const nonePends = async () => {
      await expect.poll(async () => (await pending()).length).toBe(0)
    }
    const declineAll = async () => {
      for (const { id } of await pending())
        await api.post(`/operator/v1/qualifying-life-events/${id}/decline`, { reason: 'Reported twice' }, operator)
    }
    await declineAll()
    await approve.first().press('Enter')
    const toast = page.getByRole('status').filter({ hasText: 'special enrollment period' })
    await toast.getByRole('button', { name: 'Approve now' }).press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Close' }).press('Enter')
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await expect.poll(() => approve.count()).toBe(0)
    await reportBirth('2026-03-09')
    await page.reload()
    // To confirm many terminations, the user types their number. The user can also cancel.
    const terminate = tasks.getByRole('button', { name: 'Terminate' }).first()
    await terminate.press('Enter')
    const confirmation = page.getByRole('group', { name: /^Terminate \d+ people$/ })
    await confirmation.getByText('are missing from the roster').waitFor()
    await expect.poll(() => confirmation.getByRole('listitem').count()).toBeGreaterThan(5)
    await expect.poll(() => confirmation.getByRole('button', { name: /^Terminate/ }).isDisabled()).toBe(true)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    // An approval can be undone in its row or in the toast, which stays on other pages.
    for (const undo of [tasks, toast]) {
      await approve.first().press('Enter')
      await toast.waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      await undo.getByRole('button', { name: 'Undo' }).press('Enter')
      await toast.waitFor({ state: 'detached' })
      await expect.poll(() => approve.count()).toBe(1)
    }
    // An approval that has started can't be undone.
    const started = Promise.withResolvers<void>()
    await page.route('**/approve', async (route) => {
      await started.promise
      await route.continue()
    })
    await approve.first().press('Enter')
    await toast.getByRole('button', { name: 'Approve now' }).dblclick()
    await page.getByRole('button', { name: 'Undo' }).first().waitFor({ state: 'detached' })
    await tasks.getByText('Approving').waitFor()
    started.resolve()
    // The page cannot reload while the approval runs.
    await toast.waitFor({ state: 'detached' })
    await expect.poll(() => approve.count()).toBe(0)
    await nonePends()
    // The refusal of an approval stays while another one can be undone.
    for (const day of [4, 5]) await reportBirth(`2026-03-0${day}`)
    await page.reload()
    const refused = Promise.withResolvers<void>()
    await page.unroute('**/approve')
    await page.route('**/approve', async (route) => {
      await refused.promise
      await route.continue()
    })
    await approve.first().press('Enter')
    await toast.getByRole('button', { name: 'Approve now' }).press('Enter')
    await approve.first().press('Enter')
    await declineAll()
    refused.resolve()
    await page.getByRole('alert').waitFor()
    await toast.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByRole('button', { name: 'Close' }).press('Enter')
    await toast.waitFor({ state: 'detached' })
    await page.unroute('**/approve')
    // Several life events are approved together, except those that the user leaves out.
    for (const day of [6, 7, 8]) await reportBirth(`2026-03-0${day}`)
    await page.reload()
    await page.getByRole('link', { name: /^Approve \d+ life events$/ }).press('Enter')
    const together = page.getByRole('group', { name: /^Approve \d+$/ })
    await together.getByRole('checkbox').first().press('Space')
    const chosen = (await together.getByRole('checkbox').count()) - 1
    expect(await accessibilityViolations(page)).toEqual([])
    await together.getByRole('button', { name: `Approve ${chosen}` }).press('Enter')
    await toast.getByRole('button', { name: 'Approve now' }).press('Enter')
    await expect.poll(() => approve.count()).toBe(1)
    // A page that closes sends the approval that waits.
    await approve.first().press('Enter')
    await toast.waitFor()
    await page.goto('about:blank')
    await nonePends()
    await page.goBack()
    for (const label of ['Discard', 'Resume', 'Retry', 'Run now']) {
      const buttons = tasks.getByRole('button', { name: label, exact: true })
      await buttons.first().waitFor()
      const before = await buttons.count()
      // A double click runs the action once.
      await buttons.first().dblclick()
      const left = async () => (await api.work(), buttons.count())
      await expect.poll(left, { message: label }).toBeLessThan(before)
      expect(await page.getByRole('alert').count(), label).toBe(0)
    }
    expect(complaints).toEqual([])
    await close()
  })

  // Each task that is resolved on a person's page links there with its known values.
  it('resolves tasks on a person’s page after a preview', async () => {
    const key = api.story.api_key
    const clinic = sure((await api.get('/v1/employers?search=Maple', { key })).body.data[0])
    const rosa = pick(
      (await api.get(`/v1/employers/${clinic.id}/employees`, { key })).body.data,
      ({ first_name }) => first_name === 'Rosa',
    )
    const enrollment_id = sure(rosa.enrollments.find(({ status }) => status === 'enrolled')).id
    const of = { organization_id: api.story.organization_id, employer_id: clinic.id }
    const details = { employee_id: rosa.id, enrollment_id }
    await api.act((ctx) =>
      openTasks(ctx, [
        { ...of, kind: 'enrollment_lapsing', resource_id: enrollment_id, details },
        { ...of, kind: 'enrollment_superseded', resource_id: enrollment_id, details },
        { ...of, kind: 'reinstatement_too_old', resource_id: rosa.id, details },
        {
          ...of,
          kind: 'termination_too_old',
          resource_id: rosa.id,
          details: { ...details, last_day_employed: '2025-12-15' },
        },
      ]),
    )
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const { page } = visit
    const its = { hasText: 'Maple Row Clinic' }
    const tasks = page.getByRole('table', { name: 'Tasks' }).getByRole('row').filter(its)
    await turnTo(page, '/today')
    for (const label of ['Elect for them', 'Correct', 'Reinstate']) {
      const way = tasks.getByRole('link', { name: label }).first()
      expect(await way.getAttribute('href'), label).toMatch(new RegExp(`/people/${rosa.id}/change\\?action=`))
    }
    await tasks.getByRole('link', { name: 'Elect for them' }).press('Enter')
    await page.getByLabel('Election').selectOption('waive')
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await page.getByRole('alert').getByRole('link', { name: 'Reason' }).press('Enter')
    await page.locator('textarea:focus').fill('Reported on paper')
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    const plan = page.getByRole('region', { name: /^Correction of/ })
    await plan.locator('ins', { hasText: 'waived' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])

    await turnTo(page, '/today')
    await tasks.getByRole('link', { name: 'Terminate', exact: true }).press('Enter')
    await expect.poll(() => page.getByLabel('Last day').inputValue()).toBe('2025-12-15')
    expect(await page.locator('.tabs [aria-current=page]').allTextContents()).toEqual(['Termination'])
    await page.getByLabel('Reason').fill('Reported late by the employer')
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await page.getByText(/possible rescissions?/).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await outOfReach(page)).toEqual([])
    await page.getByRole('button', { name: 'Terminate' }).press('Enter')
    await page.getByRole('heading', { name: 'Rosa Quist', exact: true }).waitFor()
    await page.locator('.status', { hasText: 'Terminated' }).first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Correct' }).press('Enter')
    await page.getByRole('link', { name: 'Reinstate' }).press('Enter')
    await page.getByLabel('Reason').fill('Another person was meant')
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await page.getByRole('button', { name: 'Reinstate' }).press('Enter')
    await page.locator('.status', { hasText: /^Active$/ }).waitFor()

    // Operators see the same explanation of coverage as members, and find the person by name.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find' }).fill('rosa')
    await page.getByText('No results. People are found by the start of their last names').waitFor()
    await page.getByRole('combobox', { name: 'Find' }).fill('quist rosa')
    await page.getByRole('option', { name: /Rosa Quist/ }).waitFor()
    await page.keyboard.press('Enter')
    // The palette returns the focus when it closes. Keys pressed before that go to the palette.
    const why = page.getByRole('complementary', { name: 'Why these dates' }).getByText('Coverage starts')
    const confirmation = async () => (
      await page.getByRole('link', { name: 'Major Medical: why?' }).press('Enter'),
      why.waitFor({ timeout: 1000 }).then(
        () => true,
        () => false,
      )
    )
    await expect.poll(confirmation).toBe(true)
    await turnTo(page, `/people/${rosa.id}/change`)
    await page.getByLabel('Bargaining unit').fill('Local 12')
    await page.getByLabel('Reason').fill('The list of the union')
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await page.getByRole('region', { name: 'Correction for Rosa Quist' }).getByText('detail changed').waitFor()
    await page.locator('ins', { hasText: 'Local 12' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await api.database.pool.query('update tasks set closed_at = now() where resource_id = any($1)', [
      [rosa.id, enrollment_id],
    ])
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('adds a partner, invites its first admin, and gives a server a membership and a key', async () => {
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const { page } = visit
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await turnTo(page, '/partners')
    await page.getByRole('link', { name: 'Add partner' }).press('Enter')
    await page.locator('h2:focus', { hasText: 'New partner' }).waitFor()
    await page.getByRole('link', { name: 'Close' }).press('Enter')
    await page.getByRole('link', { name: 'Add partner' }).press('Enter')
    await page.getByRole('button', { name: 'Add partner' }).press('Enter')
    await page.getByRole('alert').getByRole('link', { name: 'Name' }).press('Enter')
    await page.locator('input:focus').fill('Northwind Benefits')
    await page.getByLabel('Type').selectOption('TPA')
    await page.getByLabel('Mode').selectOption('yes')
    await page.getByRole('button', { name: 'Add partner' }).press('Enter')
    await page.getByRole('heading', { name: 'Northwind Benefits' }).waitFor()
    await name.fill('Ada Lindgren')
    await page.getByRole('textbox', { name: 'Email' }).fill('ada.lindgren@example.com')
    await page.getByRole('button', { name: 'Create invitation' }).press('Enter')
    await page.getByText(/\/invitations\/org_/).waitFor()
    const invitations = page.getByRole('table', { name: 'Invitations' })
    await invitations.getByText('Ada Lindgren').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await invitations.getByRole('link', { name: 'Withdraw' }).press('Enter')
    const withdraw = 'Withdraw the invitation'
    await page.getByRole('group', { name: withdraw }).getByRole('button', { name: withdraw }).press('Enter')
    await invitations.getByText('Revoked').waitFor()
    await page.getByRole('link', { name: 'API keys' }).press('Enter')
    await page.getByRole('link', { name: 'Create key' }).press('Enter')
    await page.getByText('A key belongs to a user, and this partner has no users yet.').waitFor()

    await turnTo(page, '/access?add=yes')
    await name.fill('Night export')
    await page.getByRole('button', { name: 'Add user' }).press('Enter')
    await page.getByRole('heading', { name: 'Night export' }).waitFor()
    await page.getByRole('button', { name: 'Add to partner' }).press('Enter')
    await page.getByRole('alert').getByRole('link', { name: 'Partner' }).press('Enter')
    await page.locator('select:focus').selectOption({ label: 'Northwind Benefits' })
    await page.getByRole('button', { name: 'Add to partner' }).press('Enter')
    const memberships = page.getByRole('table', { name: 'Memberships' })
    await memberships.getByRole('link', { name: 'Northwind Benefits' }).press('Enter')
    await page.getByRole('link', { name: 'API keys' }).press('Enter')
    await page.getByRole('link', { name: 'Create key' }).press('Enter')
    await page.getByLabel('Owner').selectOption({ label: 'Night export, Operations' })
    await name.fill('Exports')
    await page.getByRole('button', { name: 'Create key' }).press('Enter')
    const secret = sure(await page.getByText(/^obk_test_/).textContent())
    expect((await api.get('/v1/employers', { key: secret })).status).toBe(200)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Exports' }).press('Enter')
    await page.getByRole('button', { name: 'Revoke Exports' }).press('Enter')
    const confirmation = page.getByRole('group', { name: 'Revoke Exports' })
    await confirmation.getByRole('button', { name: 'Revoke Exports' }).press('Enter')
    await page.getByRole('table', { name: 'API keys' }).getByText('Revoked').waitFor()

    await page.getByRole('link', { name: 'Users', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Night export' }).press('Enter')
    await memberships.getByRole('link', { name: 'End' }).press('Enter')
    expect(await tooWideAt(page)).toEqual([])
    const end = 'End membership'
    await page.getByRole('group', { name: end }).getByRole('button', { name: end }).press('Enter')
    await memberships.getByRole('link', { name: 'End' }).waitFor({ state: 'detached' })
    const user_id = sure(/usr_\w+/.exec(page.url()))[0]
    const { data } = (await api.get(`/operator/v1/users/${user_id}`, { key: api.operator_key })).body
    expect(data.memberships).toMatchObject([{ role: 'OPERATIONS', ended_at: expect.any(String) }])
    expect(await accessibilityViolations(page)).toEqual([])
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('finds the employees of an employer by name, without listing them', async () => {
    const key = api.story.api_key
    const clinic = sure((await api.get('/v1/employers?search=Maple', { key })).body.data[0]).id
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const { page } = visit
    await turnTo(page, `/partners/employers/${clinic}`)
    await page.getByRole('link', { name: 'Employees' }).press('Enter')
    await page.getByText('Find an employee').waitFor()
    await page.getByRole('searchbox').fill('garba')
    await page.getByText('No people match.').waitFor()
    await page.getByRole('searchbox').fill('quist')
    await page.getByRole('table', { name: 'People' }).getByRole('link', { name: 'Rosa Quist' }).press('Enter')
    await page.getByRole('heading', { name: 'Rosa Quist' }).waitFor()
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('uploads a payroll file as exported, and shows the result of each row', async () => {
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const { page } = visit
    await turnTo(page, `/partners/employers/${employer_id}/hris`)
    await page.getByRole('button', { name: 'Connect' }).press('Enter')
    const people = [
      'E-1,José,Núñez,jose.nunez@example.com,2065550141,05/04/1985,01/05/2026',
      'E-2,Ida,Falk,ida.falk@example.com,2065550142,11/30/1990,01/05/2026',
      'E-3,Odd,Berg,odd.berg@example.com,2065550143,soon,01/05/2026',
    ]
    const header = 'Employee ID,First Name,Last Name,Work Email,Phone,DOB,Hire Date'
    const page_of_html = Buffer.from('<html><body>Your session has ended.</body></html>')
    await page
      .getByLabel('Drop a CSV file here, or choose one')
      .setInputFiles({ name: 'payroll.csv', mimeType: 'text/csv', buffer: page_of_html })
    await page.getByRole('alert').getByText('This file is an HTML page.').waitFor()
    const buffer = Buffer.from([header, ...people].join('\n'), 'latin1')
    const file = { name: 'payroll.csv', mimeType: 'text/csv', buffer }
    await page.getByLabel('Drop a CSV file here, or choose one').setInputFiles(file)
    await page.getByText('People missing from the file are terminated as of today').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Send payroll.csv, 3 rows' }).press('Enter')
    await page.getByRole('heading', { name: /^Run of/ }).waitFor()
    await api.work()
    await page.getByText('2 created').waitFor()
    await page.getByText('3 of 3 rows').waitFor()
    const changed = page.getByRole('table', { name: 'People changed' })
    await expect.poll(() => changed.getByRole('rowheader').count()).toBe(2)
    await page.getByRole('checkbox', { name: 'Terminated' }).press('Space')
    await page.getByText('No people with this outcome.').waitFor()
    await page.getByRole('checkbox', { name: 'Created' }).press('Space')
    await changed.getByRole('link', { name: 'Ida Falk' }).waitFor()
    await page.getByRole('table', { name: 'Refused rows' }).getByText('E-3').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const { data } = (await api.get(`/v1/employers/${employer_id}/employees`, { key })).body
    expect(data.map(({ last_name }) => last_name).toSorted()).toEqual(['Falk', 'Núñez'])

    // The next file changes one person. The run shows the old and the new value.
    api.wait(1000)
    const next = [...people.slice(0, 1), people[1]!.replace('Falk', 'Lund'), people[2]!.replace('soon', '06/01/1979')]
    const other = Buffer.from([header, ...next].join('\n'), 'latin1')
    await turnTo(page, `/partners/employers/${employer_id}/hris`)
    await page.getByLabel('Drop a CSV file here, or choose one').setInputFiles({ ...file, buffer: other })
    await page.getByRole('button', { name: 'Send payroll.csv, 3 rows' }).press('Enter')
    await page.getByRole('heading', { name: /^Run of/ }).waitFor()
    await api.work()
    await page.getByRole('checkbox', { name: 'Updated' }).press('Space')
    const lund = changed.getByRole('row', { name: /^Ida Lund Updated/ })
    await expect.poll(() => lund.locator('del, ins').allTextContents()).toEqual(['Falk', 'Lund'])
    expect(await tooWideAt(page)).toEqual([])
    expect(await accessibilityViolations(page)).toEqual([])
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('links the balance of a partner to an invoice, its people, and the statements', async () => {
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Olive Marsh'))
    const { page } = visit
    await turnTo(page, `/partners/${api.story.organization_id}/money`)
    await page.getByRole('searchbox').fill('maple')
    await page.waitForURL(/\?search=maple$/)
    await page.getByRole('checkbox', { name: 'Paid' }).press('Space')
    await page.waitForURL(/\?search=maple&status=paid$/)
    await settled(page)
    const invoices = page.getByRole('table', { name: 'Invoices' })
    await invoices.getByRole('rowheader').first().getByRole('link').press('Enter')
    await page.getByText('Reconciled').waitFor()
    await page.getByRole('link', { name: 'Download the PDF' }).waitFor()
    await page.getByRole('table', { name: 'Lines' }).getByRole('link', { name: 'Rosa Quist' }).first().press('Enter')
    await page.getByRole('complementary', { name: 'Why these dates' }).waitFor()

    await turnTo(page, `/partners/${api.story.organization_id}/money?show=statements`)
    await page.getByRole('searchbox', { name: 'Employer name' }).fill('kettle')
    await page.waitForURL(/search=kettle$/)
    await settled(page)
    const statements = page.getByRole('table', { name: 'Statements' })
    await statements.getByRole('link', { name: 'Mar 1, 2026 – Mar 31, 2026' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Changed 1', exact: true }).press('Space')
    const taken = page.getByRole('table', { name: 'Deductions' })
    await expect.poll(() => taken.getByRole('rowheader').allInnerTexts()).toEqual(['Femi Garba'])
    expect(await accessibilityViolations(page)).toEqual([])
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('voids an invoice, bills its month again, issues and collects it, each after a confirmation', async () => {
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Igor Blom'))
    const { page } = visit
    const employers = `/operator/v1/employers?organization_id=${api.story.organization_id}&search=Sunrise` as const
    const bakery = (await api.get(employers, { key: api.operator_key })).body.data[0]
    const list = `/partners/employers/${sure(bakery).id}/invoices`
    await turnTo(page, list)
    const invoices = page.getByRole('table', { name: 'Invoices' })
    await invoices.getByText('Overdue').first().waitFor()
    await invoices
      .getByRole('link', { name: /^Void INV/ })
      .first()
      .press('Enter')
    await page.waitForURL(/\?action=void$/)
    const confirmation = page.getByRole('group', { name: /INV-\d+/ })
    await confirmation.getByText('No webhook is sent').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^(Issue|Mark as paid)$/)
    await page.getByRole('button', { name: 'Void', exact: true }).press('Enter')
    const [sent, let_go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/void', async (request) => {
      sent.resolve()
      await let_go.promise
      await request.continue()
    })
    const voided = new URL(page.url()).pathname.replace('/console', '')
    const do_it = confirmation.getByRole('button', { name: /^Void INV/ })
    await expect.poll(() => do_it.isDisabled()).toBe(true)
    await confirmation.getByLabel('Reason').fill('The wrong rates were imported.')
    await do_it.press('Enter')
    await sent.promise
    // A user who navigates away while the action runs stays on the new page.
    await turnTo(page, list)
    let_go.resolve()
    // The employer has an older void invoice. The month can be billed only after this one is void too.
    const row = invoices.getByRole('row').filter({ hasText: sure(voided.split('/').at(-1)) })
    await row.getByText('Void', { exact: true }).waitFor()
    await settled(page)
    expect(new URL(page.url()).pathname).toBe(`/console${list}`)
    const bill = page.getByRole('button', { name: 'Bill the current month' })
    await bill.press('Enter')
    const billing = page.getByRole('group', { name: 'Bill the current month' })
    await billing.getByRole('button', { name: 'Bill the current month' }).press('Enter')
    await expect.poll(() => billing.allInnerTexts()).toEqual([])
    await api.work()
    const issue = invoices.getByRole('link', { name: /^Issue INV/ })
    // The list is refreshed 2, 8 and 30 seconds after the action.
    await issue.waitFor()
    await issue.press('Enter')
    await confirmation.getByText('the webhook invoice.issued').waitFor()
    await confirmation.getByRole('button', { name: /^Issue INV/ }).press('Enter')
    await page.getByRole('button', { name: 'Mark as paid' }).press('Enter')
    await confirmation.getByLabel('Paid on').fill('2026-03-11')
    const pay = confirmation.getByRole('button', { name: /^Mark INV.* as paid$/ })
    await pay.press('Enter')
    await confirmation.getByRole('alert').getByText('must not be after today').first().waitFor()
    await confirmation.getByLabel('Paid on').fill('')
    await expect.poll(() => pay.isEnabled()).toBe(true)
    await pay.press('Enter')
    await page.locator('.section-actions .status', { hasText: 'Paid' }).waitFor()
    const live = sure(new URL(page.url()).pathname.split('/').at(-1))
    expect(await accessibilityViolations(page)).toEqual([])
    await turnTo(page, voided)
    await page.getByText('The wrong rates were imported.').waitFor()
    await page.getByRole('link', { name: live }).press('Enter')
    await page.getByRole('heading', { name: new RegExp(live) }).waitFor()
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('copies a plan year with its open enrollment a year later, and requires the renewal first', async () => {
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const { page } = visit
    const key = api.operator_key
    const freight = first((await api.get('/operator/v1/employers?search=Granite', { key })).body.data).id
    const years = (await api.get(`/operator/v1/employers/${freight}/benefit-plan-years`, { key })).body.data
    const { id } = pick(years, (year) => year.coverage_start === '2026-05-01')
    await turnTo(page, `/partners/employers/${freight}/plan-years/build?from=${id}`)
    const [renewal, ...others] = await page.getByRole('main').locator('select, input[type=date]').all()
    await expect.poll(() => renewal!.inputValue()).toBe('passive')
    const days = await Promise.all(others.slice(0, 3).map((one) => one.inputValue()))
    expect(days).toEqual(['2027-05-01', '2027-03-05', '2027-03-19'])
    await page.getByText('Employees who do not respond keep their coverage.').waitFor()
    const difference = page.getByRole('table', { name: 'Differences' }).getByRole('row', { name: /Without a response/ })
    await difference.waitFor()
    await page.getByLabel('Renewal').selectOption('active')
    await page.getByText('Employees who do not respond have no coverage in the new plan year.').waitFor()
    await difference.waitFor({ state: 'detached' })
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('imports rates, builds the next plan year from a copy, and moves the clock ahead by a month', async () => {
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const { page } = visit
    await turnTo(page, `/partners/${api.story.organization_id}/catalog`)
    // Columns of facts that no plan of the benefit has are absent.
    const details = page.getByRole('table', { name: 'Plan details: Dental' })
    await details.getByRole('columnheader', { name: 'Copays' }).waitFor()
    expect(await details.getByRole('columnheader', { name: 'HSA' }).count()).toBe(0)
    const rows = ['Essential Care Base,EE,9900', 'Essential Care Base,ES,18300', 'Essential Care Gold,EE,19900'].map(
      (row) => `Evergreen Health,MEC,Essential Care,${row},2026-12-01`,
    )
    const header = 'carrier,product_code,benefit,plan,coverage_tier,premium_in_cents,effective_on'
    const file = { name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from([header, ...rows].join('\n')) }
    await page.getByLabel('Drop a CSV file here, or choose one').setInputFiles(file)
    const plan = page.getByRole('region', { name: 'Changes from rates.csv' })
    await plan.getByText('4 new').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await plan.getByRole('button', { name: 'Import' }).press('Enter')
    await page.getByRole('table', { name: 'Plans of Essential Care' }).getByRole('cell', { name: '$199.00' }).waitFor()
    await page.getByRole('link', { name: 'Employers' }).press('Enter')
    await page.getByRole('link', { name: 'Maple Row Clinic' }).press('Enter')
    await page.getByRole('link', { name: 'Plan years' }).press('Enter')
    await page.getByRole('link', { name: 'Copy to next year' }).press('Enter')
    const tiers = page.getByRole('table', { name: 'Per plan and tier' })
    await tiers.getByText('$336.00').first().waitFor()
    await page.getByLabel('Employer contribution, employee only, exact value').first().fill('100')
    await page.getByText('−$84.00').waitFor()
    await page.getByText('Affordable to 2 of 2').waitFor()
    const differences = page.getByRole('table', { name: 'Differences' })
    const major = differences.getByRole('row', { name: /^Major Medical Employer pays, Employee only/ })
    await expect.poll(() => major.locator('del, ins').allTextContents()).toEqual(['80%', '100%'])
    const silver = differences.getByRole('row', { name: /^Major Medical Silver, Employee only/ })
    await expect.poll(() => silver.locator('ins').allTextContents()).toEqual(['$420.00', '$0.00'])
    await page.getByRole('table', { name: 'Person by person' }).getByText('Rosa Quist').first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Open for 2 people' }).press('Enter')
    await page.getByRole('table', { name: 'Plan years' }).getByText('Upcoming').waitFor()
    await rivalsMonth(api)
    await page.getByRole('link', { name: 'Test clocks' }).press('Enter')
    await page.getByLabel('Organization').selectOption(api.story.rival_organization_id)
    await page.getByRole('button', { name: 'A month' }).press('Enter')
    await page.getByRole('button', { name: 'Move clock by 31 days' }).press('Enter')
    await page.getByRole('heading', { name: 'Apr 10, 2026' }).waitFor()
    await page.getByRole('heading', { name: 'Events after Mar 10, 2026' }).waitFor()
    // Jobs of the days finish later. The page shows their events without a reload.
    await page.getByText('Loading more events…').waitFor()
    await api.work()
    await page.getByText('Loading more events…').waitFor({ state: 'detached' })
    const brought = page.getByRole('list', { name: 'Days' })
    const dayOf = (day: string) => brought.getByRole('listitem').filter({ hasText: `${day}, 2026` })
    await dayOf('Mar 21').getByText('Employee deactivated').waitFor()
    await dayOf('Apr 10').getByText('Employee deduction created 2').waitFor()
    await page.getByText(`${await countOfMonth(api)} events`, { exact: true }).waitFor()
    for (const path of Object.values(await pagesOfOperator(api))) {
      await turnTo(page, path)
      await settled(page)
      expect(await accessibilityViolations(page), path).toEqual([])
      expect(await tooWideAt(page), path).toEqual([])
      expect(await outOfReach(page), path).toEqual([])
    }
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('invites an operator and withdraws the invitation, and returns the focus after a cancellation', async () => {
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Olive Marsh'))
    const { page } = visit
    await turnTo(page, '/access/operators')
    await page.getByRole('link', { name: 'Invite an operator' }).press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Pia Lund')
    await page.getByRole('textbox', { name: 'Email' }).fill('pia.lund@example.com')
    await page.getByRole('button', { name: 'Create invitation' }).press('Enter')
    const pia = page.getByRole('table', { name: 'Invitations' }).getByRole('row', { name: /^Pia Lund/ })
    const way = pia.getByRole('link', { name: 'Withdraw' })
    await way.press('Enter')
    const confirmation = page.getByRole('group', { name: 'Withdraw the invitation' })
    await confirmation.locator('button:focus', { hasText: 'Cancel' }).waitFor()
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    expect(await page.locator(':focus').textContent()).toBe('Withdraw')
    await way.press('Enter')
    await confirmation.getByRole('button', { name: 'Withdraw the invitation' }).press('Enter')
    await pia.getByText('Revoked').waitFor()
    // The pressed button is gone, so the focus moves to its place.
    await page.locator('main :focus').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(visit.complaints).toEqual([])
    await visit.close()
  })
}

/** Journeys with more organizations than a page lists. */
export function operatorsOfMany(scene: Scene): void {
  const { api } = scene

  it('finds an organization by search when not all are listed', async () => {
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const key = api.operator_key
    for (let made = 0; made < 101; made++)
      await api.post('/operator/v1/organizations', { name: `Branch ${made}`, sandbox: true }, { key })
    const user = (await api.post('/operator/v1/users', { name: 'Day export' }, { key })).body.data
    await turnTo(page, `/access/users/${user.id}`)
    const search = page.getByRole('searchbox', { name: 'Start of the name' })
    await search.fill('Ri')
    await page.getByText('Type at least 3 letters').waitFor()
    await search.fill('Rival')
    await search.press('Enter')
    const partner = page.getByLabel('Partner')
    await partner.getByRole('option', { name: 'Rival Benefits' }).first().waitFor({ state: 'attached' })
    await partner.selectOption(api.story.rival_organization_id)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add to partner' }).press('Enter')
    await page.getByRole('table', { name: 'Memberships' }).getByRole('link', { name: 'Rival Benefits' }).waitFor()
    await turnTo(page, `/clocks?organization=${api.story.rival_organization_id}`)
    await expect
      .poll(() => page.getByLabel('Organization', { exact: true }).inputValue())
      .toBe(api.story.rival_organization_id)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })
}

/** An employer of Rival whose next month has a payday, an invoice and a termination. */
async function rivalsMonth(api: Api): Promise<void> {
  const { rival_api_key: key, rival_organization_id: organization_id } = api.story
  const catalog = await importCatalog(api, [], organization_id)
  const employer_id = await createEmployer(api, {}, { key })
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' }, { key })
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy, { key })
  await openPlanYear(api, employer_id, catalog)
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-01' }, { key })
  const leaver = await createEmployee(api, employer_id, {}, { key })
  await api.post(`/v1/employees/${leaver.id}/terminate`, { termination_date: '2026-03-20' }, { key })
  await api.work()
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
  const dental = pick(data, (row) => row.benefit.category === 'Dental')
  const election = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
  const elected = await api.post(`/v1/enrollments/${dental.id}/elect`, election, { key })
  expect(elected.status, elected.text).toBe(200)
  await api.work()
}

/** The number of events at Rival after March 10, from its webhook events. */
async function countOfMonth(api: Api): Promise<number> {
  const path = '/v1/webhook-events?limit=1&created_after=2026-03-11T04:00:00Z' as const
  return (await api.get(path, { key: api.story.rival_api_key })).body.pagination.total
}
