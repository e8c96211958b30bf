import { QueryClient } from '@tanstack/react-query'
import { ApiError, OpenBenefits } from 'openbenefits'
import type { OpenBenefitsOperator } from 'openbenefits/operator'
import { isOffline, watchedFetch } from './connection.ts'
import { loadScreen } from './frame/screen.ts'
import { base_url, getToken, NotSignedIn } from './session.ts'

// A user is waiting, so after two failed retries the console shows the error with a button to try again.
const options = { baseUrl: base_url, getToken, maxRetries: 2, fetch: watchedFetch }

/** The partner API, for members of the token's organization. */
export const ob = new OpenBenefits(options)

/** The operator API. Only operators load its client, before the first page. */
export let operator: OpenBenefitsOperator
export async function loadOperatorClient(): Promise<void> {
  const client = await loadScreen(() => import('openbenefits/operator'), 'operator')
  operator = new client.OpenBenefitsOperator(options)
}

/** The cache of all queries. */
export const query_client = new QueryClient({
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

/**
 * Marks the queries with keys that begin with any of these as outdated, and reloads the visible ones. Tasks follow from
 * all other data, so each change makes them outdated too.
 */
export async function refetch(...keys: (readonly unknown[])[]): Promise<void> {
  await Promise.all([...keys, ['tasks']].map((queryKey) => query_client.invalidateQueries({ queryKey })))
}

/** The message of a refusal, without the code that is meant for programs. */
export const messageOf = (error: ApiError): string => error.message.slice(`${error.code}: `.length)

/** Whether the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof NotSignedIn || (error instanceof ApiError && error.status === 401)

export { ApiError }
