import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { BeneficiaryDesignation, BenefitBeneficiaries } from 'openbenefits'
import { useState } from 'react'
import { ob } from '../../api.ts'
import { formatDay, toSentence } from '../../format.ts'
import { HereLink } from '../../parts/page/links.tsx'
import { Loaded, Section } from '../../parts/page/page.tsx'
import { resourceQuery } from '../../queries.ts'
import { DesignateBeneficiaries } from './designate-beneficiaries.tsx'

const route = getRouteApi('/people/$employee_id')

const beneficiariesQuery = (id: string) =>
  resourceQuery(['employees', id, 'beneficiaries'], (options) => ob.beneficiaries.list(id, options))
const designationsQuery = (id: string, benefit_id: string) =>
  resourceQuery(['employees', id, 'beneficiaries', benefit_id], (options) =>
    ob.beneficiaries.listHistory(id, benefit_id, options),
  )

type Beneficiary = BeneficiaryDesignation['beneficiaries'][number]

const beneficiaryName = ({ type, name }: Beneficiary) => name ?? toSentence(type)

/** `Sam Costa (spouse), 50%`. */
const describeBeneficiary = (of: Beneficiary): string =>
  `${beneficiaryName(of)}${of.relationship ? ` (${of.relationship.replace('_', ' ')})` : ''}, ${of.share_percentage}%`

const caller_names = {
  employee: 'the employee',
  partner: 'your organization',
  operator: 'the operator',
  rule: 'a rule',
}

const describeDesignation = ({ designated_at, designated_by }: BeneficiaryDesignation): string =>
  designated_at
    ? `Designated on ${formatDay(designated_at)}${designated_by ? ` by ${caller_names[designated_by]}` : ''}`
    : ''

/** The primary and the contingent beneficiaries of a designation, one line each. */
function BeneficiaryNames({ of: { beneficiaries } }: { of: BeneficiaryDesignation }) {
  if (beneficiaries.length === 0) return <span className="quiet">No beneficiaries</span>
  return (['primary', 'contingent'] as const).map((level) => {
    const those = beneficiaries.filter((one) => one.level === level)
    return (
      those.length > 0 && (
        <span key={level} className="block">
          <span className="quiet">{toSentence(level)}:</span> {those.map(describeBeneficiary).join(' · ')}
        </span>
      )
    )
  })
}

/** The beneficiaries of each benefit that takes them. The section is absent without such a benefit. */
export function Beneficiaries({ employee_id }: { employee_id: string }) {
  const { designating } = route.useSearch()
  const found = useQuery(beneficiariesQuery(employee_id))
  if (found.data?.length === 0) return null
  return (
    <Section title="Beneficiaries">
      <Loaded query={found} lines={1}>
        {(benefits) => (
          <ul className="lines">
            {benefits.map((benefit) => (
              <li key={benefit.benefit_id} className="beneficiaries">
                {designating === benefit.benefit_id ? (
                  <DesignateAction employee_id={employee_id} of={benefit} />
                ) : (
                  <BenefitBeneficiariesRow of={benefit} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function BenefitBeneficiariesRow({ of }: { of: BenefitBeneficiaries }) {
  const label = of.designated_at ? 'Change' : 'Designate'
  return (
    <>
      <span>{of.benefit_name}</span>
      <span>
        <BeneficiaryNames of={of} />
        <span className="quiet block">{describeDesignation(of)}</span>
      </span>
      <HereLink change={{ designating: of.benefit_id }} aria-label={`${label} the beneficiaries of ${of.benefit_name}`}>
        {label}
      </HereLink>
    </>
  )
}

function DesignateAction({ employee_id, of }: { employee_id: string; of: BenefitBeneficiaries }) {
  const [is_open, setOpen] = useState(false)
  const earlier = useQuery({ ...designationsQuery(employee_id, of.benefit_id), enabled: is_open })
  return (
    <div>
      <DesignateBeneficiaries employee_id={employee_id} of={of} />
      {of.designated_at && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>History</summary>
          {is_open && (
            <Loaded query={earlier} lines={2}>
              {(all) => (
                <ul className="lines">
                  {all.map((one) => (
                    <li key={one.designated_at} className="beneficiaries">
                      <span>{describeDesignation(one)}</span>
                      <span>
                        <BeneficiaryNames of={one} />
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </Loaded>
          )}
        </details>
      )}
    </div>
  )
}
