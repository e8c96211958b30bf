import type { Enrollment, EnrollmentDetail } from 'openbenefits'
import { tierOf } from '../choices.ts'
import type { EmployeeHost } from '../host.ts'
import type { BenefitStep } from './steps.ts'

export type Plan = EnrollmentDetail['plans'][number]

/** A plan on the screen of a benefit, with the enrollment that can elect it. */
export type Offer = { enrollment: Enrollment; detail: EnrollmentDetail; plan: Plan }

/** The name of a benefit, or of the category if several benefits share the screen. */
export const stepName = (host: EmployeeHost, { enrollments: [first, second] }: BenefitStep): string => {
  const { name, category } = first!.benefit
  return host.nameOf(second ? category : name)
}

/** The price of a plan for the covered people. Undefined if it is not offered to them. */
export const priceOf = (host: EmployeeHost, step: BenefitStep, { enrollment, plan }: Offer) => {
  const covered = host.election.dependentsOf(step, enrollment)
  const tier = tierOf(host.dependents!.filter(({ id }) => covered.includes(id)))
  return { covered, tier, price: plan.tiers.find(({ coverage_tier }) => coverage_tier === tier) }
}
