import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { census_fields, meaningsOf, type Spreadsheet } from 'openbenefits/census-columns'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { Stepper } from '../../parts/form/stepper.tsx'
import { Loaded, Section } from '../../parts/page/page.tsx'
import { ColumnMapping } from '../../parts/roster/column-mapping.tsx'
import { useDraft } from '../../parts/roster/draft-storage.ts'
import { newDraft, type RosterDraft } from '../../parts/roster/roster-draft.ts'
import { RosterUpload } from '../../parts/roster/roster-upload.tsx'
import { downloadCsvTemplate, downloadExcelTemplate } from '../../parts/roster/template.ts'
import { censusQuery, settingsQuery } from '../../queries.ts'
import { CheckedRoster } from './checked-roster.tsx'
import { DoneStep } from './done-step.tsx'

const route = getRouteApi('/employers/$employer_id/census')

/** Imports a roster in steps: upload, map columns and values, fix rows, review the changes, and apply them. */
export const CensusPage = () => (
  <RequiresRole area="employment">
    <RosterImport />
  </RequiresRole>
)

const steps = ['Upload', 'Map', 'Fix', 'Review', 'Done'] as const
type Step = 'map' | 'fix' | 'review'
const step_names = { map: 'Map', fix: 'Fix', review: 'Review' } as const
const findStep = (name: string) => (Object.keys(step_names) as Step[]).find((step) => step_names[step] === name)

/** The step is in the URL and the file in session storage, so a reload loses nothing. */
function RosterImport() {
  const { employer_id } = route.useParams()
  const { sync, step } = route.useSearch()
  const [draft, setDraft] = useDraft(employer_id)
  const navigate = route.useNavigate()
  const open = useCallback(
    (step: Step | undefined, replace = false) =>
      void navigate({
        search: (before) => ({ ...before, step, sync: undefined, ...(step ? {} : { mode: undefined }) }),
        replace,
      }),
    [navigate],
  )
  const other = () => {
    setDraft(undefined)
    open(undefined)
  }
  const at = sync ? 'Done' : draft && step ? step_names[step] : 'Upload'
  const sent = useQuery({ ...censusQuery(employer_id, sync ?? ''), enabled: sync !== undefined })
  // A held census has changed nothing yet, and the next submission replaces it.
  const can_go_back = !sync || (draft?.sent?.census_sync_id === sync && sent.data?.state === 'held')
  return (
    <>
      <Stepper steps={steps} at={at} open={can_go_back ? (name) => open(findStep(name)) : undefined} />
      {sync ? (
        <DoneStep key={sync} census_sync_id={sync} draft={draft} setDraft={setDraft} open={open} other={other} />
      ) : !draft || !step ? (
        <UploadStep draft={draft} setDraft={setDraft} map={() => open('map')} />
      ) : step === 'map' ? (
        <ColumnMapping
          draft={draft}
          setDraft={setDraft}
          fields={census_fields}
          next="Check rows"
          take={() => open('fix')}
          back={() => open(undefined)}
        />
      ) : (
        <CheckedRoster draft={draft} setDraft={setDraft} step={step} open={open} />
      )}
    </>
  )
}

const max_rows = 10_000

type UploadProps = {
  draft: RosterDraft | undefined
  setDraft: (draft: RosterDraft | undefined) => void
  /** opens the mapping of columns */
  map: () => void
}

/** Reads a roster file, or continues with the one read before. */
function UploadStep({ draft, setDraft, map }: UploadProps) {
  const { employer_id } = route.useParams()
  const settings = useQuery(settingsQuery(employer_id))
  return (
    <Loaded query={settings} lines={4}>
      {({ census_values }) => {
        const take = (spreadsheet: Spreadsheet) => {
          setDraft(newDraft(spreadsheet, census_fields, meaningsOf(census_values)))
          map()
        }
        return (
          <Section title="Upload a roster">
            {draft && (
              <div className="form-end">
                <button type="button" className="button" onClick={map}>
                  Continue with {draft.spreadsheet.name}
                </button>
                <button type="button" className="plain" onClick={() => setDraft(undefined)}>
                  Discard
                </button>
              </div>
            )}
            <RosterUpload fields={census_fields} max_rows={max_rows} take={take}>
              The first line must contain the column names. You can review every change before it is made. The file
              stays in this browser tab until you apply or discard it.
            </RosterUpload>
            <p className="note">
              Template:{' '}
              <button type="button" className="plain" onClick={() => void downloadExcelTemplate(census_fields)}>
                Excel
              </button>
              {' or '}
              <button type="button" className="plain" onClick={() => downloadCsvTemplate(census_fields)}>
                CSV
              </button>
            </p>
          </Section>
        )
      }}
    </Loaded>
  )
}
