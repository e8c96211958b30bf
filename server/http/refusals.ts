import { declareRefusals } from '../kernel/refusal.ts'

/** An Idempotency-Key is valid for this long. */
export const idempotency_hours = 24

/** A stored response that contains a secret is replayed for this long. */
export const secret_response_minutes = 10

/** Refusals of the HTTP layer, which any operation may return besides the generic ones. */
export const refusals = declareRefusals({
  organization_required: [
    400,
    'These credentials do not reach exactly one organization. Specify one in X-Service-Organization.',
    'Send `X-Service-Organization` with one of the ids that `GET /v1/organizations` lists.',
  ],
  invalid_organization_header: [
    400,
    'X-Service-Organization must be an organization id: org_ and 26 characters.',
    'Send one id from the list of `GET /v1/organizations`.',
  ],
  organization_access_denied: [
    403,
    'These credentials have no access to the organization in X-Service-Organization.',
    'Specify an organization from the list of `GET /v1/organizations`, or request membership from its admin.',
  ],
  api_key_in_browser: [
    403,
    'An API key must never reach a browser. Issue a bound access token on your server and send that instead.',
    'Revoke the key, because it was exposed to a browser. Issue access tokens on your server instead.',
  ],
  sign_in_again: [
    403,
    'Creating a credential that outlasts the session requires a sign-in within the last hour. Sign in again.',
    'Sign in again, get a new session token and repeat the request. Requests with an API key do not need this.',
  ],
  origin_not_allowed: [
    403,
    'Tokens of this API key cannot be sent from this origin.',
    'Add the origin to the `allowed_origins` of the key, or send the token from an allowed origin.',
  ],
  idempotency_key_in_progress: [
    409,
    'The first request with this Idempotency-Key is still running. Repeat it after Retry-After seconds.',
    'Wait for `Retry-After` seconds, then repeat the request with the same key to get the first response.',
  ],
  idempotency_key_reused: [
    422,
    `This Idempotency-Key was used with another request in the last ${idempotency_hours} hours.`,
    'Use a new key for each new request. Reuse a key only to repeat the same request.',
  ],
  idempotency_response_expired: [
    409,
    'An earlier request with this Idempotency-Key succeeded. ' +
      `Its response contained a secret, so it was kept for only ${secret_response_minutes} minutes.`,
    'Read the created resource. If its secret is lost, rotate it or create another resource.',
  ],
})
