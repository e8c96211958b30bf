import { createComponent, type EventName } from '@lit/react'
import React from 'react'
import type { AnsweredEvent, ErrorEvent, NavigateEvent, ReadyEvent } from '../types/elements.d.ts'
import type * as typed from '../types/react.d.ts'
import { EmployeeDashboard as Dashboard } from './employee-dashboard.ts'
import { EmployerBenefits as Benefits } from './employer-benefits.ts'
import { EmployerBilling as Billing } from './employer-billing.ts'

/** The events of all widgets, by the property that handles them. */
const common = {
  onReady: 'ob-ready' as EventName<ReadyEvent>,
  onError: 'ob-error' as EventName<ErrorEvent>,
  onNavigate: 'ob-navigate' as EventName<NavigateEvent>,
}

export const EmployeeDashboard: typeof typed.EmployeeDashboard = createComponent({
  tagName: 'ob-employee-dashboard',
  elementClass: Dashboard as new () => typed.EmployeeDashboardElement,
  react: React,
  events: {
    ...common,
    onElected: 'ob-elected' as EventName<AnsweredEvent>,
    onWaived: 'ob-waived' as EventName<AnsweredEvent>,
  },
})

export const EmployerBenefits: typeof typed.EmployerBenefits = createComponent({
  tagName: 'ob-employer-benefits',
  elementClass: Benefits as new () => typed.EmployerBenefitsElement,
  react: React,
  events: common,
})

export const EmployerBilling: typeof typed.EmployerBilling = createComponent({
  tagName: 'ob-employer-billing',
  elementClass: Billing as new () => typed.EmployerBillingElement,
  react: React,
  events: common,
})
