import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AcaOverview, Day, FormSettings } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatCount, formatDay, formatInstant, formatNumber, toSentence, type Tone } from '../../format.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form, FieldError } from '../../parts/form/form.tsx'
import { refreshLater, useAction } from '../../parts/form/use-action.ts'
import { downloadLink } from '../../parts/page/download.ts'
import { HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { Facts, Loaded, Section, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { Derivation } from './derivation.tsx'
import { acaKey, defaultYear, filingQuery, formSettingsQuery, transmissionsQuery } from './queries.ts'
import { filingTimeliness as filedInTime, furnishingTimeliness } from './timeliness.ts'
import { easternDayOf } from '../../zoned-days.ts'
import { AcknowledgeStep, StepDeadlines, type FilingState, TimelinessStatus, TransmitStep } from './transmit.tsx'

const route = getRouteApi('/employers/$employer_id/aca')

const steps = ['Derive', 'Review exceptions', 'Release', 'Print and mail', 'Transmit', 'Acknowledge'] as const
type StepName = (typeof steps)[number]

/** Whether the tax year has ended, and the forms were derived after its end. The service checks it in Eastern time. */
const isYearOver = ({ filing }: FilingState, today: string) => today > `${filing.tax_year}-12-31`
const isDerived = ({ filing: { tax_year, derived_at } }: FilingState) =>
  derived_at !== null && easternDayOf(derived_at) > `${tax_year}-12-31`
const isReleased = ({ filing }: FilingState) => filing.released_at !== null && filing.changed_count === 0
/** The problems to correct before a release. Overridden cells are not a problem. */
const uncorrectedExceptions = ({ filing }: FilingState) =>
  filing.exceptions.filter(({ exception }) => exception !== 'overridden')

/** The reason why a step cannot be done yet, if any. Empty in a running tax year, because `Steps` states it once. */
function whyBlocked(step: StepName, filed: FilingState, today: string): string | undefined {
  const { transmissions } = filed
  if (step === 'Derive') return undefined
  if (!isYearOver(filed, today) && (step !== 'Review exceptions' || filed.filing.derived_at !== null))
    return step === 'Review exceptions' ? undefined : ''
  if (!isDerived(filed))
    return filed.filing.derived_at === null
      ? 'Derive the forms first.'
      : 'Derive the forms again, because the tax year has ended since.'
  if (step === 'Review exceptions' || step === 'Release') return undefined
  if (filed.filing.released_at === null)
    return filed.filing.form_count === 0 ? 'No forms are due.' : 'Release the forms first.'
  if (step === 'Print and mail') return undefined
  if (step === 'Acknowledge') return transmissions.length === 0 ? 'Transmit the forms first.' : undefined
  if (!isReleased(filed)) return 'Release the changed forms first.'
  const has = (name: string) => filed.filing.exceptions.some(({ exception }) => exception === name)
  if (has('address_missing')) return 'Add the missing addresses of employees, and release again.'
  if (has('name_not_accepted'))
    return 'Correct the names that the IRS does not accept to match the Social Security cards, and release again.'
  return transmissions[0]?.status === null ? 'Record the acknowledgement of the last transmission first.' : undefined
}

/** Whether a step is done. */
function isDone(step: StepName, filed: FilingState): boolean {
  const live = filed.transmissions.filter(({ is_test }) => !is_test)
  const [last] = live
  const is_sent = last !== undefined && last.status !== 'rejected' && last.made_at >= (filed.filing.released_at ?? '')
  const done: Record<StepName, boolean> = {
    Derive: isDerived(filed),
    'Review exceptions':
      isDerived(filed) && uncorrectedExceptions(filed).length === 0 && filed.filing.unreported_hours_count === 0,
    Release: isReleased(filed),
    // The released forms count, although some may need a correction that is not released.
    'Print and mail': filed.filing.released_at !== null && filed.filing.unmailed_count === 0,
    Transmit: isReleased(filed) && is_sent,
    Acknowledge: is_sent && last.status !== null,
  }
  return done[step]
}

/** The steps from derived forms to the acknowledgement of the IRS, each with its state and what blocks it. */
export function TaxFiling({ employer_id, overview }: { employer_id: string; overview: AcaOverview }) {
  const { year: chosen } = route.useSearch()
  const change = useChangeSearch()
  const this_year = Number(overview.as_of.slice(0, 4))
  const year = Number(chosen ?? defaultYear(overview.as_of))
  const filing = useQuery(filingQuery(employer_id, year))
  const transmissions = useQuery(transmissionsQuery(employer_id, year))
  const all = {
    data: filing.data && transmissions.data ? { filing: filing.data, transmissions: transmissions.data } : undefined,
    error: filing.error ?? transmissions.error,
    refetch: () => refetch(acaKey(employer_id)),
  }
  return (
    <Section
      title={`Filing for ${year}`}
      actions={
        <label>
          Tax year{' '}
          <select value={year} onChange={({ target }) => void change({ year: target.value })}>
            {[...new Set([this_year, this_year - 1, this_year - 2, year])].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      }
    >
      <Loaded query={all} lines={12}>
        {(filed) => <FilingSteps key={year} filed={filed} today={overview.as_of} />}
      </Loaded>
    </Section>
  )
}

function FilingSteps({ filed, today }: { filed: FilingState; today: string }) {
  const contents: Record<StepName, ReactNode> = {
    Derive: <DeriveStep filed={filed} />,
    'Review exceptions': <ExceptionsStep filed={filed} />,
    Release: <ReleaseStep filed={filed} today={today} />,
    'Print and mail': <PrintStep filed={filed} today={today} />,
    Transmit: <TransmitStep filed={filed} is_blocked={whyBlocked('Transmit', filed, today) !== undefined} />,
    Acknowledge: (
      <>
        <TimelinessStatus of={filedInTime(filed.filing, filed.transmissions, today as Day)} />
        <AcknowledgeStep filed={filed} />
      </>
    ),
  }
  return (
    <>
      {!isYearOver(filed, today) && (
        <p>
          The tax year ends on {formatDay(`${filed.filing.tax_year}-12-31`)}. Until then, you can derive the forms and
          review their exceptions.
        </p>
      )}
      {steps.map((step, at) => {
        const is_done = isDone(step, filed)
        const block = is_done ? undefined : whyBlocked(step, filed, today)
        // A reason that blocks several steps is stated at the first one.
        const is_stated = steps.slice(0, at).some((former) => whyBlocked(former, filed, today) === block)
        const [word, tone]: [string, Tone] = is_done
          ? ['Done', 'good']
          : block !== undefined
            ? ['Blocked', 'over']
            : ['Open', 'wait']
        return (
          <section key={step} className="filing-step" aria-label={step}>
            <h3>
              {at + 1}. {step} <Status of={word} tone={tone} />
            </h3>
            {block && !is_stated && <p className="quiet">{block}</p>}
            {contents[step]}
          </section>
        )
      })}
    </>
  )
}

const settings = [
  ['has_conditional_spouse_offer', 'The offer to spouses depends on a condition (codes 1J and 1K)'],
  ['uses_98_percent_method', 'Form 1094-C uses the 98% Offer Method'],
] as const

const contact_fields = [
  ['first_name', 'First name of the contact for the IRS'],
  ['last_name', 'Last name of the contact'],
  ['phone_number', 'Phone number of the contact'],
] as const

/** The contact, with all fields or none. Null if all fields are empty. */
function contactOf(values: Record<string, string>): FormSettings['contact'] {
  const [first_name, last_name, phone_number] = contact_fields.map(([name]) => values[name]?.trim() ?? '')
  if (!first_name && !last_name && !phone_number) return null
  const missing = contact_fields.find(([name]) => !values[name]?.trim())
  if (missing)
    throw new FieldError(missing[0], 'Enter the names and the phone number of the contact, or leave all empty.')
  return { first_name: first_name!, last_name: last_name!, phone_number: phone_number! }
}

const form_types = [
  ['1095-C', '1095-C, for an applicable large employer'],
  ['1095-B', '1095-B, for a smaller employer with a self-insured plan or an ICHRA'],
] as const

function DeriveStep({ filed: { filing } }: { filed: FilingState }) {
  const { employer_id, tax_year, derived_at, form_count } = filing
  const saved = useQuery(formSettingsQuery(employer_id, tax_year))
  return (
    <>
      {derived_at !== null && <p>{formatCount(form_count, 'form is', 'forms are')} due.</p>}
      <Derivation employer_id={employer_id} year={tax_year} derived_at={derived_at} />
      <details>
        <summary>Settings of the forms</summary>
        <Loaded query={saved} lines={2}>
          {(found) => (
            <Form
              fields={[
                { name: 'form_type', label: 'Form', options: form_types },
                ...contact_fields.map(([name, label]) => ({ name, label, required: false })),
                {
                  name: 'settings',
                  label: 'Options',
                  hint: 'Saving derives the forms again.',
                  kind: 'several',
                  options: settings,
                },
              ]}
              initial={{
                form_type: found.form_type,
                ...found.contact,
                settings: settings.flatMap(([name]) => (found[name] ? [name] : [])).join(' '),
              }}
              is_secondary
              button="Save settings"
              submit={async ({ form_type, settings: chosen = '', ...values }) => {
                const contact = contactOf(values)
                const isOn = (name: string) => chosen.split(' ').includes(name)
                await ob.employers.setFormSettings(employer_id, {
                  tax_year,
                  form_type: form_type as FormSettings['form_type'],
                  contact,
                  has_conditional_spouse_offer: isOn('has_conditional_spouse_offer'),
                  uses_98_percent_method: isOn('uses_98_percent_method'),
                })
                await refetch(acaKey(employer_id))
              }}
            />
          )}
        </Loaded>
      </details>
    </>
  )
}

function ExceptionsStep({ filed }: { filed: FilingState }) {
  const { filing } = filed
  if (filing.derived_at === null) return null
  const { unreported_hours_count: unreported } = filing
  return (
    <>
      {unreported > 0 && (
        <p>
          <HereLink change={{ show: undefined, group: 'unreported', year: String(filing.tax_year) }}>
            {formatCount(unreported, 'person counts', 'people count')}
          </HereLink>{' '}
          as part-time in months without reported hours. Without a full-time month, they may have no form. Report the
          missing hours.
        </p>
      )}
      {filing.exceptions.length === 0 && <p>No form has an exception.</p>}
      <ul>
        {filing.exceptions.map(({ exception, form_count }) => (
          <li key={exception}>
            <HereLink change={{ show: 'forms', year: String(filing.tax_year), exception }}>
              {toSentence(exception)}: {formatCount(form_count, 'form')}
            </HereLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function ReleaseStep({ filed, today }: { filed: FilingState; today: string }) {
  const { employer_id, tax_year, released_at, released_count, corrected_count, changed_count, print_count } =
    filed.filing
  const release = async () => {
    await ob.employers.releaseForms1095c(employer_id, { tax_year })
    refreshLater(() => refetch(acaKey(employer_id)))
  }
  const unresolved = uncorrectedExceptions(filed).reduce((sum, { form_count }) => sum + form_count, 0)
  const is_first = released_at === null
  return (
    <>
      {!is_first && (
        <Facts
          of={[
            ['Last release', formatInstant(released_at)],
            ['Released forms', formatNumber(released_count)],
            ['Corrected forms', formatNumber(corrected_count)],
            ['Only electronic, by consent', formatNumber(released_count - print_count)],
            ['Changed after the release', formatNumber(changed_count)],
          ]}
        />
      )}
      {changed_count > 0 && whyBlocked('Release', filed, today) === undefined && (
        <Confirm action={is_first ? 'Release forms' : 'Release corrected forms'} is_main variant="main" act={release}>
          {is_first
            ? `Employees can download ${formatCount(changed_count, 'form')}. ` +
              'Released forms cannot change: later changes become corrected forms.'
            : `${formatCount(changed_count, 'form')} changed since the last release. ` +
              'Employees get the new ones as corrected forms.'}
          {unresolved > 0 && ` ${formatCount(unresolved, 'exception is', 'exceptions are')} not resolved.`}
        </Confirm>
      )}
    </>
  )
}

function PrintStep({ filed: { filing }, today }: { filed: FilingState; today: string }) {
  const { employer_id, tax_year, released_at, print_count, print_parts, unnotified_count, unmailed_count } = filing
  const open = useAction({
    mutationFn: async (part: number) =>
      downloadLink((await ob.employers.getPrintFile(employer_id, { tax_year, part })).download_url),
  })
  return (
    <>
      <StepDeadlines of={filing} step="furnish" />
      <TimelinessStatus of={furnishingTimeliness(filing, today as Day)} />
      {released_at !== null && (
        <p>
          {print_count === 0
            ? 'Everyone agreed to electronic delivery.'
            : `${formatCount(print_count, 'person gets the form', 'people get their form')} on paper.`}
        </p>
      )}
      {unnotified_count > 0 && (
        <p>
          <HereLink change={{ show: 'forms', year: String(tax_year), exception: 'not_notified' }}>
            {formatCount(unnotified_count, 'person was', 'people were')} not notified by email
          </HereLink>{' '}
          that the form is available. A form is furnished electronically only with a notice, so the print file contains
          these forms.
        </p>
      )}
      <p className="form-end">
        {print_parts.map((part) => (
          <button
            key={part}
            type="button"
            className="button"
            disabled={open.isPending}
            onClick={() => open.mutate(part)}
          >
            {print_parts.length === 1 ? 'Print file (PDF)' : `Print file, part ${part} (PDF)`}
          </button>
        ))}
      </p>
      {open.error && <ErrorMessage error={open.error} />}
      <Mailings of={filing} />
      {unmailed_count > 0 && (
        <Form
          fields={[
            {
              name: 'mailed_on',
              label: 'Mailed on',
              kind: 'date',
              max: today,
              hint: 'The day on which you, your payroll provider or a printer mailed the forms or handed them out.',
            },
          ]}
          initial={{ mailed_on: today }}
          is_secondary
          button={`Record the mailing of ${formatCount(unmailed_count, 'form')}`}
          submit={async ({ mailed_on }) => {
            await ob.employers.recordFormMailing(employer_id, { tax_year, mailed_on: mailed_on as Day })
            await refetch(acaKey(employer_id))
          }}
        />
      )}
    </>
  )
}

/** The recorded mailings of paper forms, each of which can be removed. */
function Mailings({ of: { employer_id, tax_year, mailings } }: { of: FilingState['filing'] }) {
  const remove = useAction({
    mutationFn: async (mailed_on: Day) => {
      await ob.employers.recordFormMailing(employer_id, { tax_year, mailed_on, is_mailed: false })
      await refetch(acaKey(employer_id))
    },
  })
  if (mailings.length === 0) return null
  return (
    <ul className="lines" aria-label="Mailings">
      {mailings.map(({ mailed_on, form_count, recorded_by_name }) => (
        <li key={mailed_on + recorded_by_name}>
          <span>
            {formatCount(form_count, 'form')} mailed on {formatDay(mailed_on)}
            {recorded_by_name && `, recorded by ${recorded_by_name}`}
          </span>
          <button
            type="button"
            className="plain"
            disabled={remove.isPending}
            onClick={() => remove.mutate(mailed_on)}
            aria-label={`Undo the mailing on ${formatDay(mailed_on)}`}
          >
            Undo
          </button>
        </li>
      ))}
      {remove.error && <ErrorMessage error={remove.error} />}
    </ul>
  )
}
