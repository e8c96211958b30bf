import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { loadScreen } from '../../frame/screen.ts'
import { Page, LoadingPlaceholder } from '../../parts/page/page.tsx'
import { overviewQuery } from '../../operator-queries.ts'
import { Tasks } from './tasks.tsx'

/** The health of the service loads next to the tasks. */
const load = () => loadScreen(() => import('./happened.tsx'), 'Happened')
const Happened = lazy(() => load().then((code) => ({ default: code.Happened })))
const Healthy = lazy(() => load().then((code) => ({ default: code.Healthy })))

/** The operator's open tasks, with the health of the service below. */
export function Today() {
  const found = useQuery(overviewQuery())
  return (
    <Page title="Today" badge={<Suspense>{found.data && <Healthy of={found.data} />}</Suspense>}>
      <Tasks />
      <Suspense fallback={<LoadingPlaceholder lines={4} />}>
        <Happened query={found} />
      </Suspense>
    </Page>
  )
}
