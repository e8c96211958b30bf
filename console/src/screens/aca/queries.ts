import type {
  Day,
  EmployersListAcaStatusesQuery,
  EmployersListForms1095cQuery,
  NewMeasurementPolicies,
} from 'openbenefits'
import { ob } from '../../api.ts'
import { pagedList, resourceQuery } from '../../queries.ts'

/** The queries about the employer mandate at an employer. */

/** The explanation of the full-time status on the page of a person. One of a measurement begins with this. */
export const aca_prefix = 'aca'

export const acaKey = (id: string) => ['employers', id, 'aca'] as const

/** The year that the tax form tabs open: through March the past one, whose forms are due then. */
export const defaultYear = (today: Day): number => {
  const year = Number(today.slice(0, 4))
  return today < `${year}-04-01` ? year - 1 : year
}

export const acaOverviewQuery = (id: string) =>
  resourceQuery([...acaKey(id), 'overview'], (options) => ob.employers.getAcaOverview(id, options))

export type WorkforceFilter = Omit<EmployersListAcaStatusesQuery, 'limit' | 'page'>
export const workforceList = (id: string, filter: WorkforceFilter) =>
  pagedList([...acaKey(id), 'workforce', filter], (paging, options) =>
    ob.employers.listAcaStatuses(id, { ...filter, ...paging }, options),
  )

export const offerTestQuery = (id: string, year: number) =>
  resourceQuery([...acaKey(id), 'offer-test', year], (options) => ob.employers.getOfferTest(id, { year }, options))

export const affordabilityQuery = (id: string, query: { plan_year_start?: string; cost_in_cents?: number }) =>
  resourceQuery([...acaKey(id), 'affordability', query], (options) =>
    ob.employers.getAffordability(id, query as Parameters<typeof ob.employers.getAffordability>[1], options),
  )

export type FormFilter = Omit<EmployersListForms1095cQuery, 'limit' | 'page'>
export const formsList = (id: string, filter: FormFilter) =>
  pagedList([...acaKey(id), 'forms', filter], (paging, options) =>
    ob.employers.listForms1095c(id, { ...filter, ...paging }, options),
  )

export const formQuery = (id: string, employee_id: string, tax_year: number) =>
  resourceQuery([...acaKey(id), 'form', employee_id, tax_year], (options) =>
    ob.employees.getForm1095c(employee_id, { tax_year }, options),
  )

export const filingQuery = (id: string, tax_year: number) =>
  resourceQuery([...acaKey(id), 'filing', tax_year], (options) => ob.employers.getFormFiling(id, { tax_year }, options))

export const formSettingsQuery = (id: string, tax_year: number) =>
  resourceQuery([...acaKey(id), 'form-settings', tax_year], (options) =>
    ob.employers.getFormSettings(id, { tax_year }, options),
  )

export const transmittalQuery = (id: string, tax_year: number) =>
  resourceQuery([...acaKey(id), 'transmittal', tax_year], (options) =>
    ob.employers.getForm1094c(id, { tax_year }, options),
  )

export const transmissionsQuery = (id: string, tax_year: number) =>
  resourceQuery([...acaKey(id), 'transmissions', tax_year], (options) =>
    ob.employers.listFormTransmissions(id, { tax_year }, options),
  )

export const hoursReportsQuery = (id: string) =>
  pagedList([...acaKey(id), 'reports'], (paging, options) => ob.hours.listReports(id, paging, options))

export const measurementPoliciesQuery = (id: string) =>
  resourceQuery([...acaKey(id), 'policies'], (options) => ob.measurementPolicies.get(id, options))

/** The periods of policies before they are saved. */
export const policyPreviewQuery = (id: string, body: string) =>
  resourceQuery([...acaKey(id), 'preview', body], (options) =>
    ob.measurementPolicies.preview(id, JSON.parse(body) as NewMeasurementPolicies, options),
  )

/** The measurement of the hours of an employee, as of a day. */
export const acaStatusQuery = (employee_id: string, as_of: Day | undefined) =>
  resourceQuery(['employees', employee_id, 'aca', as_of], (options) =>
    ob.employees.getAcaStatus(employee_id, as_of ? { as_of } : {}, options),
  )
