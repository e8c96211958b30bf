import '@fontsource-variable/inter/wght.css'
import '../../ui/tokens.css'
import './console.css'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError, nobodyIn } from './api.ts'
import { SessionEnded, SignIn } from './frame/sign-in.tsx'
import { routerOf } from './routes.tsx'
import { getSession, NotSignedIn, type Session } from './session.ts'

const root = createRoot(document.getElementById('root')!)

const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (nobodyIn(error)) end()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && !(error instanceof NotSignedIn || error instanceof ApiError),
    },
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

/** What was typed stays, below the word that one has to sign in again. */
const end = () => draw(true)

let router: ReturnType<typeof routerOf> | undefined

try {
  session = await getSession()
  router = routerOf({ session, client })
  draw(false)
} catch (error) {
  root.render(<SignIn error={error as Error} />)
}
