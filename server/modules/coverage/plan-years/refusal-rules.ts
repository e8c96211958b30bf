import { most_plan_year_days } from './schemas.ts'
import { declareRefusals } from '../../../kernel/refusal.ts'

export const refusals = declareRefusals({
  plan_year_overlaps: [
    409,
    'Another plan year of the employer offers one of the benefits at the same time.',
    'Begin the plan year after the other one ends, or offer other benefits.',
  ],
  plan_year_has_started: [
    409,
    "The plan year has started and can't change.",
    'Amend it from a later day on, or change the next plan year.',
  ],
  plan_year_is_amended: [
    409,
    'The plan year has amendments.',
    'Withdraw the amendments first, starting with the last one, or add another amendment.',
  ],
  plan_year_has_elections: [
    409,
    "An employee has already elected, so the coverage dates and the existing offers can't change.",
    'Keep the days and benefits. You can still add benefits that no employee has elected.',
  ],
  invalid_plan_year: [
    422,
    'These dates do not form a valid plan year.',
    `Fix the fields listed in \`details\`. A plan year has at most ${most_plan_year_days} days, and open enrollment ` +
      'must end within it.',
  ],
  unknown_benefit: [
    422,
    "The organization's catalog has no such benefit.",
    'Use a benefit of the catalog, or import it first.',
  ],
  unknown_plan: [
    422,
    'The benefit does not have this plan.',
    'Use a plan of that benefit from the catalog, or import it first.',
  ],
  plan_has_no_rate: [
    422,
    'The catalog has no rate for the plan on the first day of the plan year.',
    'Import a premium that applies on the first day.',
  ],
  contribution_does_not_fit: [
    422,
    'ICHRA requires contribution classes, every other benefit contribution tiers.',
    'Send `ichra_contribution_classes` for ICHRA, and `contribution_tiers` for all other benefits.',
  ],
  contribution_missing: [
    422,
    'ICHRA requires contribution classes, because the allowances in the catalog are missing or differ by plan.',
    'Send `ichra_contribution_classes`.',
  ],
  invalid_choice_groups: [
    422,
    'A choice group can only contain benefits that the plan year offers.',
    'List benefits of the plan year, each in one group.',
  ],
  invalid_plan_successors: [
    422,
    'The successor of a plan that is no longer offered must be an offered plan of the same benefit.',
    'Send an offered plan of the same benefit for each plan that is no longer offered.',
  ],
})
