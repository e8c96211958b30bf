import type {
  Employee,
  EmployerRow,
  EnrollmentWindowPerson,
  InvoiceAging,
  InvoiceRow,
  Member,
  PayrollDeductionStatementRow,
  PlanYearEnrollmentRow,
} from './v1/types.gen.ts'

/** A column of a spreadsheet, with a heading for people. Amounts are in cents. */
export type ListColumn<Row> = {
  name: string
  kind?: 'cents' | 'day'
  of: (row: Row) => string | number | null | undefined
}

/** `open_enrollment` as `Open enrollment`. */
const worded = (word: string): string => {
  const words = word.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Most benefit families are known by their initials. */
const familyOf = (family: string): string =>
  /^(dental|vision)$/i.test(family) ? worded(family.toLowerCase()) : family.toUpperCase()

/** The number of enrollments by status, without ended ones. */
const enrollmentCounts = ({ enrollments }: Employee): string =>
  (['enrolled', 'pending', 'waived'] as const)
    .map((status) => ({ status, count: enrollments.filter((enrollment) => enrollment.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`)
    .join(', ')

export const employer_columns: ListColumn<EmployerRow>[] = [
  { name: 'Employer', of: ({ name }) => name },
  { name: 'Legal name', of: ({ legal_name }) => legal_name },
  { name: 'EIN', of: ({ ein }) => ein },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Phone', of: ({ phone_number }) => phone_number },
  { name: 'Stage', of: ({ benefit_lifecycle_stage: { stage } }) => worded(stage) },
  { name: 'Employees', of: ({ employee_count }) => employee_count },
  { name: 'Enrolled', of: ({ enrollment_rate_summary: { enrolled } }) => enrolled },
  { name: 'Eligible', of: ({ enrollment_rate_summary: { eligible } }) => eligible },
  { name: 'Premium', kind: 'cents', of: ({ monthly_premium_in_cents }) => monthly_premium_in_cents },
  { name: 'Next date', kind: 'day', of: ({ next_date }) => next_date?.date },
  { name: 'Next date is', of: ({ next_date }) => next_date && worded(next_date.kind) },
  { name: 'Renews', kind: 'day', of: ({ renews_on }) => renews_on },
  { name: 'Benefits', of: ({ benefit_families }) => benefit_families.map(familyOf).join(', ') },
  { name: 'Payroll', of: ({ hris_status }) => hris_status?.provider_label },
  { name: 'Owner', of: ({ owner }) => owner?.name },
  { name: 'Reference', of: ({ reference_id }) => reference_id },
]

export const people_columns: ListColumn<Member>[] = [
  { name: 'First name', of: ({ first_name }) => first_name },
  { name: 'Last name', of: ({ last_name }) => last_name },
  { name: 'Email', of: ({ email }) => email },
  {
    name: 'Works for',
    of: ({ employments }) => [...new Set(employments.map((employment) => employment.employer_name))].join(', '),
  },
]

export const employee_columns: ListColumn<Employee>[] = [
  { name: 'First name', of: ({ first_name }) => first_name },
  { name: 'Last name', of: ({ last_name }) => last_name },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Status', of: ({ status }) => worded(status) },
  { name: 'Class', of: ({ employee_class }) => employee_class },
  { name: 'Hired', kind: 'day', of: ({ hire_date }) => hire_date },
  { name: 'Terminated', kind: 'day', of: ({ termination_date }) => termination_date },
  { name: 'Enrollments', of: enrollmentCounts },
  { name: 'Reference', of: ({ reference_id }) => reference_id },
]

export const window_people_columns: ListColumn<EnrollmentWindowPerson>[] = [
  { name: 'First name', of: ({ member_first_name }) => member_first_name },
  { name: 'Last name', of: ({ member_last_name }) => member_last_name },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Class', of: ({ employee_class }) => employee_class },
  { name: 'Progress', of: ({ status }) => worded(status) },
  { name: 'Benefits', of: ({ benefit_count }) => benefit_count },
  { name: 'Answered', of: ({ answered_count }) => answered_count },
  { name: 'Window closes', kind: 'day', of: ({ window_ends_on }) => window_ends_on },
  { name: 'Last message', kind: 'day', of: ({ last_message }) => last_message?.due_on },
  { name: 'Last activity', of: ({ last_activity_at }) => last_activity_at },
  { name: 'Reference', of: (row) => row.employee_external_reference_id },
]

export const enrollment_columns: ListColumn<PlanYearEnrollmentRow>[] = [
  { name: 'First name', of: ({ member_first_name }) => member_first_name },
  { name: 'Last name', of: ({ member_last_name }) => member_last_name },
  { name: 'Reference', of: (row) => row.employee_external_reference_id },
  { name: 'Benefit', of: ({ benefit_name }) => benefit_name },
  { name: 'Election', of: ({ election_status }) => worded(election_status) },
  { name: 'Plan', of: ({ plan }) => plan },
  { name: 'Coverage level', of: ({ tier }) => tier },
  { name: 'Premium', kind: 'cents', of: ({ premium_in_cents }) => premium_in_cents },
  { name: 'Employer contribution', kind: 'cents', of: (row) => row.employer_contribution_in_cents },
  { name: 'Employee deduction', kind: 'cents', of: (row) => row.employee_deduction_in_cents },
  { name: 'Coverage starts', kind: 'day', of: ({ coverage_start }) => coverage_start },
  { name: 'Coverage ends', kind: 'day', of: ({ coverage_end }) => coverage_end },
]

export const invoice_columns: ListColumn<InvoiceRow>[] = [
  { name: 'Invoice', of: ({ invoice_id }) => invoice_id },
  { name: 'Employer', of: ({ employer_name }) => employer_name },
  { name: 'Month', of: ({ period }) => period },
  { name: 'Status', of: ({ status, age }) => worded(age !== null && age !== 'not_due' ? 'overdue' : status) },
  { name: 'Due', kind: 'day', of: ({ due_on }) => due_on },
  { name: 'Total', kind: 'cents', of: ({ total_in_cents }) => total_in_cents },
  { name: 'Employer contribution', kind: 'cents', of: (row) => row.employer_contribution_in_cents },
  { name: 'Employee deductions', kind: 'cents', of: (row) => row.employee_deduction_in_cents },
]

export const receivable_columns: ListColumn<InvoiceAging>[] = [
  { name: 'Employer', of: ({ employer_name }) => employer_name },
  { name: 'Invoices', of: ({ invoice_count }) => invoice_count },
  { name: 'Not due yet', kind: 'cents', of: ({ not_due_in_cents }) => not_due_in_cents },
  { name: '1–30 days overdue', kind: 'cents', of: (row) => row.overdue_to_30_days_in_cents },
  { name: '31–60 days overdue', kind: 'cents', of: (row) => row.overdue_to_60_days_in_cents },
  { name: '61–90 days overdue', kind: 'cents', of: (row) => row.overdue_to_90_days_in_cents },
  { name: 'Over 90 days overdue', kind: 'cents', of: (row) => row.overdue_longer_in_cents },
  { name: 'Total', kind: 'cents', of: ({ total_in_cents }) => total_in_cents },
]

type Statement = Omit<PayrollDeductionStatementRow, 'employer_name'> & { employer_name?: string }

export const statement_columns: ListColumn<Statement>[] = [
  { name: 'Employer', of: ({ employer_name }) => employer_name },
  { name: 'Pay period starts', kind: 'day', of: ({ period_start_date }) => period_start_date },
  { name: 'Pay period ends', kind: 'day', of: ({ period_end_date }) => period_end_date },
  { name: 'Employees', of: ({ employee_count }) => employee_count },
  { name: 'Total', kind: 'cents', of: ({ total_in_cents }) => total_in_cents },
  { name: 'Generated', of: ({ generated_at }) => generated_at },
]

const list = <Row>(operation: string, title: string, columns: ListColumn<Row>[]) => ({
  operation,
  title,
  columns: columns as ListColumn<never>[],
})

/** The lists that can be exported on a schedule, each with the operation that returns its rows. */
export const export_lists = {
  employers: list('employers_list', 'Employers', employer_columns),
  people: list('members_list', 'People', people_columns),
  employees: list('employers_list_employees', 'Employees of an employer', employee_columns),
  enrollment_people: list('employers_list_enrollment_window_people', 'Enrollment progress', window_people_columns),
  enrollments: list('employers_list_benefit_plan_year_enrollments', 'Enrollments of a plan year', enrollment_columns),
  invoices: list('invoices_list', 'Invoices', invoice_columns),
  receivables: list('invoices_list_aging', 'Amounts owed by employers', receivable_columns),
  statements: list('payroll_deduction_statements_list', 'Payroll deduction statements', statement_columns),
} as const

const dollarsOf = (cents: string | number): number => Number((Number(cents) / 100).toFixed(2))

/** The rows as a table of texts and numbers, for a CSV file. Amounts are in dollars. */
export const csvTable = <Row>(columns: readonly ListColumn<Row>[], rows: readonly Row[]) => ({
  fields: columns.map(({ name }) => name),
  data: rows.map((row) =>
    columns.map(({ kind, of }) => {
      const value = of(row) ?? ''
      return kind === 'cents' && value !== '' ? dollarsOf(value) : value
    }),
  ),
})

function cellOf<Row>({ kind, of }: ListColumn<Row>, row: Row) {
  const value = of(row)
  if (value === null || value === undefined || value === '') return null
  if (kind === 'cents') return { value: dollarsOf(value), type: Number, format: '#,##0.00' }
  if (kind === 'day') return { value: new Date(`${value}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' }
  return typeof value === 'number' ? { value, type: Number } : { value, type: String }
}

/** The rows as a worksheet of `write-excel-file`, with typed cells and a header that stays visible. */
export const worksheetOf = <Row>(columns: readonly ListColumn<Row>[], rows: readonly Row[]) => ({
  data: [
    columns.map(({ name }) => ({ value: name, fontWeight: 'bold' as const })),
    ...rows.map((row) => columns.map((column) => cellOf(column, row))),
  ],
  columns: columns.map(({ name }) => ({ width: Math.max(14, name.length + 4) })),
  stickyRowsCount: 1,
})
