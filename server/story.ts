import type { z } from 'zod'
import { createApiKey } from './modules/auth/actions.ts'
import { createPolicy } from './modules/eligibility/actions.ts'
import { changeEmployee, hireEmployee, rehireEmployee, terminateEmployee } from './modules/employees/actions.ts'
import { EmployeeChanges, NewEmployee } from './modules/employees/schemas.ts'
import { createEmployer, endSubscription } from './modules/employers/actions.ts'
import { NewEmployer } from './modules/employers/schemas.ts'
import { insertMembership, insertOrganization, insertUser } from './modules/organizations/queries.ts'
import { serviceCaller } from './platform/caller.ts'
import type { Ctx } from './platform/ctx.ts'
import { addDays } from './platform/days.ts'
import { newId } from './platform/ids.ts'
import { inTransaction, type World } from './platform/world.ts'

/**
 * The story that the sandbox and the tests share: Harbor is a brokerage with a book of employers, Rival is
 * always the intruder, Lookout reads across every organization. Keys are not rate limited.
 */
export type Story = {
  organization_id: string
  rival_organization_id: string
  super_organization_id: string
  /** Maya, ADMIN of Harbor: a key bound to it */
  api_key: string
  /** Omar, a member of Harbor and of Rival: a key open to both */
  multi_organization_api_key: string
  super_api_key: string
  rival_api_key: string
  /** Nia has a key and no organization yet */
  newcomer_api_key: string
}

/** The organizations of the story and their keys, in one transaction: what each test file begins with. */
export const plantOrganizations = (world: World): Promise<Story> =>
  inTransaction(world, serviceCaller(null), organizations)

/** The whole story, told up to today, in one transaction: what the sandbox begins with. */
export const plantStory = (world: World): Promise<Story> =>
  inTransaction(world, serviceCaller(null), async (ctx) => {
    const story = await organizations(daysAgo(ctx, 500))
    await harborsBook(ctx, story.organization_id)
    await employer(ctx, story.rival_organization_id, bakery)
    return story
  })

async function organizations(ctx: Ctx): Promise<Story> {
  const harbor = await organization(ctx, 'Harbor Benefits', 'BROKERAGE')
  const rival = await organization(ctx, 'Rival Benefits', 'BROKERAGE')
  const lookout = await organization(ctx, 'Lookout Operations', 'API_PLATFORM', true)

  const maya = await user(ctx, 'Maya Okafor', [harbor])
  const omar = await user(ctx, 'Omar Haddad', [harbor, rival])
  const rita = await user(ctx, 'Rita Vale', [rival])
  const sol = await user(ctx, 'Sol Lindqvist', [lookout])
  const nia = await user(ctx, 'Nia Brandt', [])

  const key = async (user_id: string, organization_id: string | null) =>
    (await createApiKey(ctx, { user_id, organization_id, mode: 'test', rate_limited: false })).api_key

  return {
    organization_id: harbor,
    rival_organization_id: rival,
    super_organization_id: lookout,
    api_key: await key(maya, harbor),
    multi_organization_api_key: await key(omar, null),
    super_api_key: await key(sol, lookout),
    rival_api_key: await key(rita, rival),
    newcomer_api_key: await key(nia, null),
  }
}

async function organization(ctx: Ctx, name: string, type: string, super_in = false): Promise<string> {
  const id = newId('org')
  await insertOrganization(ctx, { id, name, type, idp_provider: 'service', idp_org_id: id, super_in, sandbox: true })
  return id
}

async function user(ctx: Ctx, name: string, organization_ids: string[]): Promise<string> {
  const id = newId('usr')
  const email = `${name.split(' ')[0]!.toLowerCase()}@example.com`
  await insertUser(ctx, { id, name, email })
  for (const organization_id of organization_ids)
    await insertMembership(ctx, { organization_id, user_id: id, role: 'ADMIN' })
  return id
}

const bakery = {
  name: 'Sunrise Bakery',
  legal_name: 'Sunrise Bakery LLC',
  ein: '61-4420917',
  email: 'office@sunrise-bakery.example.com',
  phone_number: '5185550142',
  reference_id: 'SUNRISE',
  address: { address_line_1: '100 Post Oak Rd', city: 'Albany', state: 'NY', zipcode: '12207' },
}

const tool_shop = {
  name: 'Ironwood Tools',
  legal_name: 'Ironwood Tool & Die Inc.',
  ein: '38-1190456',
  email: 'hr@ironwood-tools.example.com',
  address: { address_line_1: '9 Boxer St', city: 'Toledo', state: 'OH', zipcode: '43604' },
}

const dental_studio = {
  name: 'Larkspur Dental',
  legal_name: 'Larkspur Dental Studio PC',
  ein: '84-7003128',
  email: 'front.desk@larkspur-dental.example.com',
  address: { address_line_1: '12 Boxwood Ln', address_line_2: 'Suite 4', city: 'Boise', state: 'ID', zipcode: '83702' },
}

/** The context as it was some days ago. */
function daysAgo(ctx: Ctx, days: number): Ctx {
  const now = new Date(Date.parse(ctx.now) - days * 24 * 60 * 60 * 1000)
  return { ...ctx, today: addDays(ctx.today, -days), now: now.toISOString() }
}

const employer = (ctx: Ctx, organization_id: string, said: z.input<typeof NewEmployer>): Promise<string> =>
  createEmployer(ctx, organization_id, NewEmployer.parse(said))

/** Harbor serves a bakery with a roster, a dental studio that has just begun, and a tool shop that left today. */
async function harborsBook(ctx: Ctx, organization_id: string): Promise<void> {
  const sunrise = await employer(daysAgo(ctx, 400), organization_id, bakery)
  const ironwood = await employer(daysAgo(ctx, 300), organization_id, tool_shop)
  await employer(daysAgo(ctx, 2), organization_id, dental_studio)
  await createPolicy(ctx, sunrise, { classification: 'full_time', waiting_period: 'first_of_following_month' })
  await endSubscription(ctx, ironwood, ctx.today)
  await roster(ctx, sunrise)
}

/** One baker of long standing, one part time, one new, one who left, one who is leaving, and one who came back. */
async function roster(ctx: Ctx, employer_id: string): Promise<void> {
  const ago = (days: number) => addDays(ctx.today, -days)
  const hire = (
    first_name: string,
    last_name: string,
    born: string,
    days: number,
    more: Partial<z.input<typeof NewEmployee>> = {},
  ) =>
    hireEmployee(
      ctx,
      employer_id,
      NewEmployee.parse({
        first_name,
        last_name,
        date_of_birth: born,
        start_date: ago(days),
        email: `${first_name}.${last_name}@example.com`.toLowerCase(),
        reference_id: `${first_name[0]}${last_name[0]}-${born.slice(0, 4)}`,
        ...more,
      }),
    )
  await hire('Amara', 'Nwosu', '1984-02-29', 2200, {
    compensation_type: 'Salary',
    phone: '5185550101',
    gender: 'Female',
  })
  const ben = await hire('Ben', 'Castillo', '1991-07-04', 900, { compensation_type: 'Hourly', phone: '5185550102' })
  await changeEmployee(ctx, ben, EmployeeChanges.parse({ effective_date: ago(120), employee_class: 'Part Time' }))
  await hire('Chloe', 'Ek', '2001-11-19', 9, { phone: '5185550103', address: bakery.address })
  const dmitri = await hire('Dmitri', 'Volkov', '1979-03-30', 1500)
  await terminateEmployee(ctx, dmitri, { termination_date: ago(20), reason: 'Moved away' })
  const edith = await hire('Edith', 'Larsen', '1961-09-08', 4000, { compensation_type: 'Salary' })
  await terminateEmployee(ctx, edith, { termination_date: addDays(ctx.today, 30), reason: 'Retires' })
  const farid = await hire('Farid', 'Rahimi', '1995-05-12', 700, { employee_class: 'Seasonal' })
  await terminateEmployee(ctx, farid, { termination_date: ago(50), reason: 'End of season' })
  await rehireEmployee(ctx, farid, {
    start_date: ago(10),
    employee_class: 'Full Time',
    compensation_type: undefined,
    reference_id: undefined,
  })
}
