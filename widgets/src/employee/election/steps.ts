import type { Dependent, Enrollment } from 'openbenefits'
import { inOrder, isOpen, canToggleDependent, presentChoice, type Choice } from '../choices.ts'

/** One screen of the election: a benefit, or the benefits of a choice group, of which one can be elected. */
export type BenefitStep = { key: string; enrollments: Enrollment[] }

/** The benefits that need a decision, in the order of their screens: earliest plan year first. */
export function benefitSteps(all: Enrollment[]): BenefitStep[] {
  const open = inOrder(all.filter(isOpen)).toSorted((a, b) => a.plan_year_start.localeCompare(b.plan_year_start))
  const groups = Map.groupBy(open, ({ id, choice_group, plan_year_start, plan_year_end }) =>
    choice_group ? `${choice_group} ${plan_year_start} ${plan_year_end}` : id,
  )
  return [...groups].map(([key, enrollments]) => ({ key, enrollments }))
}

/** A choice for one of the benefits of a step. */
export type StepChoice = { enrollment: Enrollment; choice: Choice }

/** The choice in force today: the submitted choice, or else the choice of the earlier plan year. */
export function currentChoice({ enrollments }: BenefitStep, all: Enrollment[]): StepChoice | undefined {
  const found = enrollments.flatMap((enrollment) => {
    const [earlier] = all
      .filter((other) => other.benefit.id === enrollment.benefit.id && other.coverage_start < enrollment.coverage_start)
      .toSorted((a, b) => b.coverage_start.localeCompare(a.coverage_start))
    const choice = presentChoice(enrollment) ?? (earlier && presentChoice(earlier))
    return choice ? [{ enrollment, choice }] : []
  })
  return found.find(({ choice }) => !choice.waive) ?? (found.length === enrollments.length ? found[0] : undefined)
}

/** The dependents that an election covers: the selected ones, unless the window does not allow the change. */
export function coveredOf(enrollment: Enrollment, family: Dependent[], selected: string[]): string[] {
  const current = enrollment.upcoming_election?.dependent_ids ?? enrollment.dependent_ids
  return family
    .filter((dependent) => (canToggleDependent(enrollment, dependent) ? selected : current).includes(dependent.id))
    .map(({ id }) => id)
}
