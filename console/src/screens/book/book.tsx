import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EmployerRow } from 'openbenefits'
import { useState } from 'react'
import { count, sentence } from '../../format.ts'
import { enrolled_column, payroll_column, stage_column } from '../../parts/benefits/employer-stage.tsx'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Nothing, Page } from '../../parts/page/page.tsx'
import { Search, Toggles } from '../../parts/table/filters.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { Views } from '../../parts/table/saved-views.tsx'
import { type Column, Table } from '../../parts/table/table.tsx'
import { employersIn, payrollSystems } from '../../queries.ts'
import { families, hris_states, stages } from '../../routes/filter-values.ts'
import { may } from '../../session.ts'

const route = getRouteApi('/employers')

/** Most benefit families are known by their initials. */
const familyOf = (family: string) =>
  /^(dental|vision)$/i.test(family) ? sentence(family.toLowerCase()) : family.toUpperCase()

const columns: Column<EmployerRow>[] = [
  linkColumn('Employer', ({ id, name }) => [name, { to: '/employers/$employer_id', params: { employer_id: id } }], {
    width: 22,
    phone: 38,
  }),
  stage_column,
  enrolled_column,
  {
    name: 'Benefits',
    only: 'middle',
    cell: ({ benefit_families }) =>
      benefit_families.length > 0 ? benefit_families.map(familyOf).join(', ') : <Nothing />,
  },
  payroll_column,
]

type SystemsProps = { chosen: string[] | undefined; choose: (chosen: string[] | undefined) => void }

/** Filters by payroll system. The systems load only when the user opens this filter. */
function PayrollSystems({ chosen, choose }: SystemsProps) {
  const [is_open, setOpen] = useState(false)
  const is_shown = is_open || chosen !== undefined
  const found = useQuery({ ...payrollSystems(), enabled: is_shown })
  const toggle = () => {
    setOpen(!is_shown)
    if (chosen) choose(undefined)
  }
  return (
    <>
      <button type="button" className="plain" aria-expanded={is_shown} onClick={toggle}>
        By payroll system
      </button>
      {is_shown && found.data?.length === 0 && <span className="quiet">No payroll systems are connected.</span>}
      {is_shown && found.data && (
        <Toggles
          label="Payroll system"
          values={found.data.map(({ provider }) => provider)}
          labelOf={(value) => found.data.find(({ provider }) => provider === value)!.provider_label}
          chosen={chosen}
          choose={choose}
        />
      )}
    </>
  )
}

/** All employers, with the filters of the API. */
export function Book() {
  const { search, stage, family, hris, payroll } = route.useSearch()
  const change = useChangeSearch()
  const rows = useRows(
    employersIn({
      search,
      benefit_lifecycle_stage: stage,
      benefit_family: family,
      hris_status: hris,
      hris_provider: payroll,
    }),
  )
  const is_filtered = search ?? stage ?? family ?? hris ?? payroll
  return (
    <Page
      title="Employers"
      mark={rows.total !== undefined && <span className="quiet">{count(rows.total, 'employer')}</span>}
      actions={
        <>
          <Link className="button" to="/employers/ahead">
            Upcoming dates
          </Link>
          {may('settings') && (
            <Link className="button main" to="/employers/add">
              Add employer
            </Link>
          )}
        </>
      }
    >
      <div className="filters">
        <Search label="Name, EIN, id or admin email" value={search} search={(search) => void change({ search })} />
        <Toggles label="Stage" values={stages} chosen={stage} choose={(stage) => void change({ stage })} />
        <Toggles
          label="Benefits"
          values={families}
          labelOf={familyOf}
          chosen={family}
          choose={(family) => void change({ family })}
        />
        <Toggles
          label="Payroll connection"
          values={hris_states}
          labelOf={(state) => `Payroll ${state}`}
          chosen={hris}
          choose={(hris) => void change({ hris })}
        />
        <PayrollSystems chosen={payroll} choose={(payroll) => void change({ payroll })} />
      </div>
      <Views kind="employers" current={{ search, stage, family, hris, payroll }} />
      <Table
        label="Employers"
        columns={columns}
        rows={rows}
        empty={
          is_filtered ? (
            <Empty title="No employers match.">To include employers that left, select Cancelled.</Empty>
          ) : (
            <Empty title="No employers yet.">
              Add one here, or create it with <code>POST /v1/employers</code>.
            </Empty>
          )
        }
      />
    </Page>
  )
}
