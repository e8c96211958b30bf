import type { PlanFacts } from './facts-schemas.ts'

/** What rows may say of a plan's facts, each under its name. */
export type SaidFacts = { [fact in keyof PlanFacts]?: PlanFacts[fact] | undefined }

/** Of a plan of which nothing was told. */
const no_facts: PlanFacts = {
  deductible_in_cents: null,
  out_of_pocket_limit_in_cents: null,
  copays: [],
  metal_level: null,
  hsa_eligible: null,
  sbc_file_url: null,
}

/** The part of a row, or of what rows say together, that is of these facts. */
export const saidFacts = (said: SaidFacts): SaidFacts =>
  Object.fromEntries(Object.keys(no_facts).map((fact) => [fact, said[fact as keyof PlanFacts]]))

/** What is told of a plan once rows have said more: what they leave out stays. */
export function factsAfter(known: PlanFacts | undefined, said: SaidFacts): PlanFacts {
  const told = Object.entries(saidFacts(said)).filter(([, value]) => value !== undefined)
  return { ...no_facts, ...known, ...Object.fromEntries(told) }
}

/** The cells by which a row would say it. */
export const cellsOfFacts = (facts: PlanFacts) => ({
  ...no_facts,
  ...facts,
  copays: facts.copays.length > 0 ? facts.copays : null,
  hsa_eligible: facts.hsa_eligible === null ? null : String(facts.hsa_eligible),
})
