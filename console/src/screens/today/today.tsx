import { useQuery } from '@tanstack/react-query'
import { Page } from '../../parts/page.tsx'
import { overview } from '../../operator-queries.ts'
import { Happened, Healthy } from './happened.tsx'
import { Tasks } from './tasks.tsx'

/** What needs somebody of the operator today, each with its action; below it whether the service keeps up. */
export function Today() {
  const found = useQuery(overview())
  return (
    <Page title="Today" mark={found.data && <Healthy of={found.data} />}>
      <Tasks />
      <Happened query={found} />
    </Page>
  )
}
