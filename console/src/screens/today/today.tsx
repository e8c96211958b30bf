import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { loadScreen } from '../../frame/screen.ts'
import { Page, LoadingPlaceholder } from '../../parts/page/page.tsx'
import { overviewQuery } from '../../operator-queries.ts'
import { OperatorTasks } from './tasks.tsx'

/** The health of the service loads next to the tasks. */
const loadRecentActivity = () => loadScreen(() => import('./recent-activity.tsx'), 'RecentActivity')
const Happened = lazy(() => loadRecentActivity().then((code) => ({ default: code.RecentActivity })))
const Healthy = lazy(() => loadRecentActivity().then((code) => ({ default: code.ServiceHealth })))

/** The operator's open tasks, with the health of the service below. */
export function TodayPage() {
  const found = useQuery(overviewQuery())
  return (
    <Page title="Today" badge={<Suspense>{found.data && <Healthy of={found.data} />}</Suspense>}>
      <OperatorTasks />
      <Suspense fallback={<LoadingPlaceholder lines={4} />}>
        <Happened query={found} />
      </Suspense>
    </Page>
  )
}
