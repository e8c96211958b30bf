import { useNavigate } from '@tanstack/react-router'
import { ob, refetch } from '../../api.ts'
import { employer_fields, employerOf } from '../../parts/benefits/employer-fields.ts'
import { Form, type Values } from '../../parts/form/form.tsx'
import { Page } from '../../parts/page/page.tsx'
import { UpTo } from '../../parts/access/permitted.tsx'

export function AddEmployer() {
  const navigate = useNavigate()
  const add = async (values: Values) => {
    const { id } = await ob.employers.create(employerOf(values))
    await refetch(['employers'])
    await navigate({ to: '/employers/$employer_id', params: { employer_id: id } })
  }
  return (
    <Page title="Add employer" above={[{ label: 'Employers', link: { to: '/employers' } }]}>
      <UpTo area="settings">
        <Form fields={employer_fields} submit={add} button="Add employer" />
      </UpTo>
    </Page>
  )
}
