import type { EmployeeDashboardElement } from './elements.js'

/** Defines `<ob-employee-dashboard>`. */
export declare const EmployeeDashboard: new () => EmployeeDashboardElement
export type EmployeeDashboard = EmployeeDashboardElement
export type * from './elements.js'
