import { ApiError, OpenBenefits } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'
import { watchedFetch } from './connection.ts'
import { base_url, getToken, NotSignedIn } from './session.ts'

// A user is waiting, so after two failed retries the console shows the error with a button to try again.
const options = { baseUrl: base_url, getToken, maxRetries: 2, fetch: watchedFetch }

/** The partner API, for members of the token's organization. */
export const ob = new OpenBenefits(options)

/** The operator API. */
export const operator = new OpenBenefitsOperator(options)

/** The message of a refusal, without the code that is meant for programs. */
export const messageOf = (error: ApiError): string => error.message.slice(`${error.code}: `.length)

/** Whether the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof NotSignedIn || (error instanceof ApiError && error.status === 401)

export { ApiError }
