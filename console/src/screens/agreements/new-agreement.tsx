import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { BenefitPlanYearId, EnrollmentAgreement } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatPeriod } from '../../format.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { type Field, Form, FieldError } from '../../parts/form/form.tsx'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { AddSection, Loaded } from '../../parts/page/page.tsx'
import { employerQuery, planYearQuery } from '../../queries.ts'
import { agreementsQuery, latestAgreement } from './queries.ts'
import { AgreementTexts } from './texts.tsx'

const route = getRouteApi('/settings/agreements')

const textField = (language: 'en' | 'es', label: string, hint: string): Field => ({
  name: `text_${language}`,
  label,
  hint,
  render: (input) => <textarea rows={8} maxLength={4000} lang={language} {...input} />,
})

const fields = [
  textField('en', 'English text', 'A blank line begins a new paragraph.'),
  textField('es', 'Spanish text', 'Employees read the text of their language.'),
]

/** Writes the next version, of one plan year if the URL names it, in two steps: the texts, and a preview to publish. */
export function NewAgreement({ all }: { all: EnrollmentAgreement[] }) {
  const { employer: employer_id = '', year: year_id = '' } = route.useSearch()
  const is_of_year = employer_id !== '' && year_id !== ''
  const company = useQuery({ ...employerQuery(employer_id), enabled: is_of_year })
  const year = useQuery({ ...planYearQuery(employer_id, year_id), enabled: is_of_year })
  const editor = (scope: string) => (
    <AgreementEditor all={all} scope={scope} year_id={is_of_year ? year_id : undefined} />
  )
  return (
    <AddSection title="New version">
      {is_of_year ? (
        <Loaded query={company} lines={8}>
          {({ name }) => (
            <Loaded query={year} lines={8}>
              {({ coverage_start: period_start_date, coverage_end: period_end_date }) =>
                editor(`the plan year ${formatPeriod({ period_start_date, period_end_date })} of ${name}`)
              }
            </Loaded>
          )}
        </Loaded>
      ) : (
        editor('all plan years without their own text')
      )}
    </AddSection>
  )
}

type EditorProps = { all: EnrollmentAgreement[]; scope: string; year_id: string | undefined }

/** Begins with the text that applies now. */
function AgreementEditor({ all, scope, year_id }: EditorProps) {
  const change = useChangeSearch()
  const now = (year_id && latestAgreement(all, year_id)) || latestAgreement(all, null)!
  const [texts, setTexts] = useState({ text_en: now.text_en, text_es: now.text_es })
  const [is_preview, setPreview] = useState(false)
  if (!is_preview)
    return (
      <>
        <p className="quiet note">For {scope}.</p>
        <Form
          fields={fields}
          initial={texts}
          button="Preview"
          success=""
          submit={async ({ text_en = '', text_es = '' }) => {
            if (text_en.trim() === '') throw new FieldError('text_en', 'is required')
            if (text_es.trim() === '') throw new FieldError('text_es', 'is required')
            setTexts({ text_en, text_es })
            setPreview(true)
          }}
        />
      </>
    )
  const publish = async () => {
    await ob.enrollments.createAgreement({
      ...texts,
      ...(year_id && { benefit_plan_year_id: year_id as BenefitPlanYearId }),
    })
    await refetch(agreementsQuery().queryKey)
    await change({ add: undefined, employer: undefined, year: undefined })
  }
  return (
    <Confirm
      action="Publish version"
      variant="main"
      act={publish}
      back={() => setPreview(false)}
      details={<AgreementTexts of={texts} />}
    >
      Employees sign this text from now on, for {scope}. Earlier signatures keep the text that was read.
    </Confirm>
  )
}
