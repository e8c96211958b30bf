import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ob, refetch } from '../../api.ts'
import { changesOfEmployer, employer_fields, typedOf } from '../../parts/benefits/employer-fields.ts'
import { Form, type Values } from '../../parts/form/form.tsx'
import { Loaded, Section } from '../../parts/page/page.tsx'
import { employer } from '../../queries.ts'

const route = getRouteApi('/employers/$employer_id/settings')

// An EIN cannot change. To correct it, add the employer again.
const fields = employer_fields.filter(({ name }) => name !== 'ein')

/** The form to edit an employer's details. */
export function Details() {
  const { employer_id } = route.useParams()
  const about = useQuery(employer(employer_id))
  return (
    <Section title="Details">
      <Loaded query={about} lines={10}>
        {(found) => {
          const initial = typedOf(found)
          const save = async (values: Values) => {
            await ob.employers.update(employer_id, changesOfEmployer(initial, values))
            await refetch(['employers'])
          }
          return <Form fields={fields} initial={initial} submit={save} button="Save details" />
        }}
      </Loaded>
    </Section>
  )
}
