import type { Ctx } from '../../../runtime/ctx.ts'
import { isInputRow, withInputRows, rowsWith } from '../../../database/sql/fragments.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { areaRatesOfPlan } from '../../directory/ichra/queries.ts'
import type { AreaRate } from '../../directory/ichra/rules.ts'
import type { ElectionChanges, Price } from './price-rules.ts'
import { factFields, factSources, insertElectionsOf, type FoundFacts } from './queries.ts'

const wanted = `
  (select theirs.* from ${rowsWith('enrollment_ids', 'enrollments', 'theirs')})`

/** Returns the facts that price the elections of enrollments, in the order of their ids. */
export const listEnrollmentFacts = statement(
  'elections.listEnrollmentFacts',
  `${factFields} from ${wanted} as enrollment ${factSources}
    where enrollment.organization_id = :organization_id order by enrollment.id`,
).rows<FoundFacts>

/** Filters the enrollments in benefits that were repriced during the plan year. */
export const listAmended = statement(
  'elections.listAmended',
  `select enrollment.id from ${wanted} as enrollment
    where exists (select from plan_year_rates as rate
                   where rate.plan_year_id = enrollment.plan_year_id and rate.organization_id = :organization_id
                     and rate.benefit_id = enrollment.benefit_id and rate.amendment_id is not null)`,
).column

/** Filters the enrollments in benefits that belong to a choice group of several benefits in the plan year. */
export const listGrouped = statement(
  'elections.listGrouped',
  `select enrollment.id from ${wanted} as enrollment
    where exists (select from plan_year_benefits as own
                    join plan_year_benefits as other on other.plan_year_id = own.plan_year_id
                     and other.organization_id = :organization_id and other.choice_group = own.choice_group
                     and other.benefit_id <> own.benefit_id
                   where own.plan_year_id = enrollment.plan_year_id and own.organization_id = :organization_id
                     and own.benefit_id = enrollment.benefit_id)`,
).column

/** A price of a plan year without the rates, which depend on the employee's address. */
export type PlanYearPrice = Omit<Price, 'rates'> & {
  plan_year_id: string
  benefit_id: string
  area_version: number | null
  /** The day that selects the rates by age and area. Null for the first day of the plan year. */
  priced_on: Day | null
}

const prices = statement(
  'elections.listPlanYearPrices',
  `select rate.plan_year_id, rate.benefit_id, rate.plan_id, rate.coverage_tier, rate.tier_id, rate.premium_in_cents,
          rate.pricing, rate.effective_on::text as effective_on, rate.until::text as until, rate.amendment_id,
          rate.area_version, rate.priced_on
     from plan_year_rates as rate
    where rate.plan_year_id = any(array(select plan_year_id from ${wanted} as enrollment))
      and rate.organization_id = :organization_id
      and rate.benefit_id = any(array(select benefit_id from ${wanted} as enrollment))`,
)

/** Lists the prices of the benefits of enrollments in their plan years, past and future ones included. */
export const listPlanYearPrices = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  prices.rows<PlanYearPrice>(ctx, { organization_id, enrollment_ids })

const area_rates = statement(
  'elections.listAreaRatesOf',
  `select enrollment.id as enrollment_id, price.plan_id, price.effective_on, ${areaRatesOfPlan('price')} as rates
     from ${wanted} as enrollment
     join employees as employee on employee.id = enrollment.employee_id and employee.organization_id = :organization_id
     join members as member on member.id = employee.member_id and member.organization_id = :organization_id
     join employers as employer on employer.id = employee.employer_id and employer.organization_id = :organization_id
     join benefit_plan_years as year on year.id = enrollment.plan_year_id and year.organization_id = :organization_id
     join (select input.*, :organization_id as organization_id
             from jsonb_to_recordset(:prices::jsonb) as input (
                    plan_year_id text, benefit_id text, plan_id text, effective_on text, area_version int,
                    priced_on date)) as price
       on price.plan_year_id = enrollment.plan_year_id and price.benefit_id = enrollment.benefit_id`,
)

/** The rates by age of the area where the employee of an enrollment lives. */
type AreaListOf = Pick<Price, 'plan_id' | 'effective_on'> & { enrollment_id: string; rates: AreaRate[] | null }

/**
 * Lists the rates of plans priced by age for the areas where the employees of enrollments live. Other plans return
 * nothing.
 */
async function listAreaRatesOf(
  ctx: Ctx,
  organization_id: string,
  enrollment_ids: string[],
  listed: PlanYearPrice[],
): Promise<AreaListOf[]> {
  const by_area = listed.filter(({ pricing, coverage_tier }) => pricing === 'area' && coverage_tier === 'EE')
  if (by_area.length === 0) return []
  return area_rates.rows<AreaListOf>(ctx, { organization_id, enrollment_ids, prices: JSON.stringify(by_area) })
}

/**
 * Returns the prices of the benefit of each enrollment by its id, with the rates of the area where the employee lives.
 */
export async function listPricesOf(
  ctx: Ctx,
  organization_id: string,
  enrollments: FoundFacts[],
  listed: PlanYearPrice[],
): Promise<Map<string, Price[]>> {
  const ids = enrollments.map(({ id }) => id)
  const areas = await listAreaRatesOf(ctx, organization_id, ids, listed)
  const areaKey = (id: string, price: Pick<Price, 'plan_id' | 'effective_on'>) =>
    `${id} ${price.plan_id} ${price.effective_on}`
  const rates_of = new Map(areas.map((area) => [areaKey(area.enrollment_id, area), area.rates]))
  const benefitKey = (facts: Pick<FoundFacts, 'plan_year_id' | 'benefit_id'>) =>
    `${facts.plan_year_id} ${facts.benefit_id}`
  const of_benefit = Map.groupBy(listed, benefitKey)
  return new Map(
    enrollments.map((enrollment) => {
      const prices = of_benefit.get(benefitKey(enrollment)) ?? []
      return [
        enrollment.id,
        prices.map((price) => ({ ...price, rates: rates_of.get(areaKey(enrollment.id, price)) ?? null })),
      ]
    }),
  )
}

export async function listPrices(ctx: Ctx, enrollment: FoundFacts): Promise<Price[]> {
  const { id, organization_id } = enrollment
  const listed = await listPlanYearPrices(ctx, organization_id, [id])
  return (await listPricesOf(ctx, organization_id, [enrollment], listed)).get(id)!
}

const deleted = statement(
  'elections.deletePriceSteps',
  `${withInputRows('jsonb_to_recordset(:elections::jsonb) as input (enrollment_id text, effective_on date)')}
   delete from elections as election using input
    where ${isInputRow('election', 'enrollment_id', 'enrollment_id')} and election.effective_on = input.effective_on`,
)

const priced_fields = `
  tier_id text, premium_in_cents bigint, employer_contribution_in_cents bigint, employee_deduction_in_cents bigint,
  domestic_partner_share_in_cents bigint, amendment_id text`

const repriced = statement(
  'elections.saveRepriced',
  `${withInputRows(`jsonb_to_recordset(:elections::jsonb) as input (
     enrollment_id text, effective_on date, as_elected jsonb, ${priced_fields})`)}
   update elections as election
      set tier_id = input.tier_id, premium_in_cents = input.premium_in_cents,
          employer_contribution_in_cents = input.employer_contribution_in_cents,
          employee_deduction_in_cents = input.employee_deduction_in_cents,
          domestic_partner_share_in_cents = input.domestic_partner_share_in_cents,
          amendment_id = input.amendment_id, as_elected = nullif(input.as_elected, 'null'::jsonb)
     from input
    where ${isInputRow('election', 'enrollment_id', 'enrollment_id')} and election.effective_on = input.effective_on`,
)

/** Saves price changes in the elections of many enrollments. */
export async function savePriced(
  ctx: Ctx,
  organization_id: string,
  changes: (ElectionChanges & { enrollment_id: string })[],
): Promise<void> {
  const withId = <One extends object>(rowsOf: (change: ElectionChanges) => One[]) =>
    changes.flatMap((change) => rowsOf(change).map((row) => ({ ...row, enrollment_id: change.enrollment_id })))
  const steps = withId((change) => change.deleted.map((effective_on) => ({ effective_on })))
  const elections = withId((change) => change.repriced)
  const added = withId((change) => change.inserted)
  if (steps.length > 0) await deleted.rows(ctx, { organization_id, elections: JSON.stringify(steps) })
  if (elections.length > 0) await repriced.rows(ctx, { organization_id, elections: JSON.stringify(elections) })
  if (added.length > 0) await insertElectionsOf(ctx, organization_id, added, null)
}
