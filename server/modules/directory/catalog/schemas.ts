import { z } from 'zod'
import { flag, type SentBody } from '../../../http/endpoint.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { brief, County, DayAnswer, DayText, Id, optional, State, text } from '../../../kernel/fields.ts'
import { benefit_families } from '../employers/schemas.ts'
import { Ages } from '../ichra/schemas.ts'
import { metal_levels, PlanFacts } from './facts-schemas.ts'

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
export type ProductCode = (typeof product_codes)[number]

export const benefit_categories = ['Medical', 'Dental', 'Vision', 'Hospital'] as const
export type BenefitCategory = (typeof benefit_categories)[number]

export const coverage_tiers = ['EE', 'ES', 'EC', 'EF'] as const
export type CoverageTier = (typeof coverage_tiers)[number]

/** The coverage tiers in the words of what people read. */
export const tier_names: Record<CoverageTier, string> = {
  EE: 'Employee only',
  ES: 'Employee and spouse',
  EC: 'Employee and children',
  EF: 'Employee and family',
}

/** How plans bill a month in which coverage starts or ends. */
export const partial_month_rules = ['full_month_on_first', '15th_rule', 'daily'] as const
export type PartialMonthRule = (typeof partial_month_rules)[number]

/** The classes of employees, as allowances tell them apart. */
export const employee_classes = [
  'Full Time',
  'Part Time',
  'Temporary',
  'Intern',
  'Seasonal',
  'Individual Contractor',
] as const

/** One of these words in any case, as spreadsheets hold them. */
const word = <const Words extends readonly string[]>(words: Words) =>
  brief(`must be one of ${words.join(', ')}`)
    .transform((said, check): Words[number] => {
      const plain = said.trim().toLowerCase()
      const found = words.find((each) => each.toLowerCase() === plain)
      if (found === undefined)
        check.issues.push({ code: 'custom', message: `must be one of ${words.join(', ')}`, input: said })
      return found ?? words[0]!
    })
    .meta({ enum: [...words] })

/** A whole number from 0. */
const wholeNumber = (most: number) =>
  z
    .unknown()
    .transform((said, check): number => {
      // JSON has a -0, which is 0 to all but a comparison of records.
      if (typeof said === 'number' && Number.isInteger(said) && said >= 0 && said <= most) return said + 0
      check.issues.push({ code: 'custom', message: `must be a whole number from 0 to ${most}`, input: said })
      return 0
    })
    .meta({ type: 'integer', minimum: 0, maximum: most })

/** A billion dollars: what lies above is a mistake. */
const Cents = wholeNumber(100_000_000_000)
const Age = wholeNumber(150)

const isHttps = (address: string) => /^https:\/\/[^\s/]/i.test(address) && URL.canParse(address)

/** A list of texts, as JSON or as one text with `;` between them: `what` they are, and how many at most. */
const listOf = (what: string, most: number) => {
  // Far more than there may be, so that it is told how many those are; what lies beyond is not even looked through.
  const somewhat_many = 10 * most
  const textsIn = (said: string) => said.split(';', somewhat_many).filter((one) => one.trim() !== '')
  return z
    .union([z.array(z.string()).max(somewhat_many).meta({ maxItems: most }), z.string().transform(textsIn)], {
      error: `must be a list of ${what}, or one text with ; between them`,
    })
    .pipe(z.array(text()).max(most, `must hold at most ${most} ${what}`))
    .transform((texts) => [...new Set(texts)])
}

const Link = text(2000).refine(isHttps, 'must be an https address')
const YesNo = z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' })

/** Cells of what people compare plans by; absent, a plan that is there keeps what was said before. */
const facts_cells = {
  deductible_in_cents: optional(Cents).meta({ description: 'What one pays in a year before the plan does.' }),
  out_of_pocket_limit_in_cents: optional(Cents).meta({ description: 'The most that one pays in a year.' }),
  copays: optional(listOf('copays', 20)).meta({
    description: 'A list, or one text with `;` between them: `Primary care: $25; Specialist: $50`.',
  }),
  metal_level: optional(word(metal_levels)).meta({ description: 'How much of the usual costs it bears.' }),
  hsa_eligible: optional(YesNo).meta({ description: 'Whether it goes with a health savings account.' }),
  sbc_file_url: optional(Link).meta({ description: 'Where the summary of benefits and coverage is.' }),
}

const Cells = z.object({
  carrier: text().meta({ example: 'Evergreen Health' }),
  product_code: word(product_codes),
  benefit: optional(text()).meta({
    description: 'The name of the benefit as people read it. By default a plain name of the product.',
  }),
  category: optional(word(benefit_categories)).meta({
    description:
      'By default Dental for VD, Vision for VV, else Medical; a benefit that is there keeps its own, for good once a plan year has offered it.',
  }),
  plan: text().meta({ description: 'The name of the plan.' }),
  networks: optional(listOf('names', 100)).meta({
    description: 'A list, or one text with `;` between the names. Absent, a plan that is there keeps its networks.',
  }),
  spd_file_url: optional(Link).meta({
    description: 'Where the summary plan description is. Absent, a plan that is there keeps its own.',
  }),
  partial_month_rule: optional(word(partial_month_rules)).meta({
    description: 'Absent, a plan that is there keeps its own; one that is new has `full_month_on_first`.',
  }),
  ...facts_cells,
  coverage_tier: optional(word(coverage_tiers)).meta({ description: 'Of the premium, or of the allowance.' }),
  premium_in_cents: optional(Cents).meta({ description: 'Per month, from `effective_on` until a later rate.' }),
  effective_on: optional(DayText).meta({ description: 'The first day of the premium; required with it.' }),
  allowance_in_cents: optional(Cents).meta({ description: 'Per month, for those who fit the row. Of ICHRA products.' }),
  employee_class: optional(word(employee_classes)).meta({ description: 'Of the allowance; absent: every class.' }),
  min_age: optional(Age).meta({ description: 'Of the allowance, inclusive.' }),
  max_age: optional(Age).meta({ description: 'Of the allowance, inclusive.' }),
  state: optional(State).meta({
    description: 'Of the allowance; absent: every state. Of a premium: where it holds, by age or by tier.',
  }),
  county: optional(County).meta({ description: 'Of a premium in a state; absent: where no county has its own.' }),
  age: optional(Ages).meta({
    description: 'Of a premium in a state: of whom. `21`, `0-14`, `64+` or `64 and over`; in place of a tier.',
  }),
})
type Cells = z.output<typeof Cells>

/** Cells that do not go together: the field to name, when, and why. */
const misfits: [field: keyof Cells, when: (row: Cells) => boolean, why: string][] = [
  [
    'coverage_tier',
    (row) => has(row, 'premium_in_cents') && !has(row, 'coverage_tier') && !has(row, 'age'),
    'is required with a premium',
  ],
  [
    'premium_in_cents',
    (row) => has(row, 'premium_in_cents') && has(row, 'state') && !row.product_code.startsWith('ICHRA'),
    'by area is for ICHRA products only',
  ],
  ['state', (row) => has(row, 'age') && !has(row, 'state'), 'is required with an age'],
  ['state', (row) => has(row, 'county') && !has(row, 'state'), 'is required with a county'],
  ['age', (row) => has(row, 'age') && has(row, 'coverage_tier'), 'must not stand in one row with a coverage tier'],
  ['age', (row) => has(row, 'age') && !has(row, 'premium_in_cents'), 'belongs to a premium, and there is none'],
  ['county', (row) => has(row, 'county') && !has(row, 'premium_in_cents'), 'belongs to a premium, and there is none'],
  ['effective_on', (row) => has(row, 'premium_in_cents') && !has(row, 'effective_on'), 'is required with a premium'],
  [
    'effective_on',
    (row) => has(row, 'effective_on') && !has(row, 'premium_in_cents'),
    'belongs to a premium, and there is none',
  ],
  [
    'coverage_tier',
    (row) => has(row, 'coverage_tier') && !has(row, 'premium_in_cents') && !has(row, 'allowance_in_cents'),
    'belongs to a premium or an allowance, and there is neither',
  ],
  [
    'allowance_in_cents',
    (row) => has(row, 'allowance_in_cents') && has(row, 'premium_in_cents'),
    'must not stand in one row with a premium',
  ],
  [
    'allowance_in_cents',
    (row) => has(row, 'allowance_in_cents') && !row.product_code.startsWith('ICHRA'),
    'is for ICHRA products only',
  ],
  ...(['employee_class', 'min_age', 'max_age'] as const).map((field): (typeof misfits)[number] => [
    field,
    (row) => has(row, field) && !has(row, 'allowance_in_cents'),
    'belongs to an allowance, and there is none',
  ]),
  [
    'state',
    (row) => has(row, 'state') && !has(row, 'allowance_in_cents') && !has(row, 'premium_in_cents'),
    'belongs to an allowance or a premium, and there is neither',
  ],
  ['max_age', (row) => row.max_age !== undefined && row.max_age < (row.min_age ?? 0), 'must not be below min_age'],
]

const has = (row: Cells, field: keyof Cells): boolean => row[field] !== undefined

export const CatalogRow = Cells.superRefine((row, check) => {
  for (const [field, when, message] of misfits)
    if (when(row)) check.addIssue({ code: 'custom', path: [field], message })
}).meta({
  id: 'CatalogRow',
  description:
    'A plan. With `premium_in_cents` also its premium for one coverage tier, or in a rating area (`state`, perhaps ' +
    '`county`) for an age or a tier; with `allowance_in_cents` also an ICHRA ' +
    'allowance for those who fit all that the row says of class, age, state and coverage tier.',
})
export type CatalogRow = z.output<typeof CatalogRow>

/** The cells of a spreadsheet that hold numbers: in a CSV they come as text. */
const number_cells = [
  'premium_in_cents',
  'allowance_in_cents',
  'min_age',
  'max_age',
  'deductible_in_cents',
  'out_of_pocket_limit_in_cents',
] as const satisfies (keyof Cells)[]

const most_rows = 10_000

export const CatalogImport = z
  .object({
    rows: z
      .array(CatalogRow)
      .min(1, 'must hold at least one row')
      .max(most_rows, `must hold at most ${most_rows} rows`),
  })
  .meta({ id: 'CatalogImport' })

export const sent_catalog = {
  body: CatalogImport,
  rows: { field: 'rows', most: most_rows },
  csv: 'utf-8',
  csv_numbers: number_cells,
  body_limit: 4 * 1024 * 1024,
} as const satisfies SentBody

export const CatalogImportOptions = z.strictObject({
  dry_run: flag.meta({ description: 'Tell what would change, row by row, and change nothing.' }),
})

const Counts = z.object({ created: z.int(), updated: z.int(), unchanged: z.int() })

/** Of how many changes a dry run tells. */
export const most_planned_changes = 1000

const Cell = z
  .union([z.string(), z.int(), z.array(z.string()), z.null()])
  .meta({ description: 'As a row would say it; null: nothing.' })

const CatalogPlannedChange = z
  .object({
    index: z.int().nullable().meta({
      description: 'The row that first speaks of it, from 0; null: of an allowance that no row names any more.',
    }),
    kind: z
      .enum(['carrier', 'benefit', 'plan', 'premium', 'allowance'])
      .meta({ id: 'CatalogKind', description: 'Of what it is a change.' }),
    outcome: z
      .enum(['created', 'updated', 'removed'])
      .meta({ id: 'CatalogOutcome', description: 'What would become of it.' }),
    name: z
      .string()
      .meta({ description: 'What is meant, for people: of a premium or an allowance its plan, and whom it is for.' }),
    differences: z
      .array(z.object({ field: z.string().meta({ description: 'As a row names it.' }), before: Cell, after: Cell }))
      .meta({ description: 'What would change of it.' }),
  })
  .meta({ id: 'CatalogPlannedChange', description: 'What an import would change.' })
export type CatalogPlannedChange = z.output<typeof CatalogPlannedChange>

export const CatalogImportOutcome = z
  .object({
    carriers: Counts,
    benefits: Counts,
    plans: Counts,
    rates: Counts.meta({ description: 'Premiums, those of rating areas too.' }),
    allowances: Counts.extend({ removed: z.int() }),
    planned: z
      .array(CatalogPlannedChange)
      .nullable()
      .meta({
        description: `Of a dry run: the first ${most_planned_changes} changes, in the order of the rows. Else null.`,
      }),
  })
  .meta({
    id: 'CatalogImportOutcome',
    description: 'What the import did with each thing that it speaks of; one that several rows speak of counts once.',
  })
export type CatalogImportOutcome = z.output<typeof CatalogImportOutcome>

const Carrier = z.object({ id: Id('carr'), name: z.string() })

const TierRate = z.object({
  id: Id('tier'),
  coverage_tier: z.enum(coverage_tiers),
  premium_in_cents: z.int(),
  effective_on: DayAnswer,
})

const AreaRates = z
  .object({
    state: z.string(),
    county: z.string().nullable().meta({ description: 'The county; null: where no county has its own.' }),
    effective_on: DayAnswer,
    rates: z.array(
      z.object({
        coverage_tier: z.enum(coverage_tiers).nullable().meta({ description: 'Whom it covers; null: it is by age.' }),
        min_age: z.int().nullable(),
        max_age: z.int().nullable(),
        premium_in_cents: z.int(),
      }),
    ),
  })
  .meta({
    description:
      'What the plan costs in a rating area from a day on: everybody of an age (`max_age` null: and above), or a tier. ' +
      'A county without a list of its own has that of its state.',
  })

const IchraAllowance = z
  .object({
    employee_class: z.enum(employee_classes).nullable(),
    min_age: z.int().nullable(),
    max_age: z.int().nullable(),
    state: z.string().nullable(),
    coverage_tier: z.enum(coverage_tiers).nullable(),
    allowance_in_cents: z.int(),
  })
  .meta({ description: 'null: whichever. The first of the list that fits a person is theirs.' })

const PartialMonthRule = z.enum(partial_month_rules).meta({
  id: 'PartialMonthRule',
  description:
    'How a month is billed in which coverage starts or ends. `full_month_on_first`: in full when its 1st is covered; ' +
    '`15th_rule`: in full when its 15th and 16th are; `daily`: by the days covered, rounded half up.',
})

const CatalogPlan = z.object({
  id: Id('pln'),
  name: z.string(),
  carrier: Carrier,
  network_names: z.array(z.string()),
  spd_file_url: z.string().nullable(),
  facts: PlanFacts,
  partial_month_rule: PartialMonthRule,
  tier_rates: z.array(TierRate),
  area_rates: z.array(AreaRates),
  ichra_allowances: z.array(IchraAllowance),
})

export const BenefitCategory = z.enum(benefit_categories).meta({ id: 'BenefitCategory' })
export const BenefitFamily = z.enum(benefit_families).meta({ id: 'BenefitFamily' })

const CatalogBenefit = z.object({
  id: Id('bprd'),
  name: z.string(),
  product_code: z.enum(product_codes),
  category: BenefitCategory,
  family: BenefitFamily,
  plans: z.array(CatalogPlan),
})

export const Catalog = z
  .object({ carriers: z.array(Carrier), benefits: z.array(CatalogBenefit) })
  .meta({ id: 'Catalog', description: 'What the employers of an organization can offer.' })

export const Plan = z
  .object({
    id: Id('pln'),
    name: z.string(),
    benefit_id: Id('bprd'),
    carrier: z.string().meta({ description: 'The name of the carrier.', example: 'Evergreen Health' }),
    network_names: z.array(z.string()),
    spd_file_url: z.string().nullable().meta({ description: 'Where the summary plan description is.' }),
    partial_month_rule: PartialMonthRule,
  })
  .meta({ id: 'Plan' })

export const PlanPage = z.object({ data: z.array(Plan), pagination: Pagination }).meta({ id: 'PlanPage' })

export const PlanFilter = z.object(pageQuery)
