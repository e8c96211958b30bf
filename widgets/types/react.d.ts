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

/** Event handlers of every widget. */
type Common = {
  onReady?: (event: ReadyEvent) => void
  onNavigate?: (event: NavigateEvent) => void
  onError?: (event: ErrorEvent) => void
}

/** Event handlers of the Employee Dashboard. */
type Answered = {
  onElected?: (event: AnsweredEvent) => void
  onWaived?: (event: AnsweredEvent) => void
}

type Properties<Element, Handler> = Omit<HTMLAttributes<Element>, keyof Handler> &
  Partial<Omit<Element, keyof HTMLElement>> &
  Handler & { appearance?: 'light' | 'dark' | 'auto' }

type Component<Element, Handler> = ForwardRefExoticComponent<Properties<Element, Handler> & RefAttributes<Element>>

/** `<EmployeeDashboard for={employee_id} tokenUrl="/benefits-token" onElected={…} />` */
export declare const EmployeeDashboard: Component<EmployeeDashboardElement, Common & Answered>

/** `<EmployerBenefits for={employer_id} tokenUrl="/benefits-token" />` */
export declare const EmployerBenefits: Component<EmployerBenefitsElement, Common>

/** `<EmployerBilling for={employer_id} tokenUrl="/benefits-token" />` */
export declare const EmployerBilling: Component<EmployerBillingElement, Common>

export type * from './elements.js'
