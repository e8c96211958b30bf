import { useQuery } from '@tanstack/react-query'
import type { EmployerSetup, NewPlanYearRequest } from 'openbenefits'
import { useState } from 'react'
import { ob, refetch } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { Form, type Values } from '../../parts/form/form.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import { Facts, Loaded, ErrorMessage } from '../../parts/page/page.tsx'
import { isOperator } from '../../session.ts'
import { firstPlansQuery, setupQuery } from './queries.ts'

type Request = NonNullable<EmployerSetup['plan_year_request']>

/** The request of an employer for a plan year. Members change and withdraw it, and operators see it. */
export function PlanYearRequest({ employer_id }: { employer_id: string }) {
  const setup = useQuery(setupQuery(employer_id))
  const [changing, setChanging] = useState(false)
  const refresh = () => refetch(['employers', employer_id])
  const withdraw = useAction({
    mutationFn: () => ob.employers.withdrawPlanYearRequest(employer_id),
    onSettled: refresh,
  })
  return (
    <Loaded query={setup} lines={4}>
      {({ plan_year_request: request }) => {
        if (isOperator()) return request && <RequestFacts of={request} />
        if (!request || changing)
          return (
            <RequestForm
              request={request}
              send={async (body) => {
                await ob.employers.requestPlanYear(employer_id, body)
                await refresh()
                setChanging(false)
              }}
            />
          )
        return (
          <>
            <RequestFacts of={request} />
            {withdraw.error && <ErrorMessage error={withdraw.error} />}
            <div className="form-end">
              <button type="button" className="button" onClick={() => setChanging(true)}>
                Change request
              </button>
              <button type="button" className="plain" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
                Withdraw
              </button>
            </div>
          </>
        )
      }}
    </Loaded>
  )
}

const RequestFacts = ({ of }: { of: Request }) => (
  <Facts
    of={[
      ['Coverage starts', formatDay(of.coverage_start)],
      ['Open enrollment from', of.open_enrollment_start && formatDay(of.open_enrollment_start)],
      ['Open enrollment to', of.open_enrollment_end && formatDay(of.open_enrollment_end)],
      ['Plans', of.plans.length > 0 && of.plans.map(({ name }) => name).join(', ')],
      ['Message', of.message],
      ['Requested', formatDay(of.requested_at)],
    ]}
  />
)

const day_fields = ['coverage_start', 'open_enrollment_start', 'open_enrollment_end'] as const

type RequestFormProps = { request: Request | null; send: (body: NewPlanYearRequest) => Promise<void> }

function RequestForm({ request, send }: RequestFormProps) {
  const plans = useQuery(firstPlansQuery())
  const initial: Values = {
    ...Object.fromEntries(day_fields.map((name) => [name, request?.[name] ?? ''])),
    plan_ids: request?.plans.map(({ id }) => id).join(' ') ?? '',
    message: request?.message ?? '',
  }
  const submit = ({ plan_ids = '', message = '', ...days }: Values) => {
    const body = {
      ...Object.fromEntries(Object.entries(days).filter(([, value]) => value !== '')),
      plan_ids: plan_ids.split(' ').filter(Boolean),
      // The API accepts only one paragraph.
      message: message.replaceAll(/\s+/g, ' ').trim() || null,
    }
    return send(body as unknown as NewPlanYearRequest)
  }
  return (
    <Loaded query={plans} lines={6}>
      {(offered) => (
        <Form
          fields={[
            { name: 'coverage_start', label: 'Coverage starts', kind: 'date' },
            { name: 'open_enrollment_start', label: 'Open enrollment from', kind: 'date', required: false },
            { name: 'open_enrollment_end', label: 'Open enrollment to', kind: 'date', required: false },
            ...(offered.length > 0
              ? [
                  {
                    name: 'plan_ids',
                    label: 'Plans',
                    kind: 'several' as const,
                    required: false,
                    options: offered.map(({ id, name, carrier }) => [id, `${name} (${carrier})`] as const),
                  },
                ]
              : []),
            {
              name: 'message',
              label: 'Message',
              kind: 'long',
              required: false,
              hint: 'Contributions, riders or open questions.',
            },
          ]}
          initial={initial}
          submit={submit}
          button="Request a plan year"
        />
      )}
    </Loaded>
  )
}
