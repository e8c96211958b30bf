import type { EmployerBillingElement } from './elements.js'

/** Defines `<ob-employer-billing>`. */
export declare const EmployerBilling: new () => EmployerBillingElement
export type EmployerBilling = EmployerBillingElement
export type * from './elements.js'
