import { describe, expect, it } from 'vitest'
import { careCost, expected_care, yearlyCost, type Care } from '../src/care-cost.ts'
import type { PlanFacts } from '../src/v1/types.gen.ts'

const unknown: PlanFacts = {
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
const aPlan = (deductible: number, limit: number, percentage: number, more: Partial<PlanFacts> = {}): PlanFacts => ({
  ...unknown,
  deductible_in_cents: deductible * 100,
  out_of_pocket_limit_in_cents: limit * 100,
  coinsurance_percentage: percentage,
  ...more,
})
const silver = aPlan(3_000, 7_800, 20, {
  copays: ['Primary care: $25', 'Specialist: $50', 'Generic drugs: $10', 'Emergency room: 20% after the deductible'],
  family_deductible_in_cents: 600_000,
  family_out_of_pocket_limit_in_cents: 1_560_000,
})
const bronze = aPlan(6_500, 8_300, 40, {
  family_deductible_in_cents: 1_300_000,
  family_out_of_pocket_limit_in_cents: 1_660_000,
})

const example = (dollars: number): Care[] => [{ name: 'example', copay: null, count: 1, price_in_cents: dollars * 100 }]

describe('the cost of care', () => {
  // The total example costs that every Summary of Benefits and Coverage has, for a plan with a deductible of $1,800 and
  // coinsurance of 20% for everything.
  // Peg: 1,800 + 20% of 10,900. Joe: 1,800 + 20% of 3,800. Mia: 1,800 + 20% of 1,000.
  it.each([
    ['Peg is having a baby', 12_700, 3_980],
    ['Managing Joe’s type 2 diabetes', 5_600, 2_560],
    ['Mia’s simple fracture', 2_800, 2_000],
  ])('equals the coverage example of a Summary of Benefits and Coverage: %s', (_, total, paid) => {
    expect(careCost(aPlan(1_800, 6_000, 20), [example(total)])).toBe(paid * 100)
  })

  it.each([
    ['less than the deductible', aPlan(1_800, 6_000, 20), [example(1_000)], 1_000],
    ['at most the out-of-pocket maximum', aPlan(1_800, 3_000, 20), [example(12_700)], 3_000],
    ['a copay, or the price if that is lower', silver, [[{ ...example(8)[0]!, copay: 'Generic drugs' }]], 8],
    [
      'the coinsurance where the copay is a percentage',
      silver,
      [[{ ...example(4_000)[0]!, copay: 'Emergency room' }]],
      3_200,
    ],
    ['one deductible for each of two people', aPlan(1_000, 9_000, 0), [example(5_000), example(5_000)], 2_000],
    [
      'the deductible of the family for three people',
      aPlan(1_000, 9_000, 0, { family_deductible_in_cents: 200_000 }),
      [example(5_000), example(5_000), example(5_000)],
      2_000,
    ],
    [
      'at most the out-of-pocket maximum of the family',
      aPlan(1_000, 3_000, 50, { family_out_of_pocket_limit_in_cents: 400_000 }),
      [example(9_000), example(9_000)],
      4_000,
    ],
  ] as [string, PlanFacts, Care[][], number][])('is %s', (_, facts, household, dollars) => {
    expect(careCost(facts, household)).toBe(dollars * 100)
  })
})

describe('the cost of a year', () => {
  // By hand. Low: 2 visits at 150, 2 drugs at 20. Medium: 4 visits at 150, 4 at 250, 12 drugs at 20, tests for 1,000.
  // High: 6 visits at 150, 10 at 250, 24 drugs at 20, a hospital stay for 20,000.
  // Silver has copays of 25, 50 and 10. Bronze has none.
  it.each([
    // 2 * 25 + 2 * 10
    ['silver', silver, 'low', 1, 70],
    // 4 * 25 + 4 * 50 + 12 * 10 + 1,000 below the deductible
    ['silver', silver, 'medium', 1, 1_420],
    // 6 * 25 + 10 * 50 + 24 * 10 + 3,000 + 20% of 17,000
    ['silver', silver, 'high', 1, 7_290],
    // 340 below the deductible
    ['bronze', bronze, 'low', 1, 340],
    // 2,840 below the deductible
    ['bronze', bronze, 'medium', 1, 2_840],
    // 6,500 + 40% of 17,380 is 13,452, limited to 8,300
    ['bronze', bronze, 'high', 1, 8_300],
    // 7,290 + 3 * 70
    ['silver', silver, 'high', 4, 7_500],
    // 8,300 + 3 * 340
    ['bronze', bronze, 'high', 4, 9_320],
  ] as const)('of %s with %4$s use', (_, facts, use, people, dollars) => {
    expect(yearlyCost(facts, { monthly_in_cents: 21_050, people, use })).toEqual({
      premiums_in_cents: 252_600,
      care_in_cents: dollars * 100,
      total_in_cents: 252_600 + dollars * 100,
    })
  })

  it('is unknown without the cost sharing of the plan', () => {
    expect(yearlyCost(unknown, { monthly_in_cents: 1, people: 1, use: 'low' })).toBeUndefined()
    expect(Object.keys(expected_care)).toEqual(['low', 'medium', 'high'])
  })
})
