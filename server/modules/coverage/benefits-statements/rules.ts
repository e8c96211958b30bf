import type { Day } from '../../../kernel/days.ts'
import { proveYear, type YearFacts } from '../../money/deductions/proof-rules.ts'
import { chargedMonths } from '../../money/deductions/rules.ts'

/**
 * The statement of a year. The share of the employee is the amount due by the deduction proof. The contribution of the
 * employer is the rest of the premium of each charged month. Partial months divide both as invoices do.
 */
export function statementOf(facts: YearFacts, year: number) {
  const proof = proveYear(facts, year)
  const benefits = facts.enrollments.flatMap(({ enrollment_id, benefit_name, coverage }) => {
    const elections = coverage.elections.map((one) => ({
      ...one,
      premium_in_cents: one.premium_in_cents ?? one.employee_deduction_in_cents,
    }))
    const months = chargedMonths({ ...coverage, elections }, year)
    const due = proof.enrollments.find((one) => one.enrollment_id === enrollment_id)?.due_in_cents ?? 0
    const employer_in_cents = months.reduce(
      (sum, { election }) => sum + election.premium_in_cents - election.employee_deduction_in_cents,
      0,
    )
    if (months.length === 0 && due === 0) return []
    const amounts = { employee_in_cents: due, employer_in_cents, total_in_cents: due + employer_in_cents }
    return [{ enrollment_id, benefit_name, months: months.length, ...amounts }]
  })
  const sum = (column: 'employee_in_cents' | 'employer_in_cents' | 'total_in_cents') =>
    benefits.reduce((total, one) => total + one[column], 0)
  return {
    benefits,
    employee_in_cents: sum('employee_in_cents'),
    employer_in_cents: sum('employer_in_cents'),
    total_in_cents: sum('total_in_cents'),
    deducted_in_cents: proof.collected_in_cents ?? 0,
    through: proof.through as Day | null,
  }
}
