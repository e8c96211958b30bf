import { queryOptions } from '@tanstack/react-query'
import type * as A from '../../server/test/contract-types.ts'
import { get } from './api.ts'

/** What the console asks of the service: one function for each read, and its place in the cache. */

/** A list by pages, of which any can be asked for. */
export type Listing<Row> = {
  key: readonly unknown[]
  page: (page: number, signal: AbortSignal) => Promise<{ data: Row[]; pagination: { total: number } }>
}

/** A list in which a page says where the next one begins. */
export type Trail<Row> = {
  key: readonly unknown[]
  from: (offset: string | undefined) => Promise<{ data: Row[]; next_offset: string | null }>
}

export const page_size = 100

type Filter = Record<string, string | number | boolean | readonly string[] | undefined>

const listing = <Row>(path: string, filter: Filter = {}): Listing<Row> => ({
  key: [path, filter],
  page: (page, signal) => get(path, { ...filter, limit: page_size, page }, signal),
})

const one = <T>(path: string, query: Filter = {}) =>
  queryOptions({
    queryKey: [path, query],
    queryFn: ({ signal }) => get<{ data: T }>(path, query, signal).then(({ data }) => data),
  })

export type BookFilter = {
  search?: string | undefined
  benefit_lifecycle_stage?: readonly string[] | undefined
  benefit_family?: readonly string[] | undefined
  hris_status?: readonly string[] | undefined
  include_cancelled?: boolean | undefined
}

const employers = '/v1/employers'
/** Who one is to the service, and the present day of the organization. */
export const credential = () => one<A.Credential>('/v1/auth/token')
export const employersIn = (filter: BookFilter) => listing<A.EmployerRow>(employers, filter)
export const employer = (id: string) => one<A.Employer>(`${employers}/${id}`)
export const employerRow = (id: string) =>
  queryOptions({
    queryKey: [employers, 'row', id],
    queryFn: ({ signal }) =>
      get<A.EmployerPage>(employers, { search: id, include_cancelled: true, limit: 1 }, signal).then(
        ({ data }) => data[0] ?? null,
      ),
  })
export const settingsOf = (id: string) => one<A.EmployerSettings>(`${employers}/${id}/settings`)

export type RosterFilter = { search?: string | undefined; employment_status?: readonly string[] | undefined }
export const rosterOf = (id: string, filter: RosterFilter) =>
  listing<A.Employee>(`${employers}/${id}/employees`, filter)

const plan_years = (id: string) => `${employers}/${id}/benefit-plan-years`
export const planYearsOf = (id: string) => one<A.BenefitPlanYearRow[]>(plan_years(id))
export const planYear = (id: string, year_id: string) => one<A.BenefitPlanYear>(`${plan_years(id)}/${year_id}`)
export type PlanYearEnrollmentFilter = { search?: string | undefined; election_status?: readonly string[] | undefined }
export const planYearEnrollments = (id: string, year_id: string, filter: PlanYearEnrollmentFilter) =>
  listing<A.PlanYearEnrollmentRow>(`${plan_years(id)}/${year_id}/enrollments`, filter)

export const statementsOf = (id: string) =>
  listing<A.PayrollDeductionStatement>(`${employers}/${id}/payroll-deduction-statements`)

export const censusOf = (id: string, census_sync_id: string) =>
  one<A.CensusOutcome>(`${employers}/${id}/census-sync/${census_sync_id}`)

const invoices = (id: string) => `${employers}/${id}/invoices`
export const invoicesOf = (id: string): Trail<A.Invoice> => ({
  key: [invoices(id)],
  from: (offset) => get(invoices(id), { limit: page_size, include_drafts: true, ...(offset && { offset }) }),
})
export const invoiceLines = (id: string, invoice_id: string) =>
  listing<A.InvoiceLine>(`${invoices(id)}/${invoice_id}/lines`)
export const reconciliation = (id: string, invoice_id: string) =>
  one<A.Reconciliation>(`${invoices(id)}/${invoice_id}/reconciliation`)
export const pdfOf = (id: string, invoice_id: string) =>
  get<{ data: A.DownloadLink }>(`${invoices(id)}/${invoice_id}/pdf`).then(({ data }) => data)

export const peopleIn = (search: string | undefined) => listing<A.Member>('/v1/members', { search })
export const member = (id: string) => one<A.Member>(`/v1/members/${id}`)

const employees = (id: string) => `/v1/employees/${id}`
export const employee = (id: string) => one<A.Employee>(employees(id))
export const eligibility = (id: string, as_of: string | undefined) =>
  one<A.EligibilityExplanation>(`${employees(id)}/eligibility`, { as_of })
export const enrollmentsOf = (id: string) => listing<A.Enrollment>(`${employees(id)}/enrollments`)
export const historyOf = (id: string) => listing<A.EnrollmentEvidence>(`/v1/enrollments/${id}/history`)
export const dependentsOf = (id: string) => listing<A.Dependent>(`${employees(id)}/dependents`)
export const lifeEventsOf = (id: string) => listing<A.LifeEvent>(`${employees(id)}/qualifying-life-events`)
export const proofOf = (id: string, year: number) =>
  one<A.DeductionProof>(`${employees(id)}/deductions/proof`, { year })

export type EventFilter = {
  event_name?: readonly string[] | undefined
  resource_id?: string | undefined
  created_after?: string | undefined
}
export const events = (filter: EventFilter) => listing<A.WebhookEvent>('/v1/webhook-events', filter)
export const deliveriesOf = (event_id: string) =>
  listing<A.WebhookDelivery>(`/v1/webhook-events/${event_id}/deliveries`)
export const subscriptions = () => listing<A.WebhookSubscription>('/v1/webhook-subscriptions')
export const subscription = (id: string) => one<A.WebhookSubscription>(`/v1/webhook-subscriptions/${id}`)
export const eventOf = (id: string) => one<A.WebhookEvent>(`/v1/webhook-events/${id}`)
export const keys = () => listing<A.ApiKey>('/v1/api-keys')

const operator = '/operator/v1'
export const openMatters = () => listing<A.OpenMatter>(`${operator}/open-matters`)
export const reportedLifeEvents = () =>
  listing<A.ReportedLifeEvent>(`${operator}/qualifying-life-events`, { status: 'pending' })
export const disabledSubscriptions = () => listing<A.WebhookSubscription>(`${operator}/disabled-webhook-subscriptions`)
export const organizations = () =>
  queryOptions({
    queryKey: [operator, 'organizations'],
    queryFn: ({ signal }) => get<A.OperatedOrganizationPage>(`${operator}/organizations`, { limit: page_size }, signal),
  })
export const clockOf = (organization_id: string) =>
  one<A.OrganizationClock>(`${operator}/organizations/${organization_id}/clock`)
