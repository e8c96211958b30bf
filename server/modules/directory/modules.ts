import type { Module } from '../../runtime/module.ts'
import * as ichra from './ichra/routes.ts'
import * as operatorTasks from './tasks/routes.ts'
import * as employers from './employers/routes.ts'
import * as notes from './notes/routes.ts'
import * as documents from './documents/routes.ts'
import * as catalog from './catalog/routes.ts'
import { scanner } from '../../integrations/scan/scanner.ts'
import { noteSubscriptionsBeginning, refreshBook } from './employers/actions.ts'
import { hasDailyBook } from './employers/queries.ts'
import { openDocumentFile } from './documents/actions.ts'
import { tasks as files_tasks } from './files/actions.ts'

/** The modules of the district in order: each imports only from those above, and from districts below. */
export const directory_modules: Module[] = [
  {
    name: 'ichra',
    tables: ['lowest_cost_silver_premiums', 'employee_wages', 'affordability_figures'],
    endpoints: ichra.endpoints,
  },
  { name: 'tasks', tables: ['tasks'], endpoints: operatorTasks.endpoints },
  {
    name: 'employers',
    tables: ['employers', 'employer_admins', 'employer_subscriptions', 'book_entries', 'book_counts'],
    endpoints: employers.endpoints,
    runDay: [noteSubscriptionsBeginning, refreshBook],
    hasDailyRun: hasDailyBook,
  },
  { name: 'notes', tables: ['notes', 'note_mentions'], endpoints: notes.endpoints },
  {
    name: 'catalog',
    tables: ['carriers', 'benefit_products', 'plans', 'plan_tier_rates', 'plan_area_rates', 'ichra_allowances'],
    endpoints: catalog.endpoints,
  },
  { name: 'files', tables: ['files', 'file_pieces'], endpoints: [], tasks: files_tasks, integrations: [scanner] },
  {
    name: 'documents',
    tables: ['documents', 'document_receipts'],
    endpoints: documents.endpoints,
    pages: documents.pages,
    downloads: { document: openDocumentFile },
  },
  { name: 'people', tables: ['members', 'former_homes'], endpoints: [] },
  { name: 'identities', tables: [], endpoints: [] },
  { name: 'evidence', tables: ['enrollment_evidence'], endpoints: [] },
]
