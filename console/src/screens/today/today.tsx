import { useQuery } from '@tanstack/react-query'
import { Page } from '../../parts/page/page.tsx'
import { overview } from '../../operator-queries.ts'
import { Happened, Healthy } from './happened.tsx'
import { Tasks } from './tasks.tsx'

/** The operator's open tasks, with the health of the service below. */
export function Today() {
  const found = useQuery(overview())
  return (
    <Page title="Today" mark={found.data && <Healthy of={found.data} />}>
      <Tasks />
      <Happened query={found} />
    </Page>
  )
}
