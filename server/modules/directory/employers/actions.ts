import { lastOf } from '../../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { recordEvents } from '../../../runtime/events.ts'
import type { Remake } from '../../../security/re-encrypt.ts'
import { isStale } from '../../../security/key-age.ts'
import { newId } from '../../../kernel/ids.ts'
import { Refusal, refuse } from '../../../kernel/refusal.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { addToEmployerCount, findOrganizationState } from '../../access/organizations/queries.ts'
import { saveAdmin } from './found-queries.ts'
import {
  findLatestSubscription,
  findTaken,
  insertEmployer,
  insertEmployerAdmin,
  insertSubscription,
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
} from './queries.ts'
import { findPayCalendar, saveAdministration, saveEmployerSettings, wouldReachBooked } from './settings-queries.ts'
import {
  changedDetails,
  deductionsPerYear,
  differs,
  einDigits,
  refusals,
  whyCollides,
  whyNotEnd,
  whyNotItsEin,
  whyNotSubscribe,
  whyNotThere,
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
 * Creates an employer of an organization, its e-mail address being its first admin, and returns its id. In a
 * sandbox organization it has a subscription at once; elsewhere the operator grants it.
 * Refuses values that another employer of the organization holds (409), then a PO Box (422).
 */
export async function createEmployer(ctx: Ctx, organization_id: string, employer: NewEmployer): Promise<string> {
  const digits = einDigits(employer.ein)!
  const ein_hashes = ctx.secrets.lookupHashes(digits)
  const claims = { ...employer, ein_hashes, phone_number: employer.phone_number ?? null }
  refuse(whyCollides(await findTaken(ctx, organization_id, null, claims)))
  refuse(whyNotThere(employer.address))

  const id = newId('empr')
  await insertEmployer(ctx, {
    ...employer,
    id,
    organization_id,
    ein_hash: ctx.secrets.lookupHash(digits),
    ein_sealed: ctx.secrets.encrypt(employer.ein),
  })
  await addToEmployerCount(ctx, organization_id)
  await insertEmployerAdmin(ctx, { id: newId('eadm'), organization_id, employer_id: id, email: employer.email })
  await recordEvents(ctx, [{ event_name: 'employer.created', organization_id, resource_id: id }])
  const { sandbox } = (await findOrganizationState(ctx, organization_id))!
  if (sandbox) await grantSubscription(ctx, { employer_id: id, organization_id }, ctx.today)
  return id
}

/**
 * Changes the details of an employer: all of those sent, or none. Refuses another EIN (400), values that another
 * employer of the organization holds (409), then a PO Box (422). A change that changes nothing leaves no trace.
 */
export async function updateEmployer(ctx: Ctx, key: EmployerKey, changes: EmployerChanges): Promise<void> {
  const { organization_id, employer_id } = key
  const employer = (await lockEmployer(ctx, employer_id))!
  const isIts = (digits: string) => ctx.secrets.lookupHashes(digits).some((hash) => hash.equals(employer.ein_hash))
  refuse(whyNotItsEin(changes.ein, { last_four: employer.ein_last_four, isIts }))

  const details = changedDetails(detailsOf(employer), changes)
  if (!differs(detailsOf(employer), details)) return
  const ein_hashes = [employer.ein_hash]
  refuse(whyCollides(await findTaken(ctx, organization_id, employer_id, { ...details, ein_hashes })))
  refuse(changes.address && whyNotThere(changes.address))
  await saveEmployer(ctx, employer, details)
  await recordEvents(ctx, [{ event_name: 'employer.updated', organization_id, resource_id: employer_id }])
  // What is offered in some states only is offered by that of the employer to those whose own is unknown.
  if (details.state !== employer.state) await requestRecalculation(ctx, key)
}

/** Adds somebody who looks after an employer, and returns their id there; 409 for one who does. */
export async function addAdmin(ctx: Ctx, employer: EmployerKey, { email, name, phone }: NewEmployerAdmin) {
  const admin = { id: newId('eadm'), email, name: name ?? null, phone: phone ?? null }
  const saved = await saveAdmin(ctx, employer, admin)
  if (!saved)
    throw new Refusal(refusals.employer_admin_already_exists, [{ field: 'email', message: 'looks after it already' }])
  return saved.id
}

/** Has everybody of an employer recalculated soon, once however many ask. */
export const requestRecalculation = (ctx: Ctx, { organization_id, employer_id }: EmployerKey) =>
  ctx.enqueue('recalculate_employer', { organization_id, employer_id }, { key: `recalculate:${employer_id}` })

const detailsOf = ({ id: _, organization_id: __, ein_hash: ___, ein_last_four: ____, ...details }: LockedEmployer) =>
  details

/** Changes the settings of an employer that are sent; 400 for deductions that do not go with how it pays. */
export async function updateEmployerSettings(
  ctx: Ctx,
  { employer_id }: EmployerKey,
  changes: EmployerSettingsChanges,
): Promise<void> {
  const stored = (await findPayCalendar(ctx, employer_id))!
  await saveEmployerSettings(ctx, employer_id, changes, deductionsPerYear(stored, changes))
}

/**
 * Sets how an employer is administered, as far as it is sent. Money follows: what was deducted or billed otherwise is
 * corrected by the next statement and invoice.
 */
export async function administerEmployer(ctx: Ctx, key: EmployerKey, said: EmployerAdministration): Promise<void> {
  const { organization_id, employer_id } = key
  const { correction_reach_months: reach_months } = said
  await lockEmployer(ctx, employer_id)
  if (reach_months !== undefined && (await wouldReachBooked(ctx, key, reach_months)))
    refuse(refusals.months_booked_by_hand)
  if (!(await saveAdministration(ctx, key, said))) return
  await recordEvents(ctx, [{ event_name: 'employer.updated', organization_id, resource_id: employer_id }])
}

/**
 * Gives an employer a subscription from a day on; 409 when it has one then or later. Of one that follows a former
 * within 60 days nothing ended: a job gives back what the end took.
 */
export async function grantSubscription(
  ctx: Ctx,
  { employer_id, organization_id }: EmployerKey,
  started_on: Day,
): Promise<Subscription> {
  const former = await findLatestSubscription(ctx, employer_id)
  refuse(whyNotSubscribe(former, started_on))
  const subscription = { id: newId('sub'), employer_id, started_on, ended_on: null }
  await insertSubscription(ctx, organization_id, subscription)
  if (former) await requestRecalculation(ctx, { employer_id, organization_id })
  // Until a later one begins, the employer is as the former left it; the daily run of that day notes it.
  if (started_on <= ctx.today) await noteSubscriptionEnd(ctx, organization_id, subscription)
  return subscription
}

/**
 * Ends the subscription of an employer; `ended_on` is the first day without it, and coverage ends with the month of the
 * day before, which a job sees to. An end that lies ahead may be moved. 409 when the employer has none, 422 when it
 * would end before it starts.
 */
export async function endSubscription(
  ctx: Ctx,
  { employer_id, organization_id }: EmployerKey,
  ended_on: Day,
): Promise<Subscription> {
  const latest = await findLatestSubscription(ctx, employer_id)
  refuse(whyNotEnd(latest, ended_on, ctx.today))
  const subscription = { ...latest!, ended_on }
  await saveSubscriptionEnd(ctx, organization_id, subscription)
  await requestRecalculation(ctx, { employer_id, organization_id })
  if (subscription.started_on <= ctx.today) await noteSubscriptionEnd(ctx, organization_id, subscription)
  return subscription
}

/** The daily run: subscriptions begin. */
export async function noteSubscriptionsBeginning(ctx: Ctx, organization_id: string): Promise<null> {
  await saveSubscriptionsBeginning(ctx, organization_id)
  return null
}

/** The daily run: the book learns whose stage or benefits are others today. */
export async function refreshBook(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const employer_ids = await listEntriesToRefresh(ctx, organization_id, chunk)
  if (employer_ids.length > 0) await saveBookEntries(ctx, organization_id, employer_ids)
  return lastOf(employer_ids, chunk)
}

/** Encrypts and hashes the EINs of an organization with the keys of now, the newest employers first. */
export const remakeEins: Remake = async (scope, organization_id, { after, most }) => {
  const { secrets } = scope
  const [before_at = 'infinity', before_id = ''] = after?.split('/') ?? []
  const kept = await listKeptEins(scope, { organization_id, before_at, before_id, most })
  const fresh = kept.flatMap(({ id, ein_sealed, ein_hash }) => {
    const ein = secrets.decrypt(ein_sealed)
    const hash = secrets.lookupHash(einDigits(ein)!)
    const is_kept = hash.equals(ein_hash) && !isStale(secrets, ein_sealed)
    return is_kept ? [] : [{ id, sealed: secrets.encrypt(ein), hash }]
  })
  await saveKeptEins(scope, {
    organization_id,
    ids: fresh.map(({ id }) => id),
    sealed: fresh.map(({ sealed }) => sealed),
    hashes: fresh.map(({ hash }) => hash),
  })
  const last = kept.length < most ? undefined : kept.at(-1)
  return last ? `${last.created_at}/${last.id}` : null
}
