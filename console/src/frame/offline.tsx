import { useEffect } from 'react'
import { isOffline, isReachable, useOnline } from '../connection.ts'
import { Empty, Page, ErrorMessage, LoadingPlaceholder } from '../parts/page/page.tsx'
import { ScreenMissing } from './screen.ts'

const Retry = () => (
  <button type="button" className="button" onClick={() => void isReachable()}>
    Try again
  </button>
)

/** The bar above the page while the service does not respond. */
export const OfflineBar = () => (
  <div role="status">
    {!useOnline() && (
      <div className="offline">
        <span>
          <strong>You’re offline.</strong> Check your connection. The service may also be restarting. You can’t save
          changes until it responds.
        </span>
        <Retry />
      </div>
    )}
  </div>
)

/** Shown when the console starts and the service does not respond. The console reloads when the service is back. */
export const OfflineStart = () => (
  <main className="sign-in">
    <h1>You’re offline</h1>
    <p>
      The service does not respond. Check your connection. The service may also be restarting. The console keeps trying.
    </p>
    <p>
      <Retry />
    </p>
  </main>
)

/** Shown inside the frame in place of a screen that failed to load. */
export function ScreenError({ error }: { error: unknown }) {
  if (isOffline(error))
    return (
      <Page title="This page has not loaded yet">
        <Empty title="It opens as soon as the service responds.">Pages you opened earlier still work.</Empty>
      </Page>
    )
  if (error instanceof ScreenMissing) return <ReloadAfterUpgrade error={error} />
  return (
    <Page title="Something went wrong">
      <ErrorMessage error={error as Error} />
    </Page>
  )
}

/** Reloads the console once, because an upgrade of the service renamed the files of this screen. */
function ReloadAfterUpgrade({ error }: { error: ScreenMissing }) {
  const is_first = error.isFirst()
  useEffect(() => {
    if (is_first) error.reload()
  }, [error, is_first])
  if (is_first) return <LoadingPlaceholder />
  return (
    <Page title="This page can’t be loaded">
      <Empty title="Part of the console is missing on the server.">
        Reload the page in a few minutes. If the problem persists, contact the operator of the service.
      </Empty>
    </Page>
  )
}
