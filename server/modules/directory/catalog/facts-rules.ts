import type { PlanFacts } from './facts-schemas.ts'

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

/** The facts as cells of a row. */
export const cellsOfFacts = (facts: PlanFacts) => ({
  ...no_facts,
  ...facts,
  copays: facts.copays.length > 0 ? facts.copays : null,
  hsa_eligible: facts.hsa_eligible === null ? null : String(facts.hsa_eligible),
})
