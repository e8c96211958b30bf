import { declareRefusals } from '../../../kernel/refusal.ts'
import type { BeneficiariesInput } from './schemas.ts'

export const refusals = declareRefusals({
  benefit_takes_no_beneficiaries: [
    422,
    'The employee cannot designate beneficiaries for this benefit.',
    'Use a benefit from the list of the beneficiaries of the employee.',
  ],
})

/** Beneficiaries as stored and shown. */
export const storedBeneficiaries = ({ beneficiaries }: BeneficiariesInput) =>
  beneficiaries.map(({ level, type, name, relationship, date_of_birth, share_percentage }) => ({
    level,
    type,
    name: name ?? null,
    relationship: relationship ?? null,
    date_of_birth: date_of_birth ?? null,
    share_percentage,
  }))
