import '@fontsource-variable/inter/wght.css'
import '../../ui/tokens.css'
import './styles/base.css'
import './parts/page/page.css'
import './parts/form/form.css'
import './parts/form/change-plan.css'
import './parts/table/table.css'
import './parts/table/menu.css'
import './parts/page/timeline.css'
import './frame/frame.css'
import './frame/palette.css'
import './styles/charts.css'
import './parts/notes/notes.css'
import './screens/person/person.css'
import './screens/enrollment/enrollment.css'
import './screens/setup/setup.css'
import './screens/plan-years/builder/builder.css'
import './screens/plan-years/proposal/proposal.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadOperatorClient, query_client } from './api.ts'
import { isOffline, onReconnect } from './connection.ts'
import { OfflineStart } from './frame/offline.tsx'
import { SessionEnded, SignIn } from './frame/sign-in.tsx'
import { applyTheme } from './frame/account-menu.tsx'
import { router } from './routes/routes.tsx'
import { deleteDrafts, getSession, isOperator, NotSignedIn, onSessionEnd, type Session } from './session.ts'

applyTheme()
const root = createRoot(document.getElementById('root')!)

/** The session with which the page was opened. */
let opened_by: Session

function draw(has_ended: boolean): void {
  root.render(
    <StrictMode>
      <QueryClientProvider client={query_client}>
        {has_ended && <SessionEnded />}
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

/** Keeps form entries when the session has ended. The user signs in again in another tab and continues here. */
function end(): void {
  draw(true)
  addEventListener('focus', resume)
}

/** A user who signed in again continues on this page. For a different user, the page reloads. */
async function resume(): Promise<void> {
  const found = await getSession().catch(() => undefined)
  if (!found) return
  if (found.user.id !== opened_by.user.id || found.organization_id !== opened_by.organization_id) location.reload()
  removeEventListener('focus', resume)
  draw(false)
  await query_client.invalidateQueries()
}

/** Reloads failed queries and data that may have changed. */
function refresh(): void {
  void router.invalidate()
  void query_client.invalidateQueries()
}

try {
  opened_by = await getSession()
  if (isOperator()) await loadOperatorClient()
  onSessionEnd(end)
  onReconnect(refresh)
  draw(false)
} catch (error) {
  if (error instanceof NotSignedIn) deleteDrafts()
  if (isOffline(error)) onReconnect(() => location.reload())
  root.render(isOffline(error) ? <OfflineStart /> : <SignIn error={error as Error} />)
}
