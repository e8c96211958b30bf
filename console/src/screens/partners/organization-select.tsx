import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatedOrganization } from 'openbenefits/operator'
import { organizationSearchQuery, partnerQuery } from '../../operator-queries.ts'
import { SearchField } from '../../parts/table/filters.tsx'
import { ErrorMessage } from '../../parts/page/page.tsx'
import { formatNumber } from '../../format.ts'
import { min_search_length } from '../../queries.ts'

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
  const found = useQuery({ ...organizationSearchQuery(search), placeholderData: keepPreviousData })
  const { data: listed = [], pagination } = found.data ?? {}
  const is_listed = listed.some(({ id }) => id === value)
  const chosen = useQuery({ ...partnerQuery(value), enabled: value !== '' && found.data !== undefined && !is_listed })
  if (found.error) return <ErrorMessage error={found.error} retry={() => void found.refetch()} />
  const total = pagination?.total ?? 0
  const options = [...(!is_listed && chosen.data ? [chosen.data] : []), ...listed.filter(fits)]
  return (
    <span className="choice-of-many" aria-busy={found.data === undefined}>
      {(search !== undefined || total > listed.length) && (
        <>
          <SearchField label="Start of the name" least={min_search_length} value={search} search={setSearch} />
          <span className="quiet" role="status">
            {search === undefined
              ? `The newest ${formatNumber(listed.length)} of ${formatNumber(total)}`
              : total > listed.length
                ? `${formatNumber(listed.length)} of ${formatNumber(total)} matches listed. Type more to narrow them`
                : `${formatNumber(total)} match`}
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
