import { declareRefusals } from '../../../kernel/refusal.ts'

/** Why a plan year is not opened or changed. */
export const refusals = declareRefusals({
  plan_year_overlaps: [
    409,
    'The employer offers a benefit in another plan year of this time: in one at a time.',
    'Let it begin after the other one ends, or offer other benefits.',
  ],
  plan_year_has_started: [
    409,
    'The plan year has started, and is as it is.',
    'Amend it from a later day on, or change the next one.',
  ],
  plan_year_is_amended: [
    409,
    'The plan year bears amendments.',
    'Withdraw them first, the last one before the others, or amend it again.',
  ],
  plan_year_has_elections: [
    409,
    'Somebody has elected for this price: coverage dates, and what is offered already, stay.',
    'Leave days and benefits as they are; what is not elected yet may still be added.',
  ],
  invalid_plan_year: [
    422,
    'These days can not be those of a plan year.',
    'Mend the days that `details` names: at most 366 from first to last, with the open enrollment not beyond.',
  ],
  unknown_benefit: [
    422,
    "The organization's catalog has no such benefit.",
    'Take a benefit of the catalog, or import it first.',
  ],
  unknown_plan: [
    422,
    'The benefit has no such plan.',
    'Take a plan of that benefit from the catalog, or import it first.',
  ],
  plan_has_no_rate: [
    422,
    'The catalog has no rate of the plan for the first day of the plan year.',
    'Import a premium that holds on the first day.',
  ],
  contribution_does_not_fit: [
    422,
    'ICHRA takes contribution classes, any other benefit takes contribution tiers.',
    'Send `ichra_contribution_classes` for ICHRA, `contribution_tiers` for all else.',
  ],
  contribution_missing: [
    422,
    'ICHRA needs contribution classes: the allowances of the catalog are missing, or differ by plan.',
    'Send `ichra_contribution_classes`.',
  ],
  invalid_choice_groups: [
    422,
    'A choice group holds benefits that the plan year offers.',
    'Name benefits of the plan year, each in one group.',
  ],
  invalid_plan_successors: [
    422,
    'A plan that is not offered again is followed by one that is, of the same benefit.',
    'Name, for each plan that goes, one of the same benefit that stays.',
  ],
})
