import { columnsOf } from '../../../database/sql/fragments.ts'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { recordEvents } from '../../../runtime/events.ts'
import type { ReEncryption } from '../../../security/re-encryption.ts'
import { isOutdated } from '../../../security/secrets.ts'
import { newId } from '../../../kernel/ids.ts'
import { invalid, Refusal, refuse } from '../../../kernel/refusal.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { addToEmployerCount, findOrganizationState } from '../../access/organizations/queries.ts'
import { saveAdmin } from './admin-queries.ts'
import {
  findLatestSubscription,
  findTaken,
  insertEmployer,
  insertEmployerAdmin,
  insertSubscription,
  isMember,
  listEntriesToRefresh,
  listKeptEins,
  lockEmployer,
  noteSubscriptionEnd,
  saveBookEntries,
  saveEmployer,
  saveKeptEins,
  saveSubscriptionEnd,
  saveSubscriptionsBeginning,
  type LockedEmployer,
  findPayCalendar,
  saveAdministration,
  saveEmployerSettings,
  wouldAffectBooked,
} from './queries.ts'
import {
  changedDetails,
  deductionsPerYear,
  hasChanged,
  einDigits,
  refusals,
  whyCollides,
  whyNotEnd,
  whyNotItsEin,
  whyNotSubscribe,
  whyNotAtAddress,
  type Subscription,
} from './rules.ts'
import type {
  EmployerAdministration,
  EmployerChanges,
  EmployerSettingsChanges,
  NewEmployer,
  NewEmployerAdmin,
} from './schemas.ts'

/**
 * Creates an employer of an organization and returns its id. Its email address becomes the first admin. In a sandbox
 * organization, its subscription starts today; elsewhere, the operator grants one. Refuses values that another employer
 * of the organization has (409), then a PO Box (422).
 */
export async function createEmployer(ctx: Ctx, organization_id: string, employer: NewEmployer): Promise<string> {
  const digits = einDigits(employer.ein)!
  const ein_hashes = ctx.secrets.lookupHashes(digits)
  const identifiers = { ...employer, ein_hashes, phone_number: employer.phone_number ?? null }
  const [taken, organization] = await Promise.all([
    findTaken(ctx, organization_id, null, identifiers),
    findOrganizationState(ctx, { organization_id }),
  ])
  refuse(whyCollides(taken))
  refuse(whyNotAtAddress(employer.address))

  const id = newId('empr')
  const subscription = { id: newId('sub'), employer_id: id, started_on: ctx.today, ended_on: null }
  const ein_hash = ctx.secrets.lookupHash(digits)
  const ein_sealed = ctx.secrets.encrypt(employer.ein)
  await ctx.db.send([
    insertEmployer(ctx, { ...employer, id, organization_id, ein_hash, ein_sealed }),
    insertEmployerAdmin(ctx, { id: newId('eadm'), organization_id, employer_id: id, email: employer.email }),
    organization!.sandbox && insertSubscription(ctx, { ...subscription, organization_id }),
    addToEmployerCount(ctx, { organization_id }),
    recordEvents(ctx, [{ event_name: 'employer.created', organization_id, resource_id: id }]),
  ])
  return id
}

/**
 * Changes the details of an employer, all or none. Refuses another EIN or an owner outside the organization (400),
 * values that another employer of the organization has (409), then a PO Box (422). A change without effect writes
 * nothing.
 */
export async function updateEmployer(ctx: Ctx, key: EmployerKey, changes: EmployerChanges): Promise<void> {
  const { organization_id, employer_id } = key
  const employer = (await lockEmployer(ctx, { employer_id }))!
  const isOfEmployer = (digits: string) =>
    ctx.secrets.lookupHashes(digits).some((hash) => hash.equals(employer.ein_hash))
  refuse(whyNotItsEin(changes.ein, { last_four: employer.ein_last_four, isOfEmployer }))

  const { owner_user_id: user_id } = changes
  if (user_id && !(await isMember(ctx, { organization_id, user_id })))
    throw invalid({ field: 'owner_user_id', message: 'is not a member of the organization' })
  const details = changedDetails(detailsOf(employer), changes)
  if (!hasChanged(detailsOf(employer), details)) return
  const ein_hashes = [employer.ein_hash]
  refuse(whyCollides(await findTaken(ctx, organization_id, employer_id, { ...details, ein_hashes })))
  refuse(changes.address && whyNotAtAddress(changes.address))
  await saveEmployer(ctx, employer, details)
  await recordEvents(ctx, [{ event_name: 'employer.updated', organization_id, resource_id: employer_id }])
  // Some benefits are offered only in certain states. Employees without a known state count as being in the state of
  // the employer.
  if (details.state !== employer.state) await requestRecalculation(ctx, key)
}

/**
 * Adds an admin to an employer and returns the id of the admin. Refuses with 409 if that person is already an admin of
 * the employer.
 */
export async function addAdmin(ctx: Ctx, employer: EmployerKey, { email, name, phone }: NewEmployerAdmin) {
  const admin = { id: newId('eadm'), email, name: name ?? null, phone: phone ?? null }
  const saved = await saveAdmin(ctx, employer, admin)
  if (!saved)
    throw new Refusal(refusals.employer_admin_already_exists, [
      { field: 'email', message: 'is already an admin of the employer' },
    ])
  return saved.id
}

/** Enqueues a recalculation of all employees of an employer. Repeated requests share one job. */
export const requestRecalculation = (ctx: Ctx, { organization_id, employer_id }: EmployerKey) =>
  ctx.enqueue('recalculate_employer', { organization_id, employer_id }, { key: `recalculate:${employer_id}` })

const detailsOf = ({ id: _, organization_id: __, ein_hash: ___, ein_last_four: ____, ...details }: LockedEmployer) =>
  details

/**
 * Changes the given settings of an employer. Refuses with 400 a number of deductions that does not fit the pay
 * frequency.
 */
export async function updateEmployerSettings(
  ctx: Ctx,
  { employer_id }: EmployerKey,
  changes: EmployerSettingsChanges,
): Promise<void> {
  const stored = (await findPayCalendar(ctx, { employer_id }))!
  await saveEmployerSettings(ctx, employer_id, changes, deductionsPerYear(stored, changes))
}

/**
 * Changes the given administration settings of an employer. The next statement and invoice correct amounts that were
 * deducted or billed under the old settings.
 */
export async function administerEmployer(ctx: Ctx, key: EmployerKey, input: EmployerAdministration): Promise<void> {
  const { organization_id, employer_id } = key
  const { correction_reach_months: window_months = null, administered_from = null } = input
  await lockEmployer(ctx, { employer_id })
  if (await wouldAffectBooked(ctx, { ...key, window_months, administered_from }))
    refuse(refusals.months_adjusted_manually)
  if (!(await saveAdministration(ctx, key, input))) return
  await recordEvents(ctx, [{ event_name: 'employer.updated', organization_id, resource_id: employer_id }])
}

/**
 * Grants an employer a subscription starting on a day. Refuses with 409 if the employer already has a subscription on
 * that day or later. A job reinstates coverage if the gap after the previous subscription is short enough (SQL function
 * `served_days`).
 */
export async function grantSubscription(
  ctx: Ctx,
  { employer_id, organization_id }: EmployerKey,
  started_on: Day,
): Promise<Subscription> {
  const former = await findLatestSubscription(ctx, { employer_id })
  refuse(whyNotSubscribe(former, started_on))
  const subscription = { id: newId('sub'), employer_id, started_on, ended_on: null }
  await insertSubscription(ctx, { ...subscription, organization_id })
  if (former) await requestRecalculation(ctx, { employer_id, organization_id })
  // A later subscription has no effect until it starts, when the daily run applies it.
  if (started_on <= ctx.today) await noteSubscriptionEnd(ctx, organization_id, subscription)
  return subscription
}

/**
 * Ends the subscription of an employer. `ended_on` is the first day without it. A job then ends coverage with the month
 * of the day before. A future end can be moved. Refuses with 409 if the employer has no subscription, and with 422 if
 * the end is not after the start.
 */
export async function endSubscription(
  ctx: Ctx,
  { employer_id, organization_id }: EmployerKey,
  ended_on: Day,
): Promise<Subscription> {
  const latest = await findLatestSubscription(ctx, { employer_id })
  refuse(whyNotEnd(latest, ended_on, ctx.today))
  const subscription = { ...latest!, ended_on }
  await saveSubscriptionEnd(ctx, { ...subscription, organization_id })
  await requestRecalculation(ctx, { employer_id, organization_id })
  if (subscription.started_on <= ctx.today) await noteSubscriptionEnd(ctx, organization_id, subscription)
  return subscription
}

/** The daily run: starts subscriptions. */
export async function noteSubscriptionsBeginning(ctx: Ctx, organization_id: string): Promise<null> {
  await saveSubscriptionsBeginning(ctx, organization_id)
  return null
}

/** The daily run: updates the book entries of employers whose stage or benefits change today. */
export async function refreshBook(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const employer_ids = await listEntriesToRefresh(ctx, { organization_id, ...chunk })
  if (employer_ids.length > 0) await saveBookEntries(ctx, { organization_id, employer_ids })
  return lastOf(employer_ids, chunk)
}

/** Re-encrypts and rehashes the EINs of an organization with the current keys, newest employers first. */
export const reEncryptEins: ReEncryption = async (scope, organization_id, { after, most }) => {
  const { secrets } = scope
  const [before_at = 'infinity', before_id = ''] = after === '' ? [] : after.split('/')
  const kept = await listKeptEins(scope, { organization_id, before_at, before_id, most })
  const fresh = kept.flatMap(({ id, ein_sealed, ein_hash }) => {
    const ein = secrets.decrypt(ein_sealed)
    const hash = secrets.lookupHash(einDigits(ein)!)
    const is_kept = hash.equals(ein_hash) && !isOutdated(secrets, ein_sealed)
    return is_kept ? [] : [{ id, sealed: secrets.encrypt(ein), hash }]
  })
  await saveKeptEins(scope, {
    organization_id,
    ...columnsOf(fresh, ['id', 'sealed', 'hash']),
  })
  const last = kept.length < most ? undefined : kept.at(-1)
  return last ? `${last.created_at}/${last.id}` : null
}
