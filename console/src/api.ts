import { ApiError, OpenBenefits } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'
import { watchedFetch } from './connection.ts'
import { base_url, getToken, NotSignedIn } from './session.ts'

// People wait for the answer: what fails again after two pauses is told, with a button to try again.
const options = { baseUrl: base_url, getToken, maxRetries: 2, fetch: watchedFetch }

/** The partner interface, as a member of the organization that the token names. */
export const ob = new OpenBenefits(options)

/** The operator interface. */
export const operator = new OpenBenefitsOperator(options)

/** What a refusal says to people: not the code, which programs go by. */
export const wordsOf = (error: ApiError): string => error.message.slice(`${error.code}: `.length)

/** Whether nobody is signed in any more. */
export const nobodyIn = (error: unknown): boolean =>
  error instanceof NotSignedIn || (error instanceof ApiError && error.status === 401)

export { ApiError }
