import { Link } from '@tanstack/react-router'
import type { EmployerRow } from 'openbenefits'
import { Empty, Page, Section, Status, Trouble, Waiting } from '../parts/page.tsx'
import { allOf, useRows } from '../parts/rows.ts'
import { count, dayOf, monthOf } from '../parts/words.ts'
import { employersIn } from '../queries.ts'

/** What the day of each stage is. */
const coming = {
  onboarding: 'Coverage starts for the first time',
  open_enrollment: 'The last day to choose',
  renewal: 'The next plan year starts',
} as const
const stages = Object.keys(coming) as (keyof typeof coming)[]

type Coming = { id: string; name: string; stage: keyof typeof coming; day: string; enrolled: string }

const comingOf = ({
  id,
  name,
  benefit_lifecycle_stage: { stage, as_of_date },
  enrollment_rate_summary,
}: EmployerRow): Coming[] =>
  as_of_date !== null && stage in coming
    ? [
        {
          id,
          name,
          stage: stage as keyof typeof coming,
          day: as_of_date,
          enrolled: `${enrollment_rate_summary.enrolled} of ${enrollment_rate_summary.eligible} enrolled`,
        },
      ]
    : []

/** The book by months: which employers start, choose or are renewed, and when. */
export function Ahead() {
  const rows = useRows(employersIn({ benefit_lifecycle_stage: stages }))
  const found = allOf(rows)
    .flatMap(comingOf)
    .toSorted((a, b) => a.day.localeCompare(b.day))
  const by_month = [...Map.groupBy(found, ({ day }) => day.slice(0, 7))]
  const beyond = (rows.total ?? 0) - allOf(rows).length
  return (
    <Page
      title="What is coming"
      above={[{ label: 'Employers', link: { to: '/employers' } }]}
      mark={rows.total !== undefined && <span className="quiet">{count(found.length, 'employer')}</span>}
    >
      {rows.error && <Trouble error={rows.error} retry={rows.retry} />}
      {rows.total === undefined && !rows.error && <Waiting lines={8} />}
      {rows.total !== undefined && found.length === 0 && (
        <Empty title="Nothing is coming.">Employers that start, choose or are renewed within 90 days are here.</Empty>
      )}
      {by_month.map(([month, those]) => (
        <Section
          key={month}
          title={monthOf(month)}
          actions={<span className="quiet">{count(those.length, 'employer')}</span>}
        >
          <ul className="lines months">
            {those.map(({ id, name, stage, day, enrolled }) => (
              <li key={id}>
                <Link to="/employers/$employer_id" params={{ employer_id: id }}>
                  {name}
                </Link>
                <span className="quiet only-middle">{enrolled}</span>
                <span className="only-middle">{coming[stage]}</span>
                <Status of={stage} />
                <span className="number">{dayOf(day)}</span>
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {beyond > 0 && <p className="quiet">And {count(beyond, 'employer')} more: the book finds them by their stage.</p>}
    </Page>
  )
}
