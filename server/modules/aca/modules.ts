import type { Module } from '../../runtime/module.ts'
import * as aleGroups from './ale-groups/routes.ts'
import * as assignments from './assignments/routes.ts'
import * as hours from './hours/routes.ts'
import * as measurement from './measurement/routes.ts'
import * as largeEmployer from './large-employer/routes.ts'
import * as workforce from './workforce/routes.ts'
import * as forms from './forms/routes.ts'
import * as filings from './filings/routes.ts'
import * as taxIdentifiers from './tax-identifiers/routes.ts'
import { filing_work } from './filings/actions.ts'
import { transmission_downloads } from './filings/transmission-actions.ts'
import { tasks as hours_tasks } from './hours/actions.ts'
import { form_downloads } from './forms/actions.ts'
import { forms_work } from './forms/derive-actions.ts'
import { measurement_work } from './measurement/actions.ts'

/** The modules of the district in order: each imports only from those above, and from districts below. */
export const aca_modules: Module[] = [
  { name: 'ale-groups', tables: ['ale_groups', 'ale_members'], endpoints: aleGroups.endpoints },
  { name: 'assignments', tables: ['assignments'], endpoints: assignments.endpoints },
  { name: 'measurement', endpoints: measurement.endpoints, ...measurement_work },
  { name: 'hours', tables: ['hours_of_service', 'hours_reports'], endpoints: hours.endpoints, tasks: hours_tasks },
  { name: 'large-employer', tables: [], endpoints: largeEmployer.endpoints },
  { name: 'affordability', tables: [], endpoints: [] },
  { name: 'offers', tables: [], endpoints: [] },
  { name: 'workforce', tables: [], endpoints: workforce.endpoints },
  {
    name: 'forms',
    tables: ['form_1095c_overrides', 'employee_tax_facts', 'form_years', 'derived_forms'],
    endpoints: forms.endpoints,
    downloads: form_downloads,
    ...forms_work,
  },
  { name: 'tax-identifiers', tables: ['tax_identifiers'], endpoints: taxIdentifiers.endpoints },
  {
    name: 'filings',
    endpoints: filings.endpoints,
    ...filing_work,
    downloads: { ...filing_work.downloads, ...transmission_downloads },
  },
]
