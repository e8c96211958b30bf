import type { Dependent, DependentChanges } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { fullName, toSentence } from '../../format.ts'
import { type Field, Form, type Values, FieldError } from '../../parts/form/form.tsx'
import { refreshLater } from '../../parts/form/use-action.ts'
import { takeFocus } from '../../parts/page/interaction.ts'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { no_action } from './dependent-queries.ts'

const names = ['relationship', 'first_name', 'last_name', 'date_of_birth'] as const

/** The fields of a dependent that the employee or a member enters. */
export const dependent_fields: Field[] = [
  {
    name: 'relationship',
    label: 'Relationship',
    options: (['spouse', 'domestic_partner', 'child'] as const).map((value) => [value, toSentence(value)] as const),
  },
  { name: 'first_name', label: 'First name' },
  { name: 'last_name', label: 'Last name' },
  { name: 'date_of_birth', label: 'Date of birth', kind: 'date' },
]

/** Corrects the data of a dependent. */
export function CorrectDependent({ of }: { of: Dependent }) {
  const change = useChangeSearch()
  const refresh = () => refetch(['employees'], ['enrollments'])
  const correct = async (values: Values) => {
    const changes = names.flatMap((name) => (values[name] === of[name] ? [] : [[name, values[name]]]))
    if (changes.length === 0)
      throw new FieldError('relationship', 'or another field must differ from its current value')
    await ob.dependents.update(of.id, Object.fromEntries(changes) as DependentChanges)
    await change(no_action)
    await refresh()
    refreshLater(refresh)
  }
  const initial = Object.fromEntries(names.map((name) => [name, of[name]]))
  return (
    <div className="note">
      <div className="section-head">
        <h3 tabIndex={-1} ref={takeFocus}>
          Correct {fullName(of)}
        </h3>
        <button type="button" className="plain" onClick={() => void change(no_action)}>
          Close
        </button>
      </div>
      <p className="quiet">
        A new relationship or date of birth can move the last day of coverage, and has to be verified again. Deductions
        and invoices follow.
      </p>
      <Form fields={dependent_fields} initial={initial} submit={correct} button="Save correction" />
    </div>
  )
}
