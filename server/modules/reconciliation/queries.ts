import type { ReadCtx } from '../../platform/ctx.ts'
import { sqlFile } from '../../platform/database/sql-file.ts'
import { read } from '../../platform/database/statement.ts'
import { namedInvoice, type InvoicePath } from '../billing/queries.ts'

/** SQL: three amounts as the interface shows them. */
const amountsJson = (premium: string, employer_contribution: string, employee_deduction: string) =>
  `json_build_object('premium_in_cents', ${premium}, 'employer_contribution_in_cents', ${employer_contribution},
                     'employee_deduction_in_cents', ${employee_deduction})`

const found = read(
  'reconciliation.findReconciliation',
  sqlFile(new URL('find-reconciliation.sql', import.meta.url), {
    named_invoice: namedInvoice,
    amounts_json: amountsJson,
  }),
)

/** The Reconciliation of an invoice as JSON; undefined out of reach. */
export const findReconciliation = (ctx: ReadCtx, invoice: InvoicePath) => found.json(ctx, invoice)
