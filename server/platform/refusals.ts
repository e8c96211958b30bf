import { declareRefusals } from '../kernel/refusal.ts'

/** What is refused the same way whichever module an operation is of, beyond the generic. */
export const refusals = declareRefusals({
  organization_required: [
    400,
    'These credentials do not reach one organization alone: name one in X-Service-Organization.',
  ],
  invalid_organization_header: [400, 'X-Service-Organization must be an organization id: org_ and 26 characters.'],
  organization_access_denied: [403, 'These credentials do not reach the organization named in X-Service-Organization.'],
  api_key_in_browser: [
    403,
    'An API key must never reach a browser: issue a bound access token on your server and send that instead.',
  ],
  origin_not_allowed: [
    403,
    'Tokens of this API key are not to be sent from this origin: add it to the allowed_origins of the key.',
  ],
  idempotency_key_in_progress: [409, 'The first request with this Idempotency-Key is still running.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another request in the last 24 hours.'],
  idempotency_answer_forgotten: [
    409,
    'This was done by an earlier request with this Idempotency-Key. ' +
      'Its answer held a secret and was kept for 10 minutes only.',
  ],
})
