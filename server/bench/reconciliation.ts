import type pg from 'pg'
import { easternDay } from '../kernel/days.ts'
import { median, secondsOf } from './figures.ts'
import { call } from './partner.ts'
import type { Planted } from './seed.ts'
import type { Service } from './stage.ts'

const asked_times = 5

/**
 * Seconds of a reconciliation of the invoice that was drafted last: at once after it was written; when what was written
 * is settled, the median of several; and the same late in a year, with a statement of each two weeks of it and an
 * invoice of each month.
 */
export async function measureReconciliation(service: Service, client: pg.Client, planted: Planted) {
  const { organization_id, employer_id } = planted
  const { rows } = await client.query<{ invoice_id: string }>(
    'select invoice_id from invoices where employer_id = $1 and organization_id = $2 order by number desc limit 1',
    [employer_id, organization_id],
  )
  const path = `/v1/employers/${employer_id}/invoices/${rows[0]!.invoice_id}/reconciliation`
  const once = () => secondsOf(() => call(service, 'GET', path, undefined, organization_id))
  const settled = async () => {
    await client.query('vacuum (analyze) deduction_lines, deduction_balances, invoice_lines, enrollments, elections')
    const taken: number[] = []
    while (taken.length < asked_times) taken.push(await once())
    return median(taken)
  }
  const figures = { at_once: await once(), settled: await settled() }
  await plantYear(client, planted)
  return { ...figures, late: await settled() }
}

/** Statements and invoices of the year until now, like those that are there. */
async function plantYear(client: pg.Client, { organization_id, employer_id }: Planted): Promise<void> {
  const months = Number(easternDay(Date.now()).slice(5, 7)) - 1
  await client.query(`
    create temp table statement as select * from deduction_statements where employer_id = '${employer_id}';
    create temp table deducted as
      select * from deduction_lines where organization_id = '${organization_id}' and kind = 'deduction';
    create temp table invoice as select * from invoices where employer_id = '${employer_id}';
    create temp table billed as select * from invoice_lines where organization_id = '${organization_id}';
    do $$ begin
      for turn in 1..${2 * months} loop
        update statement set id = id || 'a', period_start_date = period_start_date - 14,
          period_end_date = period_end_date - 14;
        insert into deduction_statements select * from statement;
        update deducted set statement_id = statement_id || 'a';
        insert into deduction_lines select * from deducted;
      end loop;
      for turn in 1..${months} loop
        update invoice set invoice_id = invoice_id || '0', number = number * 10, period = period - interval '1 month';
        insert into invoices select * from invoice;
        update billed set invoice_id = invoice_id || '0', month = month - interval '1 month';
        insert into invoice_lines select * from billed;
      end loop;
    end $$;
    update deduction_balances as held set collected_in_cents = taken.cents
      from (select enrollment_id, year, tax_classification, sum(amount_in_cents) as cents from deduction_lines
             where organization_id = '${organization_id}' group by 1, 2, 3) as taken
     where held.enrollment_id = taken.enrollment_id and held.year = taken.year
       and held.tax_classification = taken.tax_classification and held.organization_id = '${organization_id}';
    drop table statement, deducted, invoice, billed`)
}
