import type { z } from 'zod'
import { importCatalog } from '../modules/directory/catalog/actions.ts'
import { findCatalog, saveRequirements } from '../modules/directory/catalog/queries.ts'
import { CatalogRow, coverage_tiers, type Catalog } from '../modules/directory/catalog/schemas.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { Day } from '../kernel/days.ts'
import { saveSilverPremiums } from '../modules/directory/ichra/queries.ts'
import { SilverRow } from '../modules/directory/ichra/schemas.ts'

type CatalogRowSent = z.input<typeof CatalogRow>
type Plan = Pick<CatalogRowSent, 'carrier' | 'product_code' | 'benefit' | 'plan'> & Partial<CatalogRowSent>
type Premiums = [EE: number, ES: number, EC: number, EF: number]

/** A plan and its monthly premiums in cents, effective from a day. */
const priced = (plan: Plan, effective_on: Day, premiums: Premiums): CatalogRowSent[] =>
  coverage_tiers.map((coverage_tier, index) => ({
    ...plan,
    coverage_tier,
    premium_in_cents: premiums[index],
    effective_on,
  }))

const spd = (name: string) => `https://plans.example.com/${name}.pdf`

const evergreen = {
  carrier: 'Evergreen Health',
  networks: ['First Health', 'PHCS'],
  provider_directory_url: 'https://evergreen.example.com/doctors',
  id_card_url: 'https://evergreen.example.com/id-card',
  member_services_phone: '8005550110',
  member_services_url: 'https://evergreen.example.com/members',
}
const essential = {
  ...evergreen,
  product_code: 'MEC',
  benefit: 'Essential Care',
  plan: 'Essential Care Base',
  spd_file_url: spd('essential-care-base'),
}
const medical = { ...evergreen, product_code: 'MVP', benefit: 'Major Medical' }
const bronze = {
  ...medical,
  plan: 'Major Medical Bronze',
  deductible_in_cents: 650_000,
  family_deductible_in_cents: 1_300_000,
  out_of_pocket_limit_in_cents: 830_000,
  family_out_of_pocket_limit_in_cents: 1_660_000,
  coinsurance_percentage: 40,
  out_of_network_deductible_in_cents: 1_300_000,
  out_of_network_family_deductible_in_cents: 2_600_000,
  out_of_network_out_of_pocket_limit_in_cents: 2_000_000,
  out_of_network_family_out_of_pocket_limit_in_cents: 4_000_000,
  out_of_network_coinsurance_percentage: 60,
  metal_level: 'Bronze',
  hsa_eligible: true,
}
const silver = {
  ...medical,
  plan: 'Major Medical Silver',
  deductible_in_cents: 300_000,
  family_deductible_in_cents: 600_000,
  out_of_pocket_limit_in_cents: 780_000,
  family_out_of_pocket_limit_in_cents: 1_560_000,
  coinsurance_percentage: 20,
  out_of_network_deductible_in_cents: 600_000,
  out_of_network_family_deductible_in_cents: 1_200_000,
  out_of_network_out_of_pocket_limit_in_cents: 1_500_000,
  out_of_network_family_out_of_pocket_limit_in_cents: 3_000_000,
  out_of_network_coinsurance_percentage: 50,
  copays: 'Primary care: $25; Specialist: $50; Generic drugs: $10; Emergency room: $350',
  metal_level: 'Silver',
  hsa_eligible: false,
}
const virtual = { carrier: 'Nearby Care', product_code: 'VPC', benefit: 'Virtual Primary Care', plan: 'Nearby Anytime' }
const dental = {
  carrier: 'Brightside Dental',
  product_code: 'VD',
  benefit: 'Dental',
  networks: ['Brightside'],
  provider_directory_url: 'https://brightside.example.com/dentists',
  id_card_url: 'https://brightside.example.com/id-card',
  member_services_phone: '8005550120',
}
const ppo = {
  ...dental,
  plan: 'Brightside PPO',
  deductible_in_cents: 5_000,
  family_deductible_in_cents: 15_000,
  coinsurance_percentage: 20,
  copays: 'Cleaning: $0; Filling: 20% after the deductible',
}
const dhmo = { ...dental, plan: 'Brightside DHMO', deductible_in_cents: 0, copays: 'Cleaning: $0; Filling: $35' }
const vision = { carrier: 'Clearview Vision', product_code: 'VV', benefit: 'Vision', plan: 'Clearview Basic' }
/**
 * A hospital indemnity plan with term life insurance. The interface has no product code for either, so it uses one that
 * is neither medical nor in a choice group.
 */
const hospital = {
  carrier: 'Lakeshore Mutual',
  product_code: 'VPC_CORE',
  category: 'Hospital',
  benefit: 'Hospital and Life',
  plan: 'Lakeshore Hospital and Term Life',
  member_services_phone: '8005550130',
} as const
/** An individual plan in Texas with premiums by age. */
const lone_star = {
  ...evergreen,
  product_code: 'ICHRA',
  benefit: 'Own Choice',
  plan: 'Lone Star Silver',
  deductible_in_cents: 480_000,
  out_of_pocket_limit_in_cents: 920_000,
  copays: 'Primary care: $40; Specialist: $80',
  metal_level: 'Silver',
  hsa_eligible: false,
}
const own_choice = { ...evergreen, product_code: 'ICHRA', benefit: 'Own Choice', plan: 'Own Choice Medical' }

/** Premiums by age, as cents per year of age: 0-14, each age to 63, and 64 and over. */
const pricedByAge = (plan: Plan, effective_on: Day, cents_a_year: number): CatalogRowSent[] =>
  Array.from({ length: 51 }, (_, index) => {
    const age = index === 0 ? '0-14' : index === 50 ? '64 and over' : String(14 + index)
    return { ...plan, age, premium_in_cents: cents_a_year * (14 + index), effective_on }
  })

const allowances = (plan: Plan): CatalogRowSent[] => [
  { ...plan, employee_class: 'Part Time', allowance_in_cents: 15_000 },
  { ...plan, max_age: 39, coverage_tier: 'EE', allowance_in_cents: 30_000 },
  { ...plan, min_age: 40, coverage_tier: 'EE', allowance_in_cents: 45_000 },
  { ...plan, allowance_in_cents: 60_000 },
]

/** Harbor's catalog with every benefit category. Premiums start on a day, and some are raised later. */
export const harborsCatalog = (since: Day, raised_on: Day): CatalogRowSent[] => [
  ...priced(essential, since, [8_900, 17_500, 16_500, 24_900]),
  ...priced(essential, raised_on, [9_300, 18_300, 17_200, 26_000]),
  ...priced(bronze, since, [31_500, 63_000, 58_300, 91_400]),
  ...priced(silver, since, [42_000, 84_000, 77_700, 121_800]),
  ...priced(virtual, since, [1_900, 2_900, 2_900, 3_500]),
  ...priced(ppo, since, [3_200, 6_400, 7_100, 10_300]),
  ...priced(dhmo, since, [1_450, 2_900, 3_250, 4_700]),
  ...priced(vision, since, [790, 1_580, 1_690, 2_490]),
  ...priced(hospital, since, [1_200, 2_200, 2_000, 3_000]),
  ...priced(own_choice, since, [50_000, 100_000, 90_000, 140_000]),
  ...pricedByAge({ ...lone_star, state: 'TX' }, since, 950),
  ...allowances(own_choice),
  ...allowances(lone_star),
]

export const rivalsCatalog = (since: Day): CatalogRowSent[] => [
  ...priced(
    { carrier: 'Granville Mutual', product_code: 'MEC', benefit: 'Basic Care', plan: 'Basic Care' },
    since,
    [9_900, 19_000, 18_000, 27_500],
  ),
  ...priced({ ...dental, plan: 'Brightside PPO' }, since, [3_400, 6_800, 7_500, 10_900]),
]

/** The ids of benefits and plans by name. */
export type CatalogIds = { benefits: Map<string, string>; plans: Map<string, { plan_id: string; benefit_id: string }> }

export async function seedCatalog(ctx: Ctx, organization_id: string, rows: CatalogRowSent[]): Promise<CatalogIds> {
  const checked = rows.map((row) => CatalogRow.parse(row))
  await importCatalog(ctx, organization_id, checked)
  const { benefits } = JSON.parse((await findCatalog(ctx, { organization_id }))!) as z.output<typeof Catalog>
  const insures_lives = benefits.find(({ name }) => name === hospital.benefit)
  if (insures_lives)
    await saveRequirements(ctx, { organization_id, benefit_id: insures_lives.id }, { takes_beneficiaries: true })
  const plans = benefits.flatMap((benefit) =>
    benefit.plans.map(({ name, id }) => [name, { plan_id: id, benefit_id: benefit.id }] as const),
  )
  return { benefits: new Map(benefits.map(({ name, id }) => [name, id])), plans: new Map(plans) }
}

/** The federal default age curve, in thousandths of the premium at age 21: 0-14, each age to 63, and 64 and over. */
const age_curve = [
  765, 833, 859, 885, 913, 941, 970, 1000, 1000, 1000, 1000, 1004, 1024, 1048, 1087, 1119, 1135, 1159, 1183, 1198, 1214,
  1222, 1230, 1238, 1246, 1262, 1278, 1302, 1325, 1357, 1397, 1444, 1500, 1563, 1635, 1706, 1786, 1865, 1952, 2040,
  2135, 2230, 2333, 2437, 2548, 2603, 2714, 2810, 2873, 2952, 3000,
]

/** The sample premium at age 21, in cents a month. It is plausible, but not from a real plan. */
const at_21_in_cents = 39_000

const ageAt = (at: number): string => (at === 0 ? '0-14' : at === age_curve.length - 1 ? '64+' : String(14 + at))

/** Sample lowest-cost silver premiums of one year in Texas, the state of the sandbox's ICHRA employer. */
const sampleOf = (year: number): SilverRow[] =>
  age_curve.map((thousandths, index) =>
    SilverRow.parse({
      state: 'TX',
      effective_on: `${year}-01-01`,
      age: ageAt(index),
      premium_in_cents: Math.round((at_21_in_cents * thousandths) / 1000),
    }),
  )

/** Seeds sample lowest-cost silver premiums for all organizations, from a day until the end of the next year. */
export async function seedSilverPremiums(ctx: Ctx, since: Day): Promise<void> {
  const [first, last] = [Number(since.slice(0, 4)), Number(ctx.today.slice(0, 4)) + 1]
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  await saveSilverPremiums(ctx, years.flatMap(sampleOf))
}
