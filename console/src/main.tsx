import '@fontsource-variable/inter/wght.css'
import '../../ui/tokens.css'
import './console.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api.ts'
import { isOffline, onReturn } from './connection.ts'
import { OfflineStart } from './frame/offline.tsx'
import { SessionEnded, SignIn } from './frame/sign-in.tsx'
import { forgetDrafts } from './parts/draft-storage.ts'
import { routerOf } from './routes.tsx'
import { getSession, NotSignedIn, onEnd, type Session } from './session.ts'

const root = createRoot(document.getElementById('root')!)

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof NotSignedIn || error instanceof ApiError || isOffline(error)),
      // While offline, requests fail with a visible error. They are never queued.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

let session: Session | undefined

function draw(has_ended: boolean): void {
  if (!session) return
  root.render(
    <StrictMode>
      <QueryClientProvider client={client}>
        {has_ended && <SessionEnded />}
        <RouterProvider router={router!} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

/** What was typed stays, below the word that one has to sign in again: elsewhere, and then it goes on here. */
function end(): void {
  draw(true)
  addEventListener('focus', goOn)
}

/** Whoever signed in meanwhile goes on with what is here, unless that is somebody else's. */
async function goOn(): Promise<void> {
  const found = await getSession().catch(() => undefined)
  if (!found) return
  if (found.user.id !== session!.user.id || found.organization_id !== session!.organization_id) location.reload()
  removeEventListener('focus', goOn)
  draw(false)
  await client.invalidateQueries()
}

/** Loads what could not be loaded, and what may have changed meanwhile. */
function refresh(): void {
  void router!.invalidate()
  void client.invalidateQueries()
}

let router: ReturnType<typeof routerOf> | undefined

try {
  session = await getSession()
  router = routerOf({ session, client })
  onEnd(end)
  onReturn(refresh)
  draw(false)
} catch (error) {
  if (error instanceof NotSignedIn) forgetDrafts()
  if (isOffline(error)) onReturn(() => location.reload())
  root.render(isOffline(error) ? <OfflineStart /> : <SignIn error={error as Error} />)
}
