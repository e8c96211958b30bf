/**
 * How many statements the hottest requests send to PostgreSQL, without begin and commit, once the credentials are
 * known: counted by server/test/statements-sent.test.ts. They only ever get fewer.
 */
export const statements_sent = {
  'GET /v1/employees/{employee_id}': 1,
  'GET /v1/employers/{employer_id}/employees': 1,
  'GET /v1/employers': 1,
  'POST /v1/employers/{employer_id}/employees': 13,
  'PATCH /v1/employees/{employee_id}, a phone number': 10,
}
