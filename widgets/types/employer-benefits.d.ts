import type { EmployerBenefitsElement } from './elements.js'

/** Defines `<ob-employer-benefits>`. */
export declare const EmployerBenefits: new () => EmployerBenefitsElement
export type EmployerBenefits = EmployerBenefitsElement
export type * from './elements.js'
