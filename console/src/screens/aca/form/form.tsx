import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Form1095c, NewForm1095cOverride } from 'openbenefits'
import { ob, refetch } from '../../../api.ts'
import { parseDollars, fullName, toSentence } from '../../../format.ts'
import { useAction } from '../../../parts/form/use-action.ts'
import { Form, FieldError } from '../../../parts/form/form.tsx'
import { HereLink } from '../../../parts/page/links.tsx'
import { takeFocus } from '../../../parts/page/interaction.ts'
import { Facts, Loaded, ErrorMessage } from '../../../parts/page/page.tsx'
import { CobraPeriods } from './cobra.tsx'
import { WagesForm } from './wages.tsx'
import { month_options, type FormLine, lines, formatMonthRanges, monthName, formatLine } from './lines.ts'
import { acaKey, formQuery } from '../queries.ts'

type Month = Form1095c['months'][number]

/** The months with coverage. */
const formatMonths = (months: boolean[]): string =>
  formatMonthRanges(months.flatMap((is_covered, at) => (is_covered ? [at + 1] : [])))

/** A form with the reason of each cell, its PDF and an override. */
export function Form1095cPage({ employer_id, employee_id, tax_year }: FormProps) {
  const form = useQuery(formQuery(employer_id, employee_id, tax_year))
  return (
    <section className="section" aria-label="Tax form">
      <Loaded query={form} lines={8}>
        {(found) => <Details of={found} />}
      </Loaded>
    </section>
  )
}

type FormProps = { employer_id: string; employee_id: string; tax_year: number }

type OpenPart = 'override' | 'wages' | 'cobra'

function Details({ of: form }: { of: Form1095c }) {
  const [opened, setOpened] = useState<OpenPart>()
  const toggle = (part: OpenPart) => setOpened(opened === part ? undefined : part)
  const pdf = useAction({
    mutationFn: async () => {
      const { download_url } = await ob.employees.getForm1095cPdf(form.employee_id, { tax_year: form.tax_year })
      location.assign(download_url)
    },
  })
  // Form 1095-B has no cells, only covered people.
  const has_cells = form.months.length > 0
  return (
    <>
      <div className="section-head">
        <h2 tabIndex={-1} ref={takeFocus}>
          Form {form.form_type} of {fullName(form.employee)}
        </h2>
        <div className="section-actions">
          <Link className="button" to="/people/$employee_id" params={{ employee_id: form.employee_id }}>
            Show person
          </Link>
          <button type="button" className="button" onClick={() => pdf.mutate()} disabled={pdf.isPending}>
            Download PDF
          </button>
          {has_cells && (
            <button
              type="button"
              className="button"
              aria-expanded={opened === 'override'}
              onClick={() => toggle('override')}
            >
              Override cells
            </button>
          )}
          {has_cells && (
            <button type="button" className="button" aria-expanded={opened === 'wages'} onClick={() => toggle('wages')}>
              Record wages
            </button>
          )}
          <button type="button" className="button" aria-expanded={opened === 'cobra'} onClick={() => toggle('cobra')}>
            Record COBRA
          </button>
          <HereLink className="plain" change={{ employee: undefined }}>
            Close
          </HereLink>
        </div>
      </div>
      {pdf.error && <ErrorMessage error={pdf.error} />}
      <p>{form.exceptions.length > 0 ? form.exceptions.map(toSentence).join(', ') : 'Nothing to check'}.</p>
      {form.names_not_accepted.length > 0 && (
        <p>The IRS does not accept {form.names_not_accepted.map((name) => `“${name}”`).join(', ')}.</p>
      )}
      {form.override && <p className="quiet">Overridden: {form.override.reason}</p>}
      {has_cells && <FormCells months={form.months} />}
      {form.covered_people.length > 0 && (
        <>
          <h3>Self-insured coverage</h3>
          <Facts of={form.covered_people.map((one) => [fullName(one), formatMonths(one.months)])} />
        </>
      )}
      {opened === 'override' && (
        <div className="override">
          <OverrideForm of={form} done={() => setOpened(undefined)} />
        </div>
      )}
      {opened === 'wages' && <WagesForm of={form} />}
      {opened === 'cobra' && <CobraPeriods of={form} />}
    </>
  )
}

/** Lines 14 to 17 by month, and the reason of the selected cell. */
function FormCells({ months }: { months: Month[] }) {
  const [chosen, setChosen] = useState<{ month: number; line: FormLine }>()
  const cell = chosen && months[chosen.month - 1]![chosen.line]
  return (
    <>
      <MonthGrid months={months} chosen={chosen} choose={setChosen} />
      <p className="cell-reason" role="status">
        {chosen && cell ? (
          <>
            <strong>
              {monthName(chosen.month)}, line {lines.find(({ line }) => line === chosen.line)!.name.slice(0, 2)}:
            </strong>{' '}
            {cell.reason}
          </>
        ) : (
          <span className="quiet">Select a cell to show its reason.</span>
        )}
      </p>
    </>
  )
}

type GridProps = {
  months: Month[]
  chosen: { month: number; line: FormLine } | undefined
  choose: (cell: { month: number; line: FormLine }) => void
}

/** Each cell is a button that shows its reason. */
const MonthGrid = ({ months, chosen, choose }: GridProps) => (
  <div className="form-grid">
    <table aria-label="Lines 14 to 17 by month">
      <thead>
        <tr>
          <th scope="col">Line</th>
          {months.map(({ month }) => (
            <th key={month} scope="col">
              {monthName(month)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ line, name }) => (
          <tr key={line}>
            <th scope="row">{name}</th>
            {months.map((month) => (
              <td key={month.month}>
                <button
                  type="button"
                  className={month[line].is_overridden ? 'form-cell overridden' : 'form-cell'}
                  aria-pressed={chosen?.month === month.month && chosen.line === line}
                  aria-label={`${name}, ${monthName(month.month)}: ${formatLine(month, line)}`}
                  onClick={() => choose({ month: month.month, line })}
                >
                  {formatLine(month, line)}
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The overridden cells of a month. */
const overriddenLines = (month: Month) =>
  Object.fromEntries(lines.flatMap(({ line }) => (month[line].is_overridden ? [[line, month[line].value]] : [])))

/**
 * Sets cells of some months with a reason, or removes the override. A request replaces the earlier override, so it
 * repeats the cells that are overridden.
 */
function OverrideForm({ of: form, done }: { of: Form1095c; done: () => void }) {
  const save = async (body: NewForm1095cOverride) => {
    await ob.employees.overrideForm1095c(form.employee_id, body)
    await refetch(acaKey(form.employer_id))
    done()
  }
  const { tax_year } = form
  const removal = useAction({ mutationFn: () => save({ tax_year, reason: 'Removed', months: [] }) })
  return (
    <Form
      fields={[
        { name: 'months', label: 'Months', kind: 'several', options: month_options },
        { name: 'line_14', label: 'Line 14', required: false, hint: 'A code from 1A to 1U. Empty keeps the cells.' },
        { name: 'line_15', label: 'Line 15', required: false, hint: 'In dollars. Empty keeps the cells.' },
        { name: 'line_16', label: 'Line 16', required: false, hint: 'A code from 2A to 2I. Empty keeps the cells.' },
        { name: 'reason', label: 'Reason', kind: 'long', hint: 'Why the cells differ from the derived ones.' },
      ]}
      initial={{ reason: form.override?.reason ?? '' }}
      is_secondary
      button="Save override"
      submit={(values) => {
        const months = (values['months'] ?? '').split(' ').filter(Boolean).map(Number)
        if (months.length === 0) throw new FieldError('months', 'Select at least one month.')
        const { line_14, line_15, line_16, reason = '' } = values
        const cost = parseDollars(line_15 ?? '')
        if (line_15 && cost === undefined) throw new FieldError('line_15', 'Enter an amount in dollars.')
        const cells = {
          ...(line_14 && { line_14: line_14.trim().toUpperCase() }),
          ...(cost !== undefined && { line_15_in_cents: cost }),
          ...(line_16 && { line_16: line_16.trim().toUpperCase() }),
        }
        const changed = form.months
          .map((one) => ({ ...overriddenLines(one), ...(months.includes(one.month) && cells), month: one.month }))
          .filter((one) => Object.keys(one).length > 1)
        return save({ tax_year, reason, months: changed } as NewForm1095cOverride)
      }}
    >
      {form.override && (
        <p>
          <button type="button" className="button" disabled={removal.isPending} onClick={() => removal.mutate()}>
            Remove override
          </button>
        </p>
      )}
      {removal.error && <ErrorMessage error={removal.error} />}
    </Form>
  )
}
