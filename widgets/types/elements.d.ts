/** What your route for tokens answers, as the service did. */
export type Token = { access_token: string; expires_in: number }

/** What all widgets have. */
interface WidgetElement<View extends string> extends HTMLElement {
  /** Where the service is, with a slash at its end; unless said, from where the script came. */
  baseUrl: string
  /** The route of the page's own backend that issues tokens, by POST. */
  tokenUrl: string
  /** Instead of it: a function that gets a token from the page's own backend. */
  getToken: (() => Promise<Token>) | undefined
  /** For whom: `empl_…` or `empr_…`. */
  for: string
  /** Which view is shown: for deep links. */
  view: View
}

export type EmployeeView =
  | 'home'
  | 'choose'
  | 'review'
  | 'confirmation'
  | 'coverage'
  | 'family'
  | 'life-events'
  | 'paychecks'
  | 'why'
  | 'me'

/** `<ob-employee-dashboard>`. */
export interface EmployeeDashboardElement extends WidgetElement<EmployeeView> {}

export type BenefitsView = 'overview' | 'people' | 'person' | 'plan-years' | 'plan-year' | 'payroll'

/** `<ob-employer-benefits>`. */
export interface EmployerBenefitsElement extends WidgetElement<BenefitsView> {
  /** Which plan year is shown. */
  planYear: string
  /** Which person the view `person` shows. */
  employee: string
}

export type BillingView = 'invoices' | 'invoice'

/** `<ob-employer-billing>`. */
export interface EmployerBillingElement extends WidgetElement<BillingView> {
  /** Which invoice the view `invoice` shows. */
  invoice: string
}

/** What a widget tells the page. */
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
