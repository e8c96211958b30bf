import { z } from 'zod'

/** How rich an individual or small-group plan is. */
export const metal_levels = ['Catastrophic', 'Bronze', 'Expanded Bronze', 'Silver', 'Gold', 'Platinum'] as const

/** What people compare plans by, beside their premiums. */
export const PlanFacts = z
  .object({
    deductible_in_cents: z
      .int()
      .nullable()
      .meta({ description: 'What one pays in a year before the plan does. null: not told.' }),
    out_of_pocket_limit_in_cents: z
      .int()
      .nullable()
      .meta({ description: 'The most that one pays in a year. null: not told.' }),
    copays: z.array(z.string()).meta({ description: 'What a visit costs: `Primary care: $25`.' }),
    metal_level: z.string().nullable().meta({ description: 'Such as `Silver`. null: not told.' }),
    hsa_eligible: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it goes with a health savings account. null: not told.' }),
    sbc_file_url: z.string().nullable().meta({ description: 'The summary of benefits and coverage. null: not told.' }),
  })
  .meta({ id: 'PlanFacts', description: 'What people compare a plan by.' })
export type PlanFacts = z.output<typeof PlanFacts>
