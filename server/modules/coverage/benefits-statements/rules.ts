import type { Day } from '../../../kernel/days.ts'
import type { ElectedTerms } from '../../money/deductions/line-rules.ts'
import { proveYear, type YearFacts } from '../../money/deductions/proof-rules.ts'
import { chargedMonths, sumOfAmounts } from '../../money/deductions/rules.ts'

/**
 * The cost of a month of an election. For a plan that the employee bought, this is the reimbursed part of its premium,
 * because the employee pays the carrier directly.
 */
const monthlyCost = (terms: ElectedTerms): number =>
  (terms.is_unbilled ? terms.employer_contribution_in_cents : terms.premium_in_cents) ??
  terms.employee_deduction_in_cents

/**
 * The statement of a year. The share of the employee is the amount due by the deduction proof. The contribution of the
 * employer is the rest of the premium of each charged month. Partial months divide both as invoices do. Months before
 * the correction window keep the amounts that invoices billed, regardless of the elections today.
 */
export function statementOf(facts: YearFacts, year: number) {
  const proof = proveYear(facts, year)
  const benefits = facts.enrollments.flatMap((enrollment) => {
    const { enrollment_id, benefit_name, coverage, billed_contributions_in_cents: closed } = enrollment
    const elections = coverage.elections.map((election) => ({ ...election, premium_in_cents: monthlyCost(election) }))
    const open = chargedMonths({ ...coverage, elections }, year)
      .filter(({ month, election }) => month >= facts.first_open_month || election.is_unbilled)
      .map(({ election }) => election.premium_in_cents - election.employee_deduction_in_cents)
    const due = proof.enrollments.find((proved) => proved.enrollment_id === enrollment_id)?.due_in_cents ?? 0
    const months = open.length + closed.length
    const employer_in_cents = sumOfAmounts([...open, ...closed])
    if (months === 0 && due === 0) return []
    const amounts = { employee_in_cents: due, employer_in_cents, total_in_cents: due + employer_in_cents }
    return [{ enrollment_id, benefit_name, months, ...amounts }]
  })
  const sum = (column: 'employee_in_cents' | 'employer_in_cents' | 'total_in_cents') =>
    benefits.reduce((total, benefit) => total + benefit[column], 0)
  return {
    benefits,
    employee_in_cents: sum('employee_in_cents'),
    employer_in_cents: sum('employer_in_cents'),
    total_in_cents: sum('total_in_cents'),
    deducted_in_cents: proof.collected_in_cents ?? 0,
    through: proof.through as Day | null,
  }
}
