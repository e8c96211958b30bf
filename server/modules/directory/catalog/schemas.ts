import { z } from 'zod'
import { flag, type SentBody } from '../../../http/endpoint.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { County, ResponseDay, DayText, Id, optional, State, text } from '../../../kernel/fields.ts'
import { BenefitFamily } from '../employers/schemas.ts'
import { Ages } from '../ichra/schemas.ts'
import {
  Cents,
  Link,
  listOf,
  wholeNumber,
  word,
  coverage_cells,
  facts_cells,
  plan_coverage,
  PlanFacts,
} from './facts-schemas.ts'

export const product_codes = [
  'EBA',
  'VPC',
  'VPC_CORE',
  'MEC',
  'MEC2',
  'MEC_PLUS',
  'MVP',
  'MVP2',
  'MVPSL',
  'MVPSL2',
  'VD',
  'VV',
  'ICHRA',
  'ICHRA_PREMIUM_PLUS',
  'ICHRA_REIMBURSEMENT_ONLY',
] as const
export const ProductCode = z.enum(product_codes).meta({ id: 'ProductCode' })
export type ProductCode = z.output<typeof ProductCode>

const benefit_categories = ['Medical', 'Dental', 'Vision', 'Hospital'] as const
export type BenefitCategory = (typeof benefit_categories)[number]

export const coverage_tiers = ['EE', 'ES', 'EC', 'EF'] as const
export const CoverageTier = z.enum(coverage_tiers).meta({
  id: 'CoverageTier',
  description:
    'The coverage level. `EE`: employee only. `ES`: employee and spouse. `EC`: employee and children. `EF`: family.',
})
export type CoverageTier = z.output<typeof CoverageTier>

export const tier_names: Record<CoverageTier, string> = {
  EE: 'Employee only',
  ES: 'Employee and spouse',
  EC: 'Employee and children',
  EF: 'Employee and family',
}

/** How plans bill a month in which coverage starts or ends. */
export const partial_month_rules = ['full_month_on_first', '15th_rule', 'daily'] as const
export type PartialMonthRule = (typeof partial_month_rules)[number]

export const employee_classes = [
  'Full Time',
  'Part Time',
  'Temporary',
  'Intern',
  'Seasonal',
  'Individual Contractor',
] as const
export const EmployeeClass = z.enum(employee_classes).meta({ id: 'EmployeeClass' })
export type EmployeeClass = z.output<typeof EmployeeClass>

export const CompensationType = z.enum(['Salary', 'Hourly']).meta({ id: 'CompensationType' })
export type CompensationType = z.output<typeof CompensationType>

const Age = wholeNumber(150)

const Cells = z.object({
  carrier: text().meta({ example: 'Evergreen Health' }),
  product_code: word(product_codes),
  benefit: optional(text()).meta({
    description: 'The display name of the benefit. Defaults to the name of the product.',
  }),
  category: optional(word(benefit_categories)).meta({
    description:
      'Defaults to Dental for VD, Vision for VV, else Medical. An existing benefit keeps its category, which can ' +
      'no longer change once a plan year has offered it.',
  }),
  plan: text().meta({ description: 'The name of the plan.' }),
  networks: optional(listOf('names', 100)).meta({
    description: 'A list, or one string separated by `;`. If absent, unchanged.',
  }),
  spd_file_url: optional(Link).meta({ description: 'The URL of the summary plan description. If absent, unchanged.' }),
  partial_month_rule: optional(word(partial_month_rules)).meta({
    description: 'If absent, an existing plan keeps its rule and a new plan gets `full_month_on_first`.',
  }),
  ...facts_cells,
  ...coverage_cells,
  coverage_tier: optional(word(coverage_tiers)).meta({
    description: 'The coverage tier of the premium or the allowance.',
  }),
  premium_in_cents: optional(Cents).meta({
    description: 'The monthly premium, from `effective_on` until a later rate.',
  }),
  effective_on: optional(DayText).meta({ description: 'The first day of the premium. Required with a premium.' }),
  allowance_in_cents: optional(Cents).meta({ description: 'The monthly allowance. ICHRA products only.' }),
  employee_class: optional(word(employee_classes)).meta({
    description: 'The employee class of the allowance. If absent, all classes.',
  }),
  min_age: optional(Age).meta({ description: 'The minimum age of the allowance, inclusive.' }),
  max_age: optional(Age).meta({ description: 'The maximum age of the allowance, inclusive.' }),
  state: optional(State).meta({ description: 'The state of the allowance, or of the rating area of the premium.' }),
  county: optional(County).meta({ description: 'The county of the rating area. Absent for the rest of the state.' }),
  age: optional(Ages).meta({
    description:
      'The age or age range of a premium in a state: `21`, `0-14`, `64+` or `64 and over`. Replaces the coverage ' +
      'tier.',
  }),
})
type Cells = z.output<typeof Cells>

/** Invalid combinations of cells: the field to report, the condition, and the reason. */
const misfits: [field: keyof Cells, when: (row: Cells) => boolean, why: string][] = [
  [
    'coverage_tier',
    (row) => has(row, 'premium_in_cents') && !has(row, 'coverage_tier') && !has(row, 'age'),
    'is required with a premium',
  ],
  [
    'premium_in_cents',
    (row) => has(row, 'premium_in_cents') && has(row, 'state') && !row.product_code.startsWith('ICHRA'),
    'with a state is for ICHRA products only',
  ],
  ['state', (row) => has(row, 'age') && !has(row, 'state'), 'is required with an age'],
  ['state', (row) => has(row, 'county') && !has(row, 'state'), 'is required with a county'],
  ['age', (row) => has(row, 'age') && has(row, 'coverage_tier'), 'must not be in the same row as a coverage tier'],
  ['age', (row) => has(row, 'age') && !has(row, 'premium_in_cents'), 'requires a premium'],
  ['county', (row) => has(row, 'county') && !has(row, 'premium_in_cents'), 'requires a premium'],
  ['effective_on', (row) => has(row, 'premium_in_cents') && !has(row, 'effective_on'), 'is required with a premium'],
  ['effective_on', (row) => has(row, 'effective_on') && !has(row, 'premium_in_cents'), 'requires a premium'],
  [
    'coverage_tier',
    (row) => has(row, 'coverage_tier') && !has(row, 'premium_in_cents') && !has(row, 'allowance_in_cents'),
    'requires a premium or an allowance',
  ],
  [
    'allowance_in_cents',
    (row) => has(row, 'allowance_in_cents') && has(row, 'premium_in_cents'),
    'must not be in the same row as a premium',
  ],
  [
    'allowance_in_cents',
    (row) => has(row, 'allowance_in_cents') && !row.product_code.startsWith('ICHRA'),
    'is for ICHRA products only',
  ],
  ...(['employee_class', 'min_age', 'max_age'] as const).map((field): (typeof misfits)[number] => [
    field,
    (row) => has(row, field) && !has(row, 'allowance_in_cents'),
    'requires an allowance',
  ]),
  [
    'state',
    (row) => has(row, 'state') && !has(row, 'allowance_in_cents') && !has(row, 'premium_in_cents'),
    'requires an allowance or a premium',
  ],
  ['max_age', (row) => row.max_age !== undefined && row.max_age < (row.min_age ?? 0), 'must not be less than min_age'],
]

const has = (row: Cells, field: keyof Cells): boolean => row[field] !== undefined

export const CatalogRow = Cells.superRefine((row, check) => {
  for (const [field, when, message] of misfits)
    if (when(row)) check.addIssue({ code: 'custom', path: [field], message })
}).meta({
  id: 'CatalogRow',
  description:
    'A plan. With `premium_in_cents`, also its premium for a coverage tier, or for an age or tier in a rating ' +
    'area (`state` and optionally `county`). With `allowance_in_cents`, also an ICHRA allowance for employees who ' +
    'match the class, age, state and coverage tier of the row.',
})
export type CatalogRow = z.output<typeof CatalogRow>

/** The numeric cells, which are text in a CSV file. */
const number_cells = [
  'premium_in_cents',
  'allowance_in_cents',
  'min_age',
  'max_age',
  'deductible_in_cents',
  'family_deductible_in_cents',
  'out_of_pocket_limit_in_cents',
  'family_out_of_pocket_limit_in_cents',
  'coinsurance_percentage',
  'out_of_network_deductible_in_cents',
  'out_of_network_family_deductible_in_cents',
  'out_of_network_out_of_pocket_limit_in_cents',
  'out_of_network_family_out_of_pocket_limit_in_cents',
  'out_of_network_coinsurance_percentage',
] as const satisfies (keyof Cells)[]

const max_rows = 10_000

export const CatalogImport = z
  .object({
    rows: z
      .array(CatalogRow)
      .min(1, 'must contain at least one row')
      .max(max_rows, `must contain at most ${max_rows} rows`),
  })
  .meta({ id: 'CatalogImport' })

export const sent_catalog = {
  body: CatalogImport,
  rows: { field: 'rows', most: max_rows },
  csv: 'utf-8',
  csv_numbers: number_cells,
  body_limit: 4 * 1024 * 1024,
} as const satisfies SentBody

export const CatalogImportOptions = z.strictObject({
  dry_run: flag.meta({ description: 'If true, returns the planned changes without making them.' }),
})

const Counts = z.object({ created: z.int(), updated: z.int(), unchanged: z.int() })

/** The maximum number of changes that a dry run lists. */
export const max_planned_changes = 1000

const Cell = z
  .union([z.string(), z.int(), z.array(z.string()), z.null()])
  .meta({ description: 'The value in the format of a row cell. Null if empty.' })

const CatalogPlannedChange = z
  .object({
    index: z.int().nullable().meta({ description: 'The first row with the item, from 0. Null if it was removed.' }),
    kind: z
      .enum(['carrier', 'benefit', 'plan', 'premium', 'allowance'])
      .meta({ id: 'CatalogKind', description: 'The kind of item.' }),
    outcome: z
      .enum(['created', 'updated', 'removed'])
      .meta({ id: 'CatalogOutcome', description: 'The planned action on the item.' }),
    name: z
      .string()
      .meta({ description: 'A readable name. For a premium or an allowance: its plan and the people it applies to.' }),
    differences: z
      .array(z.object({ field: z.string().meta({ description: 'The name of the cell.' }), before: Cell, after: Cell }))
      .meta({ description: 'The planned changes.' }),
  })
  .meta({ id: 'CatalogPlannedChange', description: 'A planned change of an import.' })
export type CatalogPlannedChange = z.output<typeof CatalogPlannedChange>

export const CatalogImportOutcome = z
  .object({
    carriers: Counts,
    benefits: Counts,
    plans: Counts,
    rates: Counts.meta({ description: 'Premiums, including those of rating areas.' }),
    allowances: Counts.extend({ removed: z.int() }),
    planned: z
      .array(CatalogPlannedChange)
      .nullable()
      .meta({
        description: `The first ${max_planned_changes} changes, in the order of the rows.`,
        on_null: 'Null unless this is a dry run.',
      }),
  })
  .meta({
    id: 'CatalogImportOutcome',
    description: 'The outcome of each item of the import. An item in several rows counts once.',
  })
export type CatalogImportOutcome = z.output<typeof CatalogImportOutcome>

const Carrier = z.object({ id: Id('carr'), name: z.string() })

const TierRate = z.object({
  id: Id('tier'),
  coverage_tier: CoverageTier,
  premium_in_cents: z.int(),
  effective_on: ResponseDay,
})

const AreaRates = z
  .object({
    state: z.string(),
    county: z.string().nullable().meta({ description: 'The county. Null for counties without their own premiums.' }),
    effective_on: ResponseDay,
    rates: z.array(
      z.object({
        coverage_tier: CoverageTier.nullable().meta({ description: 'The coverage tier. Null for premiums by age.' }),
        min_age: z.int().nullable(),
        max_age: z.int().nullable(),
        premium_in_cents: z.int(),
      }),
    ),
  })
  .meta({
    description:
      'The premiums of a plan in a rating area starting on a day, by age or by tier. An age range without `max_age` ' +
      'has no upper limit. A county without its own premiums has those of its state.',
  })

const IchraAllowance = z
  .object({
    employee_class: EmployeeClass.nullable(),
    min_age: z.int().nullable(),
    max_age: z.int().nullable(),
    state: z.string().nullable(),
    coverage_tier: CoverageTier.nullable().meta({ on_null: 'Null for every coverage level.' }),
    allowance_in_cents: z.int(),
  })
  .meta({
    description:
      'An ICHRA allowance and the employees it applies to. A null field matches every value. The first entry that ' +
      'matches an employee applies.',
  })

const PartialMonthRule = z.enum(partial_month_rules).meta({
  id: 'PartialMonthRule',
  description:
    'How a month is billed in which coverage starts or ends. `full_month_on_first`: the full month if the 1st is ' +
    'covered. `15th_rule`: the full month if the 15th and 16th are covered. `daily`: prorated by covered days, ' +
    'rounded half up.',
})

const CatalogPlan = z.object({
  id: Id('pln'),
  name: z.string(),
  carrier: Carrier,
  network_names: z.array(z.string()),
  spd_file_url: z.string().nullable(),
  facts: PlanFacts,
  partial_month_rule: PartialMonthRule,
  ...plan_coverage,
  tier_rates: z.array(TierRate),
  area_rates: z.array(AreaRates),
  ichra_allowances: z.array(IchraAllowance),
})

export const BenefitCategory = z.enum(benefit_categories).meta({ id: 'BenefitCategory' })

export const DependentField = z.enum(['address', 'gender', 'verification']).meta({
  id: 'DependentField',
  description:
    'Data of a dependent that a benefit requires. `address`: the address of the dependent, or else of the employee. ' +
    '`verification`: documents that are pending or verified.',
})
export type DependentField = z.output<typeof DependentField>

export const RequiredDependentFields = z
  .array(DependentField)
  .meta({ description: 'The data that each dependent must have before the benefit can cover them.' })

const CatalogBenefit = z.object({
  id: Id('bprd'),
  name: z.string(),
  product_code: ProductCode,
  category: BenefitCategory,
  family: BenefitFamily,
  takes_beneficiaries: z.boolean().meta({ description: 'Whether employees designate beneficiaries for it.' }),
  required_dependent_fields: RequiredDependentFields,
  plans: z.array(CatalogPlan),
})

export const Catalog = z
  .object({ carriers: z.array(Carrier), benefits: z.array(CatalogBenefit) })
  .meta({ id: 'Catalog', description: 'The benefits and plans that the employers of an organization can offer.' })

export const CatalogBenefitChanges = z
  .object({
    takes_beneficiaries: optional(z.boolean()).meta({
      description: 'Whether employees designate beneficiaries for the benefit, as for life and accident insurance.',
    }),
    required_dependent_fields: optional(RequiredDependentFields),
  })
  .meta({ id: 'CatalogBenefitChanges', description: 'Only the fields that you send change.' })
export type CatalogBenefitChanges = Partial<z.output<typeof CatalogBenefitChanges>>

export const Plan = z
  .object({
    id: Id('pln'),
    name: z.string(),
    benefit_id: Id('bprd'),
    carrier: z.string().meta({ description: 'The name of the carrier.', example: 'Evergreen Health' }),
    network_names: z.array(z.string()),
    spd_file_url: z.string().nullable().meta({ description: 'The URL of the summary plan description.' }),
    partial_month_rule: PartialMonthRule,
    ...plan_coverage,
  })
  .meta({ id: 'Plan' })

export const PlanPage = pageOf('PlanPage', Plan)
