/** The response of your token route, passed on from the service. */
export type Token = { access_token: string; expires_in: number }

/** Properties of all widgets. */
interface WidgetElement<View extends string> extends HTMLElement {
  /** The URL of the service, with a trailing slash. Defaults to the origin of the script. */
  baseUrl: string
  /** The route of your backend that issues tokens (POST). */
  tokenUrl: string
  /** Alternative to `tokenUrl`: a function that gets a token from your backend. */
  getToken: (() => Promise<Token>) | undefined
  /** The id of the employee or employer: `empl_…` or `empr_…`. */
  for: string
  /** The current view, for deep links. */
  view: View
}

export type EmployeeView =
  | 'home'
  | 'enroll'
  | 'confirmation'
  | 'coverage'
  | 'more'
  | 'documents'
  | 'family'
  | 'beneficiaries'
  | 'life-events'
  | 'paychecks'
  | 'tax-forms'
  | 'why'
  | 'me'

/** `<ob-employee-dashboard>`. */
export interface EmployeeDashboardElement extends WidgetElement<EmployeeView> {}

export type BenefitsView =
  | 'overview'
  | 'enrollment'
  | 'remind'
  | 'people'
  | 'person'
  | 'plan-years'
  | 'plan-year'
  | 'payroll'
  | 'notes'
  | 'aca'

/** `<ob-employer-benefits>`. */
export interface EmployerBenefitsElement extends WidgetElement<BenefitsView> {
  /** The plan year shown. */
  planYear: string
  /** The person shown by the `person` view. */
  employee: string
}

export type BillingView = 'invoices' | 'invoice'

/** `<ob-employer-billing>`. */
export interface EmployerBillingElement extends WidgetElement<BillingView> {
  /** The invoice shown by the `invoice` view. */
  invoice: string
}

/** The events that a widget dispatches. */
export type ReadyEvent = CustomEvent<object>
export type AnsweredEvent = CustomEvent<{ enrollment_id: string }>
export type NavigateEvent = CustomEvent<{ view: string }>
export type ErrorEvent = CustomEvent<{ code: string; trace_id: string }>

declare global {
  interface HTMLElementTagNameMap {
    'ob-employee-dashboard': EmployeeDashboardElement
    'ob-employer-benefits': EmployerBenefitsElement
    'ob-employer-billing': EmployerBillingElement
  }
  interface HTMLElementEventMap {
    'ob-ready': ReadyEvent
    'ob-elected': AnsweredEvent
    'ob-waived': AnsweredEvent
    'ob-navigate': NavigateEvent
    'ob-error': ErrorEvent
  }
}
