import { createApiKey } from '../modules/access/api-keys/actions.ts'
import { createOperator } from '../modules/access/operators/actions.ts'
import { insertOperator } from '../modules/access/operators/queries.ts'
import { insertMembership, insertOrganization, insertUser } from '../modules/access/organizations/queries.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { addDays, day_ms } from '../kernel/days.ts'
import { newId } from '../kernel/ids.ts'
import { inTransaction, type Runtime } from '../runtime/runtime.ts'
import type { Task } from '../jobs/worker.ts'
import { seedHarborsBook, seedRivalsBook } from './book.ts'
import { Jobs, onDay } from './timeline.ts'
import { seedSilverPremiums } from './catalog.ts'

/**
 * The data shared by the sandbox and the tests. Harbor is a brokerage with several employers (book.ts), Rival is an
 * organization that must not see Harbor's data, and Lookout reads across all organizations. Keys are not rate limited.
 */
export type Story = {
  organization_id: string
  rival_organization_id: string
  super_organization_id: string
  /** The key of Maya, an ADMIN of Harbor, bound to Harbor. */
  api_key: string
  /** The key of Omar, a member of Harbor and of Rival, valid for both. */
  multi_organization_api_key: string
  super_api_key: string
  rival_api_key: string
  /** The key of Nia, who has no organization yet. */
  newcomer_api_key: string
  /** The key of Olive, an owner of the installation. */
  operator_key: string
}

/** Creates the organizations of the story and their keys in one transaction, as a start for each test file. */
export const seedOrganizations = (runtime: Runtime): Promise<Story> =>
  inTransaction(runtime, serviceCaller(null), organizations)

/** Creates the whole story up to today in one transaction, as a start for the sandbox. */
export const seedStory = (runtime: Runtime, tasks: Record<string, Task>): Promise<Story> =>
  inTransaction(runtime, serviceCaller(null), async (seeding_ctx) => {
    const jobs = new Jobs(runtime, tasks)
    const ctx = { ...seeding_ctx, ...jobs.queueIn(seeding_ctx.db) }
    const begin = addDays(ctx.today, -600)
    const story = await organizations(onDay(ctx, begin))
    await seedSilverPremiums(ctx, begin)
    await seedHarborsBook(ctx, jobs, story.organization_id, begin)
    await seedRivalsBook(ctx, jobs, story.rival_organization_id, begin)
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

  const key = async (name: string, user_id: string, organization_id: string | null) =>
    (await createApiKey(ctx, { name, user_id, organization_id, mode: 'test', rate_limited: false })).api_key

  return {
    organization_id: harbor,
    rival_organization_id: rival,
    super_organization_id: lookout,
    api_key: await key('Harbor', maya, harbor),
    multi_organization_api_key: await key('Harbor and Rival', omar, null),
    super_api_key: await key('Lookout', sol, lookout),
    rival_api_key: await key('Rival', rita, rival),
    newcomer_api_key: await key('Newcomer', nia, null),
    operator_key: await operators(ctx),
  }
}

/** Operators with the other roles, for visitors of the sandbox. */
const colleagues = [
  { name: 'Tess Moreau', role: 'operations' },
  { name: 'Igor Blom', role: 'billing' },
  { name: 'Lena Strand', role: 'support' },
] as const

async function operators(ctx: Ctx): Promise<string> {
  const operator_key = await operator(ctx)
  for (const { name, role } of colleagues) await insertOperator(ctx, { operator_id: await user(ctx, name, []), role })
  return operator_key
}

/** Creates an owner of the installation with a key of the maximum lifetime. */
async function operator(ctx: Ctx): Promise<string> {
  const expires_at = new Date(Date.parse(ctx.real_now) + 366 * day_ms).toISOString()
  const owner = { name: 'Olive Marsh', email: 'olive@example.com', role: 'owner' } as const
  const { key } = await createOperator(ctx, { ...owner, key: { name: 'The sandbox', expires_at } })
  return key.operator_key
}

/** Creates an owner's key for a sandbox without a valid one. */
export const seedOperatorKey = (runtime: Runtime): Promise<string> =>
  inTransaction(runtime, serviceCaller(null), operator)

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
