import { Link } from '@tanstack/react-router'
import type { EmployerRow } from 'openbenefits'
import { useEffect } from 'react'
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

/** Of so many employers the months are told: that many pages of the book are read. */
const most = 2000

/** The book by months: when plan years end, and which employers start, choose or are renewed soon. */
export function Ahead() {
  const rows = useRows(employersIn({}))
  const { total, want } = rows
  useEffect(() => {
    if (total !== undefined && total > 0) want(0, Math.min(total, most) - 1)
  }, [total, want])
  const there = allOf(rows)
  const found = there.flatMap(comingOf).toSorted((a, b) => a.day.localeCompare(b.day))
  const by_month = [...Map.groupBy(found, ({ day }) => day.slice(0, 7))]
  const is_whole = total !== undefined && there.length >= Math.min(total, most)
  return (
    <Page
      title="What is coming"
      above={[{ label: 'Employers', link: { to: '/employers' } }]}
      mark={is_whole && <span className="quiet">{count(found.length, 'employer')} soon</span>}
    >
      {rows.error && <Trouble error={rows.error} retry={rows.retry} />}
      {!is_whole && !rows.error && <Waiting lines={8} />}
      {is_whole && <Renewals of={there} />}
      {is_whole && found.length === 0 && (
        <Empty title="Nothing is coming.">Employers that start, choose or are renewed within 90 days are here.</Empty>
      )}
      {is_whole &&
        by_month.map(([month, those]) => (
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
                  <span>
                    <Status of={stage} />
                  </span>
                  <span className="number">{dayOf(day)}</span>
                </li>
              ))}
            </ul>
          </Section>
        ))}
      {total !== undefined && total > most && (
        <p className="quiet">Of the {count(most, 'employer')} that joined last. The book finds the others.</p>
      )}
    </Page>
  )
}

/** How many plan years end with each month. */
function Renewals({ of }: { of: EmployerRow[] }) {
  const months = [...Map.groupBy(of, ({ renews_on }) => renews_on?.slice(0, 7))]
    .flatMap(([month, those]) => (month === undefined ? [] : [{ month, those }]))
    .toSorted((a, b) => a.month.localeCompare(b.month))
  if (months.length === 0) return null
  const longest = Math.max(...months.map(({ those }) => those.length))
  return (
    <Section title="Renewals by month">
      <ul className="lines bars">
        {months.map(({ month, those }) => (
          <li key={month}>
            <span className="bars-name">{monthOf(month)}</span>
            <span className="bars-line" aria-hidden="true">
              <span style={{ width: `${(those.length / longest) * 100}%` }} />
            </span>
            <span className="number">{count(those.length, 'employer')}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
