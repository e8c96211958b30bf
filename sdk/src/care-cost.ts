import type { PlanFacts } from './v1/types.gen.ts'

/** A kind of care with its price, before the plan pays. `copay` is the name of its copay in `PlanFacts.copays`. */
export type Care = { name: string; copay: string | null; count: number; price_in_cents: number }

/** How much care a person expects to use in a year. */
export type ExpectedUse = 'low' | 'medium' | 'high'

const care = (name: string, copay: string | null, count: number, dollars: number): Care => ({
  name,
  copay,
  count,
  price_in_cents: dollars * 100,
})
const primary = (count: number) => care('primary_care', 'Primary care', count, 150)
const specialist = (count: number) => care('specialist', 'Specialist', count, 250)
const generic = (count: number) => care('generic_drugs', 'Generic drugs', count, 20)

/** The care assumed for each level of expected use. Preventive care is free by law and not listed. */
export const expected_care: Record<ExpectedUse, readonly Care[]> = {
  low: [primary(2), generic(2)],
  medium: [primary(4), specialist(4), generic(12), care('tests', null, 1, 1_000)],
  high: [primary(6), specialist(10), generic(24), care('hospital', null, 1, 20_000)],
}

/** The cost sharing of a plan, in cents. `coinsurance` is a fraction. */
type SharedCosts = { deductible: number; limit: number; coinsurance: number; copays: Map<string, number> }

/** The copays with a fixed amount, in cents by lower-case name: `Primary care: $25` as 2500. */
const copaysOf = (texts: string[]): Map<string, number> =>
  new Map(
    texts.flatMap((text) => {
      const found = /^(.+?):\s*\$(\d+(?:\.\d\d)?)$/.exec(text.trim())
      return found ? [[found[1]!.toLowerCase(), Math.round(Number(found[2]) * 100)] as const] : []
    }),
  )

/** The cost sharing of one person and of the family. The family has no separate amounts if it is a single person. */
function sharesOf(facts: PlanFacts, people: number): { person: SharedCosts; family: SharedCosts } | undefined {
  const { deductible_in_cents: deductible, out_of_pocket_limit_in_cents: limit } = facts
  const { coinsurance_percentage: percentage } = facts
  if (deductible === null || limit === null || percentage === null) return undefined
  const person = { deductible, limit, coinsurance: percentage / 100, copays: copaysOf(facts.copays) }
  const family = {
    ...person,
    deductible: facts.family_deductible_in_cents ?? people * deductible,
    limit: facts.family_out_of_pocket_limit_in_cents ?? people * limit,
  }
  return { person, family: people === 1 ? person : family }
}

/**
 * The cost of in-network care for the household, besides premiums. `household` lists the care of each person.
 * The rules are those of the coverage examples in a Summary of Benefits and Coverage:
 * 1. Care with a copay costs the copay, or its price if that is lower. It does not count toward the deductible.
 * 2. Other care costs its price until the person or the family has met the deductible, and then the coinsurance.
 * 3. A person pays at most the out-of-pocket maximum, and a family at most the family maximum.
 *
 * Undefined if the deductible, the out-of-pocket maximum or the coinsurance of the plan is unknown.
 */
export function careCost(facts: PlanFacts, household: readonly (readonly Care[])[]): number | undefined {
  const shares = sharesOf(facts, household.length)
  if (!shares) return undefined
  const { person, family } = shares
  let [family_deductible, family_paid] = [0, 0]
  for (const cares of household) {
    let [deductible, paid] = [0, 0]
    for (const { copay, count, price_in_cents } of cares) {
      const fixed = copay === null ? undefined : person.copays.get(copay.toLowerCase())
      const price = count * price_in_cents
      const left = Math.max(0, Math.min(person.deductible - deductible, family.deductible - family_deductible))
      const before = fixed === undefined ? Math.min(price, left) : 0
      const cost =
        fixed === undefined
          ? before + Math.round((price - before) * person.coinsurance)
          : count * Math.min(fixed, price_in_cents)
      deductible += before
      family_deductible += before
      const charged = Math.max(0, Math.min(cost, person.limit - paid, family.limit - family_paid))
      paid += charged
      family_paid += charged
    }
  }
  return family_paid
}

/**
 * The expected cost of a plan in a year: twelve monthly premiums of the employee, and the care. One person uses the
 * care of the given level, and each other person the care of `low`. Undefined if `careCost` is.
 */
export function yearlyCost(
  facts: PlanFacts,
  { monthly_in_cents, people, use }: { monthly_in_cents: number; people: number; use: ExpectedUse },
): { premiums_in_cents: number; care_in_cents: number; total_in_cents: number } | undefined {
  const others = Array.from({ length: people - 1 }, () => expected_care.low)
  const care_in_cents = careCost(facts, [expected_care[use], ...others])
  if (care_in_cents === undefined) return undefined
  const premiums_in_cents = 12 * monthly_in_cents
  return { premiums_in_cents, care_in_cents, total_in_cents: premiums_in_cents + care_in_cents }
}
