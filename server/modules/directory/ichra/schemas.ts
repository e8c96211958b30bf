import { z } from 'zod'
import type { SentBody } from '../../../http/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { County, ResponseDay, DayText, optional, State, trimValue } from '../../../kernel/fields.ts'
import { needed_figures } from './figure-rules.ts'

/** The highest age. */
const oldest = 150
const no_age = 'must be an age, such as 21, or ages, such as 0-14 or 64+'

/**
 * An age or age range in the formats of rate files: `21`, `0-14`, `64+`, `64 and over`. Parsed as the minimum and
 * maximum age; the maximum is null without an upper limit.
 */
export const Ages = z
  .unknown()
  .transform((text, check): [number, number | null] => {
    const words =
      typeof text === 'number' ? String(text) : typeof text === 'string' ? trimValue(text.slice(0, 100)) : ''
    const found = /^(\d{1,3})(?:\s*-\s*(\d{1,3})|\s*(\+|and (?:over|older|above)))?$/i.exec(words)
    const [youngest, last] = [Number(found?.[1]), found?.[2] === undefined ? undefined : Number(found[2])]
    if (!found || youngest > oldest || (last !== undefined && (last < youngest || last > oldest)))
      check.issues.push({ code: 'custom', message: no_age, input: text })
    return [youngest, found?.[3] ? null : (last ?? youngest)]
  })
  .meta({ type: 'string', example: '64+' })

/** A billion dollars. Higher amounts are mistakes. */
const Cents = z.int().min(0).max(100_000_000_000)

export const SilverRow = z
  .object({
    state: State,
    county: optional(County),
    age: Ages.meta({ description: 'The age or age range: `21`, `0-14` or `64+`.' }),
    effective_on: DayText.refine((day) => day.endsWith('-01'), 'must be the first of a month'),
    premium_in_cents: Cents.meta({ description: 'The monthly premium for one person.' }),
  })
  .meta({ id: 'LowestCostSilverRow' })
export type SilverRow = z.output<typeof SilverRow>

const max_rows = 10_000

const SilverImport = z
  .object({
    rows: z
      .array(SilverRow)
      .min(1, 'must contain at least one row')
      .max(max_rows, `must contain at most ${max_rows} rows`)
      .superRefine((rows, check) => {
        const seen = new Set<string>()
        rows.forEach(({ state, county, age, effective_on }, index) => {
          const key = [state, county?.toLowerCase() ?? '', effective_on, age[0]].join('|')
          if (seen.has(key)) check.addIssue({ code: 'custom', path: [index], message: 'must not be repeated' })
          seen.add(key)
        })
      }),
  })
  .meta({ id: 'LowestCostSilverImport' })

export const sent_premiums = {
  body: SilverImport,
  rows: { field: 'rows', most: max_rows },
  csv: 'utf-8',
  csv_numbers: ['premium_in_cents'],
  body_limit: 4 * 1024 * 1024,
} as const satisfies SentBody

export const SilverImportOutcome = z
  .object({ row_count: z.int(), changed_count: z.int() })
  .meta({ id: 'LowestCostSilverImportOutcome' })

export const SilverFilter = z.object({
  ...pageQuery,
  state: State.optional().meta({ description: 'Only premiums of this state.' }),
  county: County.optional().meta({
    description: 'Only premiums that apply in this county: its own and those of its state.',
  }),
})
export type SilverFilter = Pick<z.output<typeof SilverFilter>, 'limit' | 'page'> & {
  state?: string | null | undefined
  county?: string | null | undefined
}

const SilverPremium = z
  .object({
    state: z.string(),
    county: z.string().nullable().meta({ description: 'The county. Null for counties without their own premiums.' }),
    effective_on: ResponseDay,
    min_age: z.int(),
    max_age: z.int().nullable().meta({ description: 'The maximum age. Null if there is no upper limit.' }),
    premium_in_cents: z.int(),
  })
  .meta({ id: 'LowestCostSilverPremium' })

export const SilverPage = pageOf('LowestCostSilverPage', SilverPremium)

export const Wage = z
  .object({ monthly_wage_in_cents: Cents, effective_on: DayText.meta({ description: 'The first day of the wage.' }) })
  .meta({ id: 'Wage' })
export type Wage = z.output<typeof Wage>

export const WagePage = pageOf(
  'WagePage',
  z.object({ monthly_wage_in_cents: Cents, effective_on: ResponseDay }).meta({ id: 'WageEntry' }),
)

const Dollars = z.int().min(1).max(1_000_000)
const Guidelines = z.object({
  contiguous: Dollars.meta({ description: 'The guideline for the contiguous states and the District of Columbia.' }),
  alaska: Dollars.meta({ description: 'The guideline for Alaska.' }),
  hawaii: Dollars.meta({ description: 'The guideline for Hawaii.' }),
})
const Payments = z
  .object({
    no_offer: Dollars.meta({
      description: 'The amount for employers that do not offer coverage to 95 percent of full-time employees.',
    }),
    unaffordable_offer: Dollars.meta({
      description: 'The amount for each full-time employee whose offer is unaffordable or lacks minimum value.',
    }),
  })
  .meta({ id: 'AssessablePayments' })
const payments_description =
  'The assessable payments of applicable large employers for months of the year (section 4980H(a) and (b)), in ' +
  'dollars per year for each full-time employee.'
const Part = z.number().min(0).max(100)

export const NewAffordabilityFigures = z
  .object({
    year: z.int().min(2020).max(2199).meta({ description: 'The calendar year of the figures.' }),
    required_contribution_percentage: optional(
      Part.refine((value) => Number(value.toFixed(2)) === value, 'must have at most two decimals'),
    ).meta({
      description:
        'The largest share of income that affordable coverage may cost, for plan years that start in this year.',
      example: 9.96,
    }),
    poverty_guidelines: optional(Guidelines).meta({
      description: 'The federal poverty guidelines of the year for one person, in dollars per year.',
    }),
    assessable_payments: optional(Payments).meta({ description: payments_description }),
  })
  .meta({ id: 'NewAffordabilityFigures' })
export type NewAffordabilityFigures = z.output<typeof NewAffordabilityFigures>

/** The figures needed to determine affordability that are unknown. */
export const MissingFigures = z.array(
  z
    .object({
      figure: z.enum(needed_figures).meta({
        id: 'AffordabilityFigure',
        description:
          'lowest_cost_silver_premium: for the state or county and age, imported by the operator. ' +
          'required_contribution_percentage: the share of income that coverage may cost, published by the IRS. ' +
          'poverty_guidelines: published by the Department of Health and Human Services.',
      }),
      year: z.int().meta({ description: 'The calendar year of the figure.' }),
    })
    .meta({ id: 'MissingFigure' }),
)

export const AffordabilityFiguresList = z
  .object({
    data: z.array(
      z
        .object({
          year: z.int(),
          required_contribution_percentage: Part.nullable().meta({ description: 'Null if unknown.' }),
          poverty_guidelines: Guidelines.nullable().meta({
            description: 'The federal poverty guidelines for one person, in dollars per year. Null if unknown.',
          }),
          assessable_payments: Payments.nullable().meta({
            description: `${payments_description} Null if unknown.`,
          }),
        })
        .meta({ id: 'AffordabilityFigures' }),
    ),
  })
  .meta({ id: 'AffordabilityFiguresList' })
