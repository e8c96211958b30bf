import { useState } from 'react'
import type { Form1095c, TaxFacts } from 'openbenefits'
import { ob, refetch } from '../../../api.ts'
import { fullName } from '../../../format.ts'
import { useAction } from '../../../parts/form/use-action.ts'
import { ErrorMessage } from '../../../parts/page/page.tsx'
import { acaKey } from '../queries.ts'
import { formatLine, formatMonthRanges, lines } from './lines.ts'

/** Changes of the tax facts of a form, with a preview of the form. */

type Changes = Partial<TaxFacts>

/** Previews a change with a dry run. `save` stores the previewed change, then calls `saved`. */
export function useTaxFactsChange(form: Form1095c, saved?: () => void) {
  const [previewed, setPreviewed] = useState<{ changes: Changes; form: Form1095c }>()
  const update = (changes: Changes, dry_run: boolean) =>
    ob.employees.updateTaxFacts(form.employee_id, { tax_year: form.tax_year, ...changes, dry_run })
  const preview = async (changes: Changes) => setPreviewed({ changes, form: await update(changes, true) })
  const save = useAction({
    mutationFn: async (changes: Changes) => {
      await update(changes, false)
      await refetch(acaKey(form.employer_id))
      setPreviewed(undefined)
      saved?.()
    },
  })
  return { previewed, preview, save, back: () => setPreviewed(undefined) }
}

type PreviewProps = { before: Form1095c; change: ReturnType<typeof useTaxFactsChange>; button: string }

/** The differences that a previewed change makes on the form, with buttons to save it or to go back. */
export function TaxFactsPreview({ before, change: { previewed, save, back }, button }: PreviewProps) {
  if (!previewed) return null
  return (
    <>
      <FormChanges before={before} after={previewed.form} />
      {save.error && <ErrorMessage error={save.error} />}
      <p className="section-actions">
        <button
          type="button"
          className="button main"
          disabled={save.isPending}
          onClick={() => save.mutate(previewed.changes)}
        >
          {button}
        </button>
        <button type="button" className="button" onClick={back}>
          Change
        </button>
      </p>
    </>
  )
}

const coveredMonths = (form: Form1095c, person_id: string): number[] =>
  form.covered_people
    .filter((one) => one.person_id === person_id)
    .flatMap(({ months }) => months.flatMap((is_covered, at) => (is_covered ? [at + 1] : [])))

/** The differences between a form and the same form with other tax facts. */
function describeChanges(before: Form1095c, after: Form1095c): string[] {
  const cells = lines.flatMap(({ line, name }) =>
    after.months.flatMap((month, at) => {
      const [from, to] = [formatLine(before.months[at]!, line), formatLine(month, line)]
      return from === to ? [] : [{ change: `Line ${name}: ${from} becomes ${to}`, month: month.month }]
    }),
  )
  const by_change = Map.groupBy(cells, ({ change }) => change)
  const people = new Map(
    [...before.covered_people, ...after.covered_people].map((one) => [one.person_id, fullName(one)]),
  )
  const covered = [...people].flatMap(([id, name]) => {
    const [from, to] = [coveredMonths(before, id), coveredMonths(after, id)]
    return from.join() === to.join()
      ? []
      : [`Covered, ${name}: ${formatMonthRanges(from)} becomes ${formatMonthRanges(to)}`]
  })
  return [
    ...[...by_change].map(([change, found]) => `${change} (${formatMonthRanges(found.map(({ month }) => month))})`),
    ...covered,
  ]
}

function FormChanges({ before, after }: { before: Form1095c; after: Form1095c }) {
  const changes = describeChanges(before, after)
  if (changes.length === 0) return <p role="status">The form does not change.</p>
  return (
    <div role="status">
      <p>Changes on the form:</p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </div>
  )
}
