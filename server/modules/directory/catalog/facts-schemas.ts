import { z } from 'zod'

/** The metal levels of individual and small-group plans. */
export const metal_levels = ['Catastrophic', 'Bronze', 'Expanded Bronze', 'Silver', 'Gold', 'Platinum'] as const

/** The facts by which people compare plans, besides premiums. */
export const PlanFacts = z
  .object({
    deductible_in_cents: z.int().nullable().meta({ description: 'The annual deductible. Null if unknown.' }),
    out_of_pocket_limit_in_cents: z
      .int()
      .nullable()
      .meta({ description: 'The annual out-of-pocket maximum. Null if unknown.' }),
    copays: z.array(z.string()).meta({ description: 'The copays, such as `Primary care: $25`.' }),
    metal_level: z.string().nullable().meta({ description: 'The metal level, such as `Silver`. Null if unknown.' }),
    hsa_eligible: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the plan is compatible with a health savings account. Null if unknown.' }),
    sbc_file_url: z
      .string()
      .nullable()
      .meta({ description: 'The URL of the Summary of Benefits and Coverage. Null if unknown.' }),
  })
  .meta({ id: 'PlanFacts', description: 'The facts by which people compare plans.' })
export type PlanFacts = z.output<typeof PlanFacts>
