import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from 'react'
import type {
  AnsweredEvent,
  EmployeeDashboardElement,
  EmployerBenefitsElement,
  EmployerBillingElement,
  ErrorEvent,
  NavigateEvent,
  ReadyEvent,
} from './elements.js'

/** What a page hears of every widget. */
type Common = {
  onReady?: (event: ReadyEvent) => void
  onNavigate?: (event: NavigateEvent) => void
  onError?: (event: ErrorEvent) => void
}

/** What it hears of the employee's. */
type Answered = {
  onElected?: (event: AnsweredEvent) => void
  onWaived?: (event: AnsweredEvent) => void
}

type Properties<Element, Heard> = Omit<HTMLAttributes<Element>, keyof Heard> &
  Partial<Omit<Element, keyof HTMLElement>> &
  Heard & { appearance?: 'light' | 'dark' | 'auto' }

type Component<Element, Heard> = ForwardRefExoticComponent<Properties<Element, Heard> & RefAttributes<Element>>

/** `<EmployeeDashboard for={employee_id} tokenUrl="/benefits-token" onElected={…} />` */
export declare const EmployeeDashboard: Component<EmployeeDashboardElement, Common & Answered>

/** `<EmployerBenefits for={employer_id} tokenUrl="/benefits-token" />` */
export declare const EmployerBenefits: Component<EmployerBenefitsElement, Common>

/** `<EmployerBilling for={employer_id} tokenUrl="/benefits-token" />` */
export declare const EmployerBilling: Component<EmployerBillingElement, Common>

export type * from './elements.js'
