import { declareRefusals } from '../kernel/refusal.ts'

/** What is refused the same way whichever module an operation is of, beyond the generic. */
export const refusals = declareRefusals({
  organization_required: [
    400,
    'These credentials do not reach one organization alone: name one in X-Service-Organization.',
    'Send `X-Service-Organization` with one of the ids that `GET /v1/organizations` lists.',
  ],
  invalid_organization_header: [
    400,
    'X-Service-Organization must be an organization id: org_ and 26 characters.',
    'Send the id as `GET /v1/organizations` lists it, once.',
  ],
  organization_access_denied: [
    403,
    'These credentials do not reach the organization named in X-Service-Organization.',
    'Name an organization that `GET /v1/organizations` lists, or have its admin make you a member.',
  ],
  api_key_in_browser: [
    403,
    'An API key must never reach a browser: issue a bound access token on your server and send that instead.',
    'Revoke the key, since it has been in a browser; issue access tokens by your server.',
  ],
  sign_in_again: [
    403,
    'This makes what outlasts a session, and takes a sign-in of the last hour: sign in again.',
    'Have the person sign in again, fetch a new token of the session, and repeat the request. An API key needs none.',
  ],
  origin_not_allowed: [
    403,
    'Tokens of this API key are not to be sent from this origin.',
    'Add the origin to the `allowed_origins` of the key, or send the token from one of them.',
  ],
  idempotency_key_in_progress: [
    409,
    'The first request with this Idempotency-Key is still running: repeat it after Retry-After seconds.',
    'Wait for `Retry-After` seconds, then send the same request with the same key: you get the answer of the first. ' +
      'This may be retried.',
  ],
  idempotency_key_reused: [
    422,
    'This Idempotency-Key was used with another request in the last 24 hours.',
    'Use a new key for each new request, and the same only to repeat one as it was.',
  ],
  idempotency_answer_forgotten: [
    409,
    'This was done by an earlier request with this Idempotency-Key. ' +
      'Its answer held a secret and was kept for 10 minutes only.',
    'It was done. Read what was made; where its secret is lost, rotate it or make another.',
  ],
})
