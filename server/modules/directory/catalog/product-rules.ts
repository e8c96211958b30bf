import type { BenefitCategory, CatalogRow, ProductCode } from './schemas.ts'
import type { PlanFacts } from './facts-schemas.ts'

/** The default name of a benefit, by product. */
const plain_names: Record<ProductCode, string> = {
  EBA: 'EBA',
  VPC: 'VPC',
  VPC_CORE: 'VPC Core',
  MEC: 'MEC',
  MEC2: 'MEC 2',
  MEC_PLUS: 'MEC Plus',
  MVP: 'MVP',
  MVP2: 'MVP 2',
  MVPSL: 'MVP SL',
  MVPSL2: 'MVP SL 2',
  VD: 'Dental',
  VV: 'Vision',
  ICHRA: 'ICHRA',
  ICHRA_PREMIUM_PLUS: 'ICHRA Premium Plus',
  ICHRA_REIMBURSEMENT_ONLY: 'ICHRA Reimbursement Only',
}

export const benefitName = (row: Pick<CatalogRow, 'benefit' | 'product_code'>): string =>
  row.benefit ?? plain_names[row.product_code]

export const usualCategory = (code: ProductCode): BenefitCategory =>
  code === 'VD' ? 'Dental' : code === 'VV' ? 'Vision' : 'Medical'

/** The kind of coverage that a plan is for the employer mandate. */
export type PlanCoverage = { minimum_essential: boolean; minimum_value: boolean; self_insured: boolean }

/** The coverage in a row or in combined rows. Absent cells are undefined. */
type CoverageInput = { [cell in keyof PlanCoverage]?: boolean | undefined }

/**
 * The usual coverage of a product. Dental, vision and virtual primary care are excepted benefits. An ICHRA is a
 * self-insured group health plan. Whether it provides minimum value follows from its affordability, not from the plan.
 */
function usualCoverage(code: ProductCode): PlanCoverage {
  const is_medical = !['VPC', 'VPC_CORE', 'VD', 'VV'].includes(code)
  return { minimum_essential: is_medical, minimum_value: code.startsWith('MVP'), self_insured: is_medical }
}

export const pickCoverage = ({ minimum_essential, minimum_value, self_insured }: CoverageInput) => ({
  minimum_essential,
  minimum_value,
  self_insured,
})

/** The coverage of a plan after an import. Absent cells keep their value; a new plan has that of its product. */
export function coverageAfter(known: PlanCoverage | undefined, input: CoverageInput, code: ProductCode): PlanCoverage {
  const before = known ?? usualCoverage(code)
  return {
    minimum_essential: input.minimum_essential ?? before.minimum_essential,
    minimum_value: input.minimum_value ?? before.minimum_value,
    self_insured: input.self_insured ?? before.self_insured,
  }
}

export const cellsOfCoverage = ({ minimum_essential, minimum_value, self_insured }: PlanCoverage) => ({
  minimum_essential: String(minimum_essential),
  minimum_value: String(minimum_value),
  self_insured: String(self_insured),
})

/** The facts of a plan in a row, by name. Absent facts are undefined. */
export type FactsInput = { [fact in keyof PlanFacts]?: PlanFacts[fact] | undefined }

/** The facts of a plan without any known facts. */
const no_facts: PlanFacts = {
  deductible_in_cents: null,
  family_deductible_in_cents: null,
  out_of_pocket_limit_in_cents: null,
  family_out_of_pocket_limit_in_cents: null,
  coinsurance_percentage: null,
  out_of_network_deductible_in_cents: null,
  out_of_network_family_deductible_in_cents: null,
  out_of_network_out_of_pocket_limit_in_cents: null,
  out_of_network_family_out_of_pocket_limit_in_cents: null,
  out_of_network_coinsurance_percentage: null,
  copays: [],
  metal_level: null,
  hsa_eligible: null,
  provider_directory_url: null,
  id_card_url: null,
  member_services_phone: null,
  member_services_url: null,
}

/** The plan facts in a row or in combined rows. */
export const pickFacts = (input: FactsInput): FactsInput =>
  Object.fromEntries(Object.keys(no_facts).map((fact) => [fact, input[fact as keyof PlanFacts]]))

/** The facts of a plan after an import. Absent facts keep their value. */
export function factsAfter(known: PlanFacts | undefined, input: FactsInput): PlanFacts {
  const given = Object.entries(pickFacts(input)).filter(([, value]) => value !== undefined)
  return { ...no_facts, ...known, ...Object.fromEntries(given) }
}

export const cellsOfFacts = (facts: PlanFacts) => ({
  ...no_facts,
  ...facts,
  copays: facts.copays.length > 0 ? facts.copays : null,
  hsa_eligible: facts.hsa_eligible === null ? null : String(facts.hsa_eligible),
})
