import { hashOf, type FormFiler } from '../forms/document-rules.ts'
import { declareRefusals, type RefusalKind } from '../../../kernel/refusal.ts'
import { easternDay, type Day } from '../../../kernel/days.ts'
import type { TransmissionRow } from './transmission-queries.ts'

export const refusals = declareRefusals({
  tax_year_not_over: [
    409,
    'The tax year has not ended.',
    'Release the forms of a tax year on January 1 of the next year or later.',
  ],
  forms_not_derived: [
    409,
    'The forms were not derived after the end of the tax year.',
    'Derive them with `POST /v1/employers/{employer_id}/forms-1095c/derive`, review them, and then release them.',
  ],
  forms_not_released: [
    409,
    'The forms were not released, or changed since.',
    'Release them with `POST /v1/employers/{employer_id}/forms-1095c/release`.',
  ],
  form_address_missing: [
    409,
    'Forms lack the address of the employee.',
    'List them with `GET /v1/employers/{employer_id}/forms-1095c?exception=address_missing`, and add the addresses.',
  ],
  form_name_not_accepted: [
    409,
    'A name on the forms contains characters that the IRS does not accept.',
    'List them with `GET /v1/employers/{employer_id}/forms-1095c?exception=name_not_accepted`, and enter the names ' +
      'as on the Social Security cards.',
  ],
  transmission_pending: [
    409,
    'The last transmission has no acknowledgement.',
    'Record the acknowledgement of the IRS first.',
  ],
  unknown_transmission: [
    409,
    'The employer has no such transmission.',
    'Pass the `unique_transmission_id` of `GET /v1/employers/{employer_id}/form-1094c/transmissions`.',
  ],
  transmission_not_latest: [
    409,
    'A later transmission was made.',
    'It depends on the recorded acknowledgement, so record only the acknowledgement of the latest transmission.',
  ],
  mailed_before_release: [
    409,
    'The forms without a mailing were released after the day.',
    'Send the day on which the print file was mailed, which is the day of the release or later.',
  ],
  nothing_to_transmit: [409, 'All released forms were transmitted.', 'Release changed forms first.'],
})

/** Why the forms of a tax year cannot be released. `derived_at`: the instant of the last derivation, if any. */
export function whyNotRelease(tax_year: number, derived_at: string | null, today: Day): RefusalKind | undefined {
  const last_day = `${tax_year}-12-31`
  if (today <= last_day) return refusals.tax_year_not_over
  if (derived_at === null || easternDay(Date.parse(derived_at)) <= last_day) return refusals.forms_not_derived
  return undefined
}

/** Why no transmission can be made. `last`: the latest one, if any. */
export function whyNotTransmit(state: {
  is_released: boolean
  /** The exception of a form that the IRS would reject, if any. */
  exception: string | null
  last: TransmissionRow | undefined
}): RefusalKind | undefined {
  if (!state.is_released) return refusals.forms_not_released
  if (state.exception === 'address_missing') return refusals.form_address_missing
  if (state.exception === 'name_not_accepted') return refusals.form_name_not_accepted
  return state.last?.status === null ? refusals.transmission_pending : undefined
}

/** The positions of one part of the print file. A part renders in a few seconds. */
export const forms_per_part = 200

/** The hash of the name, EIN and address of an employer. If it changes, all forms need corrections. */
export const employerHash = (employer: FormFiler): string => {
  const { legal_name, ein, address_line_1, address_line_2, city, state, zipcode } = employer
  return hashOf(JSON.stringify([legal_name, ein, address_line_1, address_line_2, city, state, zipcode]))
}

/** The forms that a release would store. */
export const changedCountOf = (
  filing: { form_count: number; unchanged_counts: Record<string, number>; not_due_count: number },
  employer: FormFiler,
): number => filing.form_count - (filing.unchanged_counts[employerHash(employer)] ?? 0) + filing.not_due_count
