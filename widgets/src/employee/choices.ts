import type {
  Day,
  Dependent,
  DependentField,
  Employee,
  Enrollment,
  EnrollmentDetail,
  EnrollmentAnswers,
  WaiverReason,
} from 'openbenefits'
import type { Format } from '../core/format.ts'
import type { EmployeeWords } from './words-en.ts'

/** The form fields of an individual plan that the employee bought (product ICHRA_REIMBURSEMENT_ONLY). */
export type OwnPlan = { name: string; premium: string; on_exchange: boolean }

/** A choice for one benefit, before it is submitted. */
export type Choice =
  | { waive: true; reason?: WaiverReason }
  | { waive: false; plan_id: string; dependent_ids: string[]; own?: OwnPlan | undefined }

export type Tier = 'EE' | 'ES' | 'EC' | 'EF'

/** The coverage tier for these dependents. The service derives it by the same rule and refuses any other. */
export function tierOf(people: Pick<Dependent, 'relationship'>[]): Tier {
  const spouse = people.some(({ relationship }) => relationship !== 'child')
  const children = people.some(({ relationship }) => relationship === 'child')
  return spouse ? (children ? 'EF' : 'ES') : children ? 'EC' : 'EE'
}

/** The submitted election as a choice. An upcoming election takes precedence over the current one. */
export function presentChoice({ status, plan, dependent_ids, upcoming_election }: Enrollment): Choice | undefined {
  if (status === 'waived') return { waive: true }
  const elected = upcoming_election ?? (plan && { plan, dependent_ids })
  return status === 'enrolled' && elected
    ? { waive: false, plan_id: elected.plan.id, dependent_ids: elected.dependent_ids }
    : undefined
}

/** Whether a benefit can be chosen today. */
export const isOpen = ({ status, window }: Enrollment): boolean => status !== 'inactive' && window !== null

/** Whether the open window allows the employee to add or drop a dependent. */
export function canToggleDependent(of: Enrollment, one: Pick<Dependent, 'id' | 'relationship'>): boolean {
  const { allowed_changes: allowed, dependent_ids, upcoming_election } = of
  const is_covered = dependent_ids.includes(one.id)
  const stays = upcoming_election?.dependent_ids.includes(one.id) ?? is_covered
  if (is_covered && stays) return allowed?.drop.includes(one.relationship) === true
  return is_covered || stays || allowed?.add === true
}

/** Whether the open window allows the employee to elect a plan. */
export function canElectPlan(
  { status, plan, upcoming_election, allowed_changes }: Enrollment,
  plan_id: string,
): boolean {
  if (status !== 'enrolled') return allowed_changes?.add === true
  return allowed_changes?.change_plan === true || [plan?.id, upcoming_election?.plan.id].includes(plan_id)
}

/** Whether the open window allows the employee to waive a benefit. */
export const mayWaive = ({ status, coverage_start, elected_by, allowed_changes }: Enrollment, today: Day): boolean => {
  if (status !== 'enrolled') return true
  const is_carried = elected_by === 'renewal' || elected_by === 'return'
  return allowed_changes?.waive === true && (coverage_start > today || is_carried)
}

const order = ['Medical', 'Dental', 'Vision', 'Hospital']

/** Sorts enrollments in the usual order of benefits: medical, dental, vision, hospital. */
export const inOrder = <Row extends Pick<Enrollment, 'benefit' | 'coverage_start'>>(enrollments: Row[]): Row[] =>
  enrollments.toSorted(
    (a, b) =>
      order.indexOf(a.benefit.category) - order.indexOf(b.benefit.category) ||
      a.benefit.name.localeCompare(b.benefit.name) ||
      (a.coverage_start < b.coverage_start ? -1 : 1),
  )

/** Groups enrollments by plan year dates, earliest first. */
export const byPlanYear = (enrollments: Enrollment[]): Enrollment[][] =>
  [...Map.groupBy(enrollments, ({ plan_year_start, plan_year_end }) => `${plan_year_start} ${plan_year_end}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, those]) => those)

/** The display name of the plan year of these enrollments. */
export const planYearName = ({ w, f }: { w: EmployeeWords; f: Format }, [one]: Enrollment[]): string =>
  one ? w.plan_year(f.span(one.plan_year_start, one.plan_year_end)) : ''

/** The dependents who can be covered today. */
export const coverableDependents = (dependents: Dependent[], today: Day): Dependent[] =>
  dependents.filter(({ active, covered_until }) => active && (covered_until === null || covered_until >= today))

/** Whether the employee buys the plan of this benefit individually. */
export const isOwn = ({ benefit }: Pick<EnrollmentDetail, 'benefit'>): boolean =>
  benefit.product_code === 'ICHRA_REIMBURSEMENT_ONLY'

/** Choices as a request body. A waiver carries the reason code and the text that the employee saw. */
export const answersOf = (
  choices: ReadonlyMap<string, Choice>,
  dependents: Dependent[],
  reasons: Record<WaiverReason, string>,
): EnrollmentAnswers['answers'] =>
  [...choices].map(([enrollment_id, choice]): EnrollmentAnswers['answers'][number] => {
    if (choice.waive) {
      const { reason: code } = choice
      return { enrollment_id, waive: code ? { reason: reasons[code], reason_code: code } : {} } as never
    }
    const { plan_id, dependent_ids, own } = choice
    const coverage_tier = tierOf(dependents.filter(({ id }) => dependent_ids.includes(id)))
    const own_plan = own && {
      individual_plan: { name: own.name, premium_in_cents: Math.round(Number(own.premium) * 100) },
      bought_on_exchange: own.on_exchange,
    }
    return { enrollment_id, elect: { plan_id, coverage_tier, dependent_ids, ...own_plan } } as never
  })

/** Refusal messages by enrollment id. The field `answers[1].plan_id` belongs to the second enrollment. */
export function faultsByEnrollment(faults: Record<string, string>, ids: string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [field, message] of Object.entries(faults)) {
    const at = /^answers\[(\d+)\]/.exec(field)?.[1]
    const id = at === undefined ? undefined : ids[Number(at)]
    found.set(id ?? '', message)
  }
  return found
}

/** The data that a benefit requires and a dependent lacks. */
export const missingOf = (
  { gender, address, verification }: Dependent,
  employee: Pick<Employee, 'address'> | undefined,
  required: DependentField[],
): DependentField[] =>
  required.filter(
    (one) =>
      ({
        gender: !gender,
        address: !address && !employee?.address,
        verification: ['unverified', 'rejected'].includes(verification.status),
      })[one],
  )
