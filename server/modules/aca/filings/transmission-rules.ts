import { declareRefusals, type RefusalKind } from '../../../kernel/refusal.ts'
import type { FormType } from '../forms/rules.ts'
import type { TransmissionRow } from './transmission-queries.ts'

export const filing_refusals = declareRefusals({
  form_1094b_on_paper: [
    409,
    'The service cannot create IRS files of Forms 1094-B and 1095-B.',
    'File them with other software, or on paper if you file fewer than ten information returns in the year.',
  ],
  forms_not_released: [
    409,
    'The forms were not released, or changed since.',
    'Release them by `POST /v1/employers/{employer_id}/forms-1095c/release`.',
  ],
  form_address_missing: [
    409,
    'Forms lack the address of the employee.',
    'List them by `GET /v1/employers/{employer_id}/forms-1095c?exception=address_missing`, and add the addresses.',
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
  nothing_to_transmit: [409, 'All released forms were transmitted.', 'Release changed forms first.'],
})

/** Why no transmission can be made. `last`: the latest one, if any. */
export function whyNotTransmit(state: {
  form_type: FormType
  is_released: boolean
  lacks_addresses: boolean
  last: TransmissionRow | undefined
}): RefusalKind | undefined {
  if (state.form_type === '1095-B') return filing_refusals.form_1094b_on_paper
  if (!state.is_released) return filing_refusals.forms_not_released
  if (state.lacks_addresses) return filing_refusals.form_address_missing
  return state.last?.status === null ? filing_refusals.transmission_pending : undefined
}
