import type { Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { NewAddress } from '../../../kernel/fields.ts'
import { fixed_deductions, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import type { EmployerChanges, EmployerSettingsChanges } from './schemas.ts'

export const refusals = declareRefusals({
  EIN_ALREADY_EXISTS: [
    409,
    'An employer of this organization has this EIN.',
    'Find the employer: `GET /v1/employers?search=` takes an EIN. Update it instead of creating it.',
  ],
  NAME_ALREADY_EXISTS: [
    409,
    'An employer of this organization has this name.',
    'Find the employer by `GET /v1/employers?search=`, or choose another display name.',
  ],
  LEGAL_NAME_ALREADY_EXISTS: [
    409,
    'An employer of this organization has this legal name.',
    'Find the employer by `GET /v1/employers?search=`, and update it instead of creating it.',
  ],
  EMAIL_ALREADY_EXISTS: [
    409,
    'An employer of this organization has this e-mail address.',
    'Use another address: each employer has its own.',
  ],
  PHONE_ALREADY_EXISTS: [
    409,
    'An employer of this organization has this phone number.',
    'Use another phone number, or none: it is optional.',
  ],
  employer_admin_already_exists: [
    409,
    'Somebody with this e-mail address looks after the employer already.',
    'Nothing is to be done; to change a name or phone number, remove them and add them again.',
  ],
  po_box_not_allowed: [
    422,
    'An employer needs a street address, not a PO Box.',
    'Send the street address of the employer; a PO box is no place of business.',
  ],
  employer_has_active_subscription: [
    409,
    'The employer has a subscription then or later: end it first.',
    'End the present subscription first, or let the new one begin later.',
  ],
  employer_has_no_active_subscription: [
    409,
    'The employer has no active subscription.',
    'Ask the operator for a subscription of the employer.',
  ],
  months_booked_by_hand: [
    409,
    'Corrections would reach months that amounts are booked for by hand, and ask for those again: take them back ' +
      'first, by the opposite amounts.',
    'Book the opposite amounts, then change the reach or the first day.',
  ],
  subscription_ends_before_it_starts: [
    422,
    'A subscription lasts a day at least: it must end after the day it starts.',
    'Name a day after the first one.',
  ],
})

/** Which of the values that are unique within an organization another employer holds. */
export type Taken = { ein: boolean; name: boolean; legal_name: boolean; email: boolean; phone_number: boolean }

/** In the order of the interface: the first that collides is answered. */
const collisions: [keyof Taken, RefusalKind][] = [
  ['ein', refusals.EIN_ALREADY_EXISTS],
  ['name', refusals.NAME_ALREADY_EXISTS],
  ['legal_name', refusals.LEGAL_NAME_ALREADY_EXISTS],
  ['email', refusals.EMAIL_ALREADY_EXISTS],
  ['phone_number', refusals.PHONE_ALREADY_EXISTS],
]

/** The refusals of a value that another employer of the organization holds, in the order of the interface. */
export const collisionRefusals = collisions.map(([, kind]) => kind)

/** Why an employer may not hold its values: the first that another employer of the organization holds. */
export function whyCollides(taken: Taken): Refusal | undefined {
  const found = collisions.find(([field]) => taken[field])
  return found && new Refusal(found[1], [{ field: found[0], message: 'belongs to another employer' }])
}

/** Why an address can't be an employer's: it is a PO Box, in either line. */
export function whyNotThere(address: NewAddress): Refusal | undefined {
  const lines = ['address_line_1', 'address_line_2'] as const
  const line = lines.find((name) => isPoBox(address[name] ?? ''))
  return (
    line && new Refusal(refusals.po_box_not_allowed, [{ field: `address.${line}`, message: 'must not be a PO Box' }])
  )
}

/** Upper case, accents and invisible characters gone, everything that is not a letter or digit one space. */
const plain = (line: string): string =>
  line
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const box = '(?:B[O0]X|BX)(?:ES)?'
const container = `(?:${box}|DRAWER|DRWR)`
/** `12`, `NO 12`, `A12`, or a lone letter at the end: what follows a box and hardly ever a street called so. */
const number = '(?: ?(?:NO|NR|NUM|NUMBER))? ?(?:[A-Z]?\\d|[A-Z]$)'
const wordStart = '(?<!\\p{L})'
const wordEnd = '(?!\\p{L})'

const poBoxes = [
  `${wordStart}G?P ?[O0] ${container}${wordEnd}`,
  // In one word it is the name of a street too, unless a number follows or nothing: 1 Pobox Street.
  `${wordStart}G?P ?[O0]${container}(?:${number}|$)`,
  `${wordStart}P ?[O0] ?B${number}`,
  `${wordStart}POST(?:AL)? ?OFF(?:ICE)? ?${container}${wordEnd}`,
  `${wordStart}POST(?:AL)? ?${container}${number}`,
  `${wordStart}LOCK ?${box}${number}`,
  // Elsewhere in a line a bare box belongs to a rural, highway or military route: RR 2 Box 15.
  `^${container}${number}`,
].map((pattern) => new RegExp(pattern, 'u'))

/** Whether a line of an address is a PO Box (decisions.md, section 3). Streets called Box Elder or Post Oak are not. */
export function isPoBox(line: string): boolean {
  const words = plain(line)
  return poBoxes.some((pattern) => pattern.test(words))
}

/** The digits of an EIN written with or without its dash; undefined when the text is none. */
export const einDigits = (written: string): string | undefined =>
  /^\d{2}-?\d{7}$/.test(written.trim()) ? written.trim().replace('-', '') : undefined

/** An EIN as every answer shows it. */
export const maskedEin = (last_four: string): string => `**-***${last_four}`

type PaydaysThatTake = { pay_frequency: PayCalendar['pay_frequency']; deductions_per_year: number | null }

/**
 * From how many paydays a year an employer takes after its settings change. What is fixed is given up with the
 * frequency that it was for; 400 for a number that does not go with the frequency.
 */
export function deductionsPerYear(stored: PaydaysThatTake, changes: EmployerSettingsChanges): number | null {
  const most = fixed_deductions[changes.pay_frequency ?? stored.pay_frequency]
  const said = changes.deductions_per_year
  if (said === undefined) return stored.deductions_per_year === most ? most : null
  if (said === null || said === most) return said
  const message =
    most === null ? 'must be null with this pay_frequency' : `must be ${most} or null with this pay_frequency`
  throw new Refusal(generic.invalid_request, [{ field: 'deductions_per_year', message }])
}

/** What a partner may change of an employer, as it is stored. */
export type EmployerDetails = {
  name: string
  legal_name: string
  email: string
  phone_number: string | null
  reference_id: string | null
  active: boolean
} & NewAddress

/** An employer's details after a change: absent fields stay, null clears a phone number or reference. */
export function changedDetails(stored: EmployerDetails, changes: EmployerChanges): EmployerDetails {
  const { address, ein: _, ...fields } = changes
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { ...stored, ...Object.fromEntries(sent), ...address }
}

/** Whether two states of an employer differ in anything that a partner may change. */
export const differs = (before: EmployerDetails, after: EmployerDetails): boolean =>
  (Object.keys(after) as (keyof EmployerDetails)[]).some((field) => before[field] !== after[field])

/** Why an EIN may not stand in a change: only the employer's own may, plain or as our answers mask it. */
export function whyNotItsEin(
  sent: string | undefined,
  own: { last_four: string; isIts: (digits: string) => boolean },
): Refusal | undefined {
  if (sent === undefined || sent.trim() === maskedEin(own.last_four)) return undefined
  const digits = einDigits(sent)
  if (digits !== undefined && own.isIts(digits)) return undefined
  return new Refusal(generic.invalid_request, [{ field: 'ein', message: 'can not be changed' }])
}

/** A subscription: `ended_on` is the first day without it. */
export type Subscription = { id: string; employer_id: string; started_on: Day; ended_on: Day | null }

/** Why a subscription may not start on a day, given the employer's latest one. */
export const whyNotSubscribe = (latest: Subscription | undefined, started_on: Day): RefusalKind | undefined =>
  latest && (latest.ended_on === null || latest.ended_on > started_on)
    ? refusals.employer_has_active_subscription
    : undefined

/** Why the latest subscription may not end on a day. An end that lies ahead may still be moved. */
export function whyNotEnd(latest: Subscription | undefined, ended_on: Day, today: Day): RefusalKind | undefined {
  if (!latest || (latest.ended_on !== null && latest.ended_on <= today))
    return refusals.employer_has_no_active_subscription
  return ended_on <= latest.started_on ? refusals.subscription_ends_before_it_starts : undefined
}
