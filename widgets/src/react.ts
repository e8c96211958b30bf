import { createComponent, type EventName } from '@lit/react'
import React from 'react'
import { EmployeeDashboard as Dashboard } from './employee-dashboard.ts'
import { EmployerBenefits as Benefits } from './employer-benefits.ts'
import { EmployerBilling as Billing } from './employer-billing.ts'

/** What widgets tell the page, by the property that hears it. */
const common = {
  onReady: 'ob-ready' as EventName<CustomEvent<object>>,
  onError: 'ob-error' as EventName<CustomEvent<{ code: string; trace_id: string }>>,
  onNavigate: 'ob-navigate' as EventName<CustomEvent<{ view: string }>>,
}

/** `<EmployeeDashboard for={employee_id} tokenUrl="/benefits-token" onElected={…} />` */
export const EmployeeDashboard = createComponent({
  tagName: 'ob-employee-dashboard',
  elementClass: Dashboard,
  react: React,
  events: {
    ...common,
    onElected: 'ob-elected' as EventName<CustomEvent<{ enrollment_id: string }>>,
    onWaived: 'ob-waived' as EventName<CustomEvent<{ enrollment_id: string }>>,
  },
})

/** `<EmployerBenefits for={employer_id} tokenUrl="/benefits-token" />` */
export const EmployerBenefits = createComponent({
  tagName: 'ob-employer-benefits',
  elementClass: Benefits,
  react: React,
  events: common,
})

/** `<EmployerBilling for={employer_id} tokenUrl="/benefits-token" />` */
export const EmployerBilling = createComponent({
  tagName: 'ob-employer-billing',
  elementClass: Billing,
  react: React,
  events: common,
})
