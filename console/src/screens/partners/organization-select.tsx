import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatedOrganization } from 'openbenefits/operator'
import { organizationsCalled, partner } from '../../operator-queries.ts'
import { Search } from '../../parts/table/filters.tsx'
import { Trouble } from '../../parts/page/page.tsx'
import { inWords } from '../../format.ts'
import { least_known } from '../../queries.ts'

type SelectProps = {
  id: string
  value: string
  onChange: (event: { target: { value: string } }) => void
  /** the organizations that can be chosen */
  fits?: (organization: OperatedOrganization) => boolean
}

/** Selects an organization. If there are many, the user types the start of the name. */
export function OrganizationSelect({ value, fits = () => true, ...input }: SelectProps) {
  const [search, setSearch] = useState<string>()
  const found = useQuery({ ...organizationsCalled(search), placeholderData: keepPreviousData })
  const { data: listed = [], pagination } = found.data ?? {}
  const is_listed = listed.some(({ id }) => id === value)
  const chosen = useQuery({ ...partner(value), enabled: value !== '' && found.data !== undefined && !is_listed })
  if (found.error) return <Trouble error={found.error} retry={() => void found.refetch()} />
  const total = pagination?.total ?? 0
  const options = [...(!is_listed && chosen.data ? [chosen.data] : []), ...listed.filter(fits)]
  return (
    <span className="choice-of-many" aria-busy={found.data === undefined}>
      {(search !== undefined || total > listed.length) && (
        <>
          <Search label="Start of the name" least={least_known} value={search} search={setSearch} />
          <span className="quiet" role="status">
            {search === undefined
              ? `The newest ${inWords(listed.length)} of ${inWords(total)}`
              : total > listed.length
                ? `${inWords(listed.length)} of ${inWords(total)} matches listed. Type more to narrow them`
                : `${inWords(total)} match`}
          </span>
        </>
      )}
      <select {...input} value={value}>
        {value === '' && <option value="">Choose one</option>}
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}
