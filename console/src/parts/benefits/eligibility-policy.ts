import type { BenefitEligibilityPolicy } from 'openbenefits'

/** The labels of policy classifications. */
export const policy_classes: Record<string, string> = {
  full_time: 'Full time',
  part_time: 'Part time',
  all: 'Everyone except individual contractors',
}

const class_count_of_all = 5

/**
 * The classes that a policy covers. A policy with `employee_classes` covers only these, even if its classification is
 * `all`.
 */
export function classesOf({
  classification,
  employee_classes,
}: Pick<BenefitEligibilityPolicy, 'classification' | 'employee_classes'>): string {
  const is_all = employee_classes.length === class_count_of_all && !employee_classes.includes('Individual Contractor')
  return classification !== 'all' || is_all ? policy_classes[classification]! : employee_classes.join(', ')
}
