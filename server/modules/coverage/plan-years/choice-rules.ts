import { Refusal } from '../../../kernel/refusal.ts'
import { refusals } from './refusal-rules.ts'
import type { CatalogBenefit, Offer, SaidOffer } from './rules.ts'

/** Benefits of a plan year of which an employee may hold one at a time. */
export type ChoiceGroup = { name: string; benefit_ids: string[] }

/** The group in which a benefit is: the one that was said, or else its usual one; null: in none. */
export function groupOf({ choice_group }: Pick<SaidOffer, 'choice_group'>, { product_code = '' }: CatalogBenefit) {
  if (choice_group !== undefined) return choice_group
  return product_code === 'EBA' || /^(MEC|MVP|ICHRA)/.test(product_code) ? 'medical' : null
}

/** Why benefits can't be grouped like this: a plan year groups what it offers. */
export function whyNotGroup(groups: ChoiceGroup[], offered: string[]): Refusal | undefined {
  const details = groups.flatMap(({ benefit_ids }, at) =>
    benefit_ids.flatMap((id, place) =>
      offered.includes(id)
        ? []
        : [{ field: `choice_groups[${at}].benefit_ids[${place}]`, message: 'is not offered by the plan year' }],
    ),
  )
  return details.length > 0 ? new Refusal(refusals.invalid_choice_groups, details) : undefined
}

/** What is offered, each in the group that is said, or else in the one that it had in `before`. */
export const withGroups = (
  said: SaidOffer[],
  groups: ChoiceGroup[] | undefined,
  before: Pick<Offer, 'benefit_id' | 'choice_group'>[] = [],
): SaidOffer[] =>
  said.map((one) => {
    const { choice_group } = before.find(({ benefit_id }) => benefit_id === one.benefit_id) ?? one
    const named = groups?.find(({ benefit_ids }) => benefit_ids.includes(one.benefit_id))?.name ?? null
    return { ...one, choice_group: groups ? named : choice_group }
  })
