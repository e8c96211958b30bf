import { z } from 'zod'
import { optional, Phone, shortText, text } from '../../../kernel/fields.ts'

/** Accepts one of these words in upper or lower case, because spreadsheets vary. */
export const word = <const Words extends readonly string[]>(words: Words) =>
  shortText(`must be one of ${words.join(', ')}`)
    .transform((value, check): Words[number] => {
      const plain = value.trim().toLowerCase()
      const found = words.find((word) => word.toLowerCase() === plain)
      if (found === undefined)
        check.issues.push({ code: 'custom', message: `must be one of ${words.join(', ')}`, input: value })
      return found ?? words[0]!
    })
    .meta({ enum: [...words] })

export const wholeNumber = (most: number) =>
  z
    .unknown()
    .transform((value, check): number => {
      // JSON allows -0, which a comparison of records would treat as different from 0.
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value + 0
      check.issues.push({ code: 'custom', message: `must be a whole number from 0 to ${most}`, input: value })
      return 0
    })
    .meta({ type: 'integer', minimum: 0, maximum: most })

/** A billion dollars. Higher amounts are mistakes. */
export const Cents = wholeNumber(100_000_000_000)
export const Percentage = wholeNumber(100)

const isHttps = (address: string) => /^https:\/\/[^\s/]/i.test(address) && URL.canParse(address)

/**
 * A list of strings, as JSON or as one string separated by `;`. `noun` names the items in messages; `most` limits their
 * number.
 */
export const listOf = (noun: string, most: number) => {
  // Read more items than allowed, so that the message can state the limit, but do not parse an unlimited text.
  const parsed_at_most = 10 * most
  const textsIn = (value: string) => value.split(';', parsed_at_most).filter((text) => text.trim() !== '')
  return z
    .union([z.array(z.string()).max(parsed_at_most).meta({ maxItems: most }), z.string().transform(textsIn)], {
      error: `must be a list of ${noun}, or one string separated by ;`,
    })
    .pipe(z.array(text()).max(most, `must contain at most ${most} ${noun}`))
    .transform((texts) => [...new Set(texts)])
}

export const Link = text(2000).refine(isHttps, 'must be an https URL')
export const YesNo = z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' })

/** The metal levels of individual and small-group plans. */
const metal_levels = ['Catastrophic', 'Bronze', 'Expanded Bronze', 'Silver', 'Gold', 'Platinum'] as const

/** The facts that people use to compare plans, besides premiums. */
const amount = (description: string) => z.int().nullable().meta({ description, on_null: 'Null if unknown.' })
const words = (description: string) => z.string().nullable().meta({ description, on_null: 'Null if unknown.' })

export const PlanFacts = z
  .object({
    deductible_in_cents: amount('The annual deductible of one person in the network.'),
    family_deductible_in_cents: amount('The annual deductible of a family in the network.'),
    out_of_pocket_limit_in_cents: amount('The annual out-of-pocket maximum of one person in the network.'),
    family_out_of_pocket_limit_in_cents: amount('The annual out-of-pocket maximum of a family in the network.'),
    coinsurance_percentage: amount('The percentage that the person pays after the deductible, in the network.'),
    out_of_network_deductible_in_cents: amount('The annual deductible of one person outside the network.'),
    out_of_network_family_deductible_in_cents: amount('The annual deductible of a family outside the network.'),
    out_of_network_out_of_pocket_limit_in_cents: amount(
      'The annual out-of-pocket maximum of one person outside the network.',
    ),
    out_of_network_family_out_of_pocket_limit_in_cents: amount(
      'The annual out-of-pocket maximum of a family outside the network.',
    ),
    out_of_network_coinsurance_percentage: amount(
      'The percentage that the person pays after the deductible, outside the network. 100 if the plan does not cover ' +
        'care there.',
    ),
    copays: z.array(z.string()).meta({ description: 'The copays, such as `Primary care: $25`.' }),
    metal_level: z.string().nullable().meta({ description: 'The metal level, such as `Silver`. Null if unknown.' }),
    hsa_eligible: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the plan is compatible with a health savings account. Null if unknown.' }),
    provider_directory_url: words('The page of the network on which people find a doctor.'),
    id_card_url: words('The page of the carrier on which members get their ID card.'),
    member_services_phone: words('The phone number of the member services of the carrier.'),
    member_services_url: words('The website of the carrier for members.'),
  })
  .meta({ id: 'PlanFacts', description: 'The facts by which people compare plans.' })
export type PlanFacts = z.output<typeof PlanFacts>

/** Facts that people use to compare plans. If a cell is absent, an existing plan keeps its value. */
export const facts_cells = {
  deductible_in_cents: optional(Cents).meta({ description: 'The annual deductible of one person.' }),
  family_deductible_in_cents: optional(Cents).meta({ description: 'The annual deductible of a family.' }),
  out_of_pocket_limit_in_cents: optional(Cents).meta({
    description: 'The annual out-of-pocket maximum of one person.',
  }),
  family_out_of_pocket_limit_in_cents: optional(Cents).meta({
    description: 'The annual out-of-pocket maximum of a family.',
  }),
  coinsurance_percentage: optional(Percentage).meta({
    description: 'The percentage that the person pays after the deductible.',
  }),
  out_of_network_deductible_in_cents: optional(Cents).meta({
    description: 'The annual deductible of one person outside the network.',
  }),
  out_of_network_family_deductible_in_cents: optional(Cents).meta({
    description: 'The annual deductible of a family outside the network.',
  }),
  out_of_network_out_of_pocket_limit_in_cents: optional(Cents).meta({
    description: 'The annual out-of-pocket maximum of one person outside the network.',
  }),
  out_of_network_family_out_of_pocket_limit_in_cents: optional(Cents).meta({
    description: 'The annual out-of-pocket maximum of a family outside the network.',
  }),
  out_of_network_coinsurance_percentage: optional(Percentage).meta({
    description:
      'The percentage that the person pays after the deductible, outside the network. 100 if the plan does not cover ' +
      'care there.',
  }),
  copays: optional(listOf('copays', 20)).meta({
    description: 'The copays, such as `Primary care: $25; Specialist: $50`.',
  }),
  metal_level: optional(word(metal_levels)).meta({ description: 'The metal level of the plan.' }),
  hsa_eligible: optional(YesNo).meta({ description: 'Whether the plan is compatible with a health savings account.' }),
  provider_directory_url: optional(Link).meta({
    description: 'The page on which people find a doctor of the network.',
  }),
  id_card_url: optional(Link).meta({ description: 'The page of the carrier on which members get their ID card.' }),
  member_services_phone: optional(Phone).meta({
    description: 'The phone number of the member services of the carrier.',
  }),
  member_services_url: optional(Link).meta({ description: 'The website of the carrier for members.' }),
}

const coverage_meanings = {
  minimum_essential: 'Whether the plan is minimum essential coverage. Excepted benefits such as dental are not.',
  minimum_value: 'Whether the plan pays at least 60% of the expected costs, with hospital and physician services.',
  self_insured: 'Whether the employer bears the claims, so that Form 1095-C lists the covered people in Part III.',
}

/** The kind of coverage of a plan for the employer mandate of the ACA. */
export const plan_coverage = {
  minimum_essential: z.boolean().meta({ description: coverage_meanings.minimum_essential }),
  minimum_value: z.boolean().meta({ description: coverage_meanings.minimum_value }),
  self_insured: z.boolean().meta({ description: coverage_meanings.self_insured }),
}

const cellOf = (meaning: string) =>
  optional(YesNo).meta({
    description: `${meaning} If absent, unchanged; a new plan has the usual value of its product.`,
  })

/** The kind of coverage in a row of the catalog. */
export const coverage_cells = {
  minimum_essential: cellOf(coverage_meanings.minimum_essential),
  minimum_value: cellOf(coverage_meanings.minimum_value),
  self_insured: cellOf(coverage_meanings.self_insured),
}
