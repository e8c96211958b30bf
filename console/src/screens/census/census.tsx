import { getRouteApi } from '@tanstack/react-router'
import { census_fields } from 'openbenefits/census-columns'
import { UpTo } from '../../parts/access/permitted.tsx'
import { DropFile } from '../../parts/form/file-drop.tsx'
import { Section } from '../../parts/page/page.tsx'
import { Columns } from '../../parts/roster/column-mapping.tsx'
import { useDraft } from '../../parts/roster/draft-storage.ts'
import { draftOf, type RosterDraft } from '../../parts/roster/roster-draft.ts'
import { readSpreadsheet } from '../../parts/roster/spreadsheet.ts'
import { DryRunPlan } from './dry-run.tsx'
import { Progress } from './progress.tsx'

const route = getRouteApi('/employers/$employer_id/census')

/** Uploads a roster: map columns and values, check a dry run, fix rows, apply, and watch the progress. */
export const Census = () => (
  <UpTo area="employment">
    <Roster />
  </UpTo>
)

/** The step is in the URL and the file in session storage, so a reload loses nothing. */
function Roster() {
  const { employer_id } = route.useParams()
  const { sync, step } = route.useSearch()
  const [draft, setDraft] = useDraft(employer_id)
  const navigate = route.useNavigate()
  const goTo = (step: 'columns' | 'plan' | undefined) =>
    navigate({ search: (before) => ({ ...before, step, sync: undefined, ...(step ? {} : { mode: undefined }) }) })
  const other = () => {
    setDraft(undefined)
    void goTo(undefined)
  }
  if (sync)
    return (
      <Progress
        key={sync}
        census_sync_id={sync}
        draft={draft}
        setDraft={setDraft}
        correct={() => void goTo('plan')}
        other={other}
      />
    )
  if (draft && step === 'plan')
    return <DryRunPlan draft={draft} setDraft={setDraft} back={() => void goTo('columns')} other={other} />
  if (draft && step === 'columns')
    return (
      <Columns draft={draft} setDraft={setDraft} fields={census_fields} take={() => void goTo('plan')} other={other} />
    )
  return <Drop draft={draft} setDraft={setDraft} match={() => void goTo('columns')} />
}

const most_rows = 10_000

type DropProps = {
  draft: RosterDraft | undefined
  setDraft: (draft: RosterDraft | undefined) => void
  /** opens the mapping of columns */
  match: () => void
}

/** Reads a roster file, or continues with the one read before. */
function Drop({ draft, setDraft, match }: DropProps) {
  const read = async (file: File) => {
    const spreadsheet = await readSpreadsheet(file)
    if (spreadsheet.lines.length > most_rows) throw new Error('A census can have at most 10,000 rows. Split the file.')
    setDraft(draftOf(spreadsheet, census_fields))
    match()
  }
  return (
    <Section title="Upload a roster">
      {draft && (
        <div className="form-end">
          <button type="button" className="button" onClick={match}>
            Continue with {draft.spreadsheet.name}
          </button>
          <button type="button" className="plain" onClick={() => setDraft(undefined)}>
            Discard
          </button>
        </div>
      )}
      <DropFile read={read}>
        The first line must contain the column names. You can review every change before it is made. The file stays in
        this browser tab until you apply or discard it.
      </DropFile>
    </Section>
  )
}
