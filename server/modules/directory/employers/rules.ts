import type { Day } from '../../../kernel/days.ts'
import { declareRefusals, Refusal, type RefusalKind, invalid } from '../../../kernel/refusal.ts'
import type { NewAddress } from '../../../kernel/fields.ts'
import { fixed_deductions, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import type { EmployerChanges, EmployerSettingsChanges } from './schemas.ts'

export const refusals = declareRefusals({
  EIN_ALREADY_EXISTS: [
    409,
    'Another employer of this organization has this EIN.',
    'Find the employer with `GET /v1/employers?search=`, which accepts an EIN, and update it instead.',
  ],
  NAME_ALREADY_EXISTS: [
    409,
    'Another employer of this organization has this name.',
    'Find the employer with `GET /v1/employers?search=`, or use another display name.',
  ],
  LEGAL_NAME_ALREADY_EXISTS: [
    409,
    'Another employer of this organization has this legal name.',
    'Find the employer with `GET /v1/employers?search=`, and update it instead.',
  ],
  EMAIL_ALREADY_EXISTS: [
    409,
    'Another employer of this organization has this email address.',
    'Use another email address. Each employer needs its own.',
  ],
  PHONE_ALREADY_EXISTS: [
    409,
    'Another employer of this organization has this phone number.',
    'Use another phone number, or omit it.',
  ],
  employer_admin_already_exists: [
    409,
    'A person with this email address is already an admin of the employer.',
    'No action is needed. To change the name or phone number, remove the admin and add them again.',
  ],
  po_box_not_allowed: [
    422,
    'An employer needs a street address, not a PO Box.',
    'Send the street address of the employer.',
  ],
  employer_has_active_subscription: [
    409,
    'The employer already has a subscription on or after that day.',
    'End the current subscription first, or choose a later start.',
  ],
  employer_has_no_active_subscription: [
    409,
    'The employer has no active subscription.',
    'Request a subscription for the employer from the operator.',
  ],
  months_adjusted_manually: [
    409,
    'Some months have manually booked amounts. They must be neither within the correction window nor before go-live.',
    'Book the opposite amounts, then change the correction window or the go-live day.',
  ],
  subscription_ends_before_it_starts: [
    422,
    'A subscription must last at least one day.',
    'Send a day after the start of the subscription.',
    'ended_on',
  ],
})

/** Which unique values another employer of the organization has. */
export type Taken = { ein: boolean; name: boolean; legal_name: boolean; email: boolean; phone_number: boolean }

/** In the documented order. The first collision is reported. */
const collisions: [keyof Taken, RefusalKind][] = [
  ['ein', refusals.EIN_ALREADY_EXISTS],
  ['name', refusals.NAME_ALREADY_EXISTS],
  ['legal_name', refusals.LEGAL_NAME_ALREADY_EXISTS],
  ['email', refusals.EMAIL_ALREADY_EXISTS],
  ['phone_number', refusals.PHONE_ALREADY_EXISTS],
]

/** The refusals of values that another employer of the organization has, in the documented order. */
export const collisionRefusals = collisions.map(([, kind]) => kind)

/** Refuses values that another employer of the organization has. Reports the first one. */
export function whyCollides(taken: Taken): Refusal | undefined {
  const found = collisions.find(([field]) => taken[field])
  return found && new Refusal(found[1], [{ field: found[0], message: 'belongs to another employer' }])
}

/** Refuses an address with a PO Box in either line. */
export function whyNotAtAddress(address: NewAddress): Refusal | undefined {
  const lines = ['address_line_1', 'address_line_2'] as const
  const line = lines.find((name) => isPoBox(address[name] ?? ''))
  return (
    line && new Refusal(refusals.po_box_not_allowed, [{ field: `address.${line}`, message: 'must not be a PO Box' }])
  )
}

/**
 * Normalizes a line: upper case, without accents and invisible characters, and with one space for any run of other
 * characters.
 */
const plain = (line: string): string =>
  line
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const box = '(?:B[O0]X|BX)(?:ES)?'
const container = `(?:${box}|DRAWER|DRWR)`
/**
 * The number of a box: `12`, `NO 12`, `A12`, or a single letter at the end. Street names hardly ever continue like
 * this.
 */
const number = '(?: ?(?:NO|NR|NUM|NUMBER))? ?(?:[A-Z]?\\d|[A-Z]$)'
const wordStart = '(?<!\\p{L})'
const wordEnd = '(?!\\p{L})'

const poBoxes = [
  `${wordStart}G?P ?[O0] ${container}${wordEnd}`,
  // Written as one word, it can also be a street name (1 Pobox Street), unless a number or nothing follows.
  `${wordStart}G?P ?[O0]${container}(?:${number}|$)`,
  `${wordStart}P ?[O0] ?B${number}`,
  `${wordStart}POST(?:AL)? ?OFF(?:ICE)? ?${container}${wordEnd}`,
  `${wordStart}POST(?:AL)? ?${container}${number}`,
  `${wordStart}LOCK ?${box}${number}`,
  // Only at the start of a line. Elsewhere, a bare box belongs to a rural, highway or military route: RR 2 Box 15.
  `^${container}${number}`,
].map((pattern) => new RegExp(pattern, 'u'))

/** Whether a line of an address is a PO Box. Streets such as Box Elder or Post Oak are not. */
export function isPoBox(line: string): boolean {
  const words = plain(line)
  return poBoxes.some((pattern) => pattern.test(words))
}

/** The digits of an EIN, with or without its dash. Undefined if the string is not an EIN. */
export const einDigits = (written: string): string | undefined =>
  /^\d{2}-?\d{7}$/.test(written.trim()) ? written.trim().replace('-', '') : undefined

/** An EIN as shown in responses. */
const maskedEin = (last_four: string): string => `**-***${last_four}`

type PaydaysThatTake = { pay_frequency: PayCalendar['pay_frequency']; deductions_per_year: number | null }

/**
 * The number of deductions per year after a change of settings. A fixed number is dropped if the pay frequency changes.
 * Refuses with 400 a number that does not fit the frequency.
 */
export function deductionsPerYear(stored: PaydaysThatTake, changes: EmployerSettingsChanges): number | null {
  const most = fixed_deductions[changes.pay_frequency ?? stored.pay_frequency]
  const requested = changes.deductions_per_year
  if (requested === undefined) return stored.deductions_per_year === most ? most : null
  if (requested === null || requested === most) return requested
  const message =
    most === null ? 'must be null with this pay_frequency' : `must be ${most} or null with this pay_frequency`
  throw invalid({ field: 'deductions_per_year', message })
}

/** The details of an employer that a partner may change, as stored. */
export type EmployerDetails = {
  name: string
  legal_name: string
  email: string
  phone_number: string | null
  reference_id: string | null
  owner_user_id: string | null
  active: boolean
} & NewAddress

/** The details of an employer after a change. Absent fields stay; null clears a phone number, reference or owner. */
export function changedDetails(stored: EmployerDetails, changes: EmployerChanges): EmployerDetails {
  const { address, ein: _, ...fields } = changes
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { ...stored, ...Object.fromEntries(sent), ...address }
}

/** Whether two versions of an employer differ in any detail that a partner may change. */
export const hasChanged = (before: EmployerDetails, after: EmployerDetails): boolean =>
  (Object.keys(after) as (keyof EmployerDetails)[]).some((field) => before[field] !== after[field])

/** Refuses a change of the EIN. The employer's own EIN is accepted, in full or masked. */
export function whyNotItsEin(
  sent: string | undefined,
  own: { last_four: string; isOfEmployer: (digits: string) => boolean },
): Refusal | undefined {
  if (sent === undefined || sent.trim() === maskedEin(own.last_four)) return undefined
  const digits = einDigits(sent)
  if (digits !== undefined && own.isOfEmployer(digits)) return undefined
  return invalid({ field: 'ein', message: 'cannot be changed' })
}

/** A subscription. `ended_on` is the first day without it. */
export type Subscription = { id: string; employer_id: string; started_on: Day; ended_on: Day | null }

/** Refuses a subscription that starts before the end of the latest one. */
export const whyNotSubscribe = (latest: Subscription | undefined, started_on: Day): RefusalKind | undefined =>
  latest && (latest.ended_on === null || latest.ended_on > started_on)
    ? refusals.employer_has_active_subscription
    : undefined

/** Refuses to end the latest subscription on a day. A future end can still be moved. */
export function whyNotEnd(latest: Subscription | undefined, ended_on: Day, today: Day): RefusalKind | undefined {
  if (!latest || (latest.ended_on !== null && latest.ended_on <= today))
    return refusals.employer_has_no_active_subscription
  return ended_on <= latest.started_on ? refusals.subscription_ends_before_it_starts : undefined
}
