import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AffordabilityFigures } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { Form, FieldError, type Values } from '../../parts/form/form.tsx'
import { Empty, Loaded, Dash, Page, Section } from '../../parts/page/page.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { formatNumber } from '../../format.ts'
import { affordabilityFiguresQuery } from '../../operator-queries.ts'

const route = getRouteApi('/affordability')

const wholeDollars = (amount: number | undefined) => (amount === undefined ? <Dash /> : `$${formatNumber(amount)}`)

const columns: Column<AffordabilityFigures>[] = [
  { name: 'Year', width: 14, cell: ({ year }) => year },
  {
    name: 'Percentage of income',
    align: 'end',
    cell: ({ required_contribution_percentage: part }) => (part === null ? <Dash /> : `${part.toFixed(2)}%`),
  },
  { name: 'Poverty line', align: 'end', cell: ({ poverty_guidelines: lines }) => wholeDollars(lines?.contiguous) },
  {
    name: 'Alaska',
    align: 'end',
    only: 'middle',
    cell: ({ poverty_guidelines: lines }) => wholeDollars(lines?.alaska),
  },
  {
    name: 'Hawaii',
    align: 'end',
    only: 'middle',
    cell: ({ poverty_guidelines: lines }) => wholeDollars(lines?.hawaii),
  },
  {
    name: 'No offer',
    align: 'end',
    only: 'middle',
    cell: ({ assessable_payments: payments }) => wholeDollars(payments?.no_offer),
  },
  {
    name: 'Unaffordable offer',
    align: 'end',
    only: 'middle',
    cell: ({ assessable_payments: payments }) => wholeDollars(payments?.unaffordable_offer),
  },
]

const guidelines = ['contiguous', 'alaska', 'hawaii'] as const

const fields = [
  { name: 'year', label: 'Year', kind: 'number' as const },
  {
    name: 'required_contribution_percentage',
    label: 'Percentage of income',
    required: false,
    hint: 'The required contribution percentage for plan years that begin in this year, such as 10.22.',
  },
  {
    name: 'contiguous',
    label: 'Poverty guideline for one person',
    required: false,
    hint: 'Dollars per year, for the 48 contiguous states and DC. Enter all three guidelines together.',
  },
  { name: 'alaska', label: 'Poverty guideline, Alaska', required: false },
  { name: 'hawaii', label: 'Poverty guideline, Hawaii', required: false },
  {
    name: 'no_offer',
    label: 'Assessable payment without an offer',
    required: false,
    hint: 'Dollars per year and full-time employee, section 4980H(a). Enter both payments together.',
  },
  { name: 'unaffordable_offer', label: 'Assessable payment for an unaffordable offer', required: false },
]

const payments = ['no_offer', 'unaffordable_offer'] as const

function numberOf(values: Values, name: string): number | undefined {
  const text = values[name]?.replaceAll(/[\s$,%]/g, '')
  if (!text) return undefined
  if (!Number.isFinite(Number(text))) throw new FieldError(name, 'must be a number')
  return Number(text)
}

/** The public figures for affordability by year. Releases of the service include most of them. */
export function AffordabilityFiguresPage() {
  const { year } = route.useSearch()
  const figures = useQuery(affordabilityFiguresQuery())
  const save = async (values: Values) => {
    const numbersOf = <Name extends string>(names: readonly Name[]) => {
      const numbers = names.map((name) => [name, numberOf(values, name)] as const)
      return numbers.some(([, number]) => number !== undefined)
        ? (Object.fromEntries(numbers) as Record<Name, number>)
        : undefined
    }
    const poverty_guidelines = numbersOf(guidelines)
    const assessable_payments = numbersOf(payments)
    const part = numberOf(values, 'required_contribution_percentage')
    await operator.ichra.setAffordabilityFigures({
      year: numberOf(values, 'year')!,
      ...(part !== undefined && { required_contribution_percentage: part }),
      ...(poverty_guidelines && { poverty_guidelines }),
      ...(assessable_payments && { assessable_payments }),
    })
    await refetch(affordabilityFiguresQuery().queryKey, ['tasks'])
  }
  return (
    <Page title="Affordability figures">
      <p className="quiet note">
        An ICHRA or a minimum value plan is affordable if it costs at most this percentage of the federal poverty line
        or of the employee’s wage. The IRS publishes the percentage in the summer before each year. The Department of
        Health and Human Services publishes the guidelines each January. Plan years that begin before July use the
        guidelines of the previous year. The assessable payments are those of large employers without an affordable
        offer of coverage.
      </p>
      <Section title="By year">
        <Loaded query={figures} lines={6}>
          {(found) => (
            <Table
              label="Figures"
              columns={columns}
              rows={fixedRows(found)}
              empty={<Empty title="No figures yet." />}
            />
          )}
        </Loaded>
      </Section>
      <RequiresRole area="administer">
        <Section title="Enter figures">
          <p className="quiet note">Figures you enter replace the built-in ones. Empty fields change nothing.</p>
          <Form key={year} fields={fields} initial={{ year: String(year ?? '') }} submit={save} button="Save figures" />
        </Section>
      </RequiresRole>
    </Page>
  )
}
