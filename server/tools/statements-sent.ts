/**
 * The number of statements that frequent requests send to PostgreSQL with known credentials, without begin and commit,
 * and the number of round trips. server/test/statements-sent.test.ts counts them. They must not grow.
 */
export const statements_sent = {
  'GET /v1/employees/{employee_id}': { statements: 1, round_trips: 1 },
  'GET /v1/employers/{employer_id}/employees': { statements: 1, round_trips: 1 },
  'GET /v1/employers': { statements: 1, round_trips: 1 },
  'POST /v1/employers': { statements: 13, round_trips: 4 },
  'POST /v1/employers/{employer_id}/employees': { statements: 17, round_trips: 4 },
  'POST /v1/employers/{employer_id}/employees, with a plan year': { statements: 25, round_trips: 6 },
  'POST /v1/enrollments/{enrollment_id}/elect': { statements: 24, round_trips: 7 },
  'PATCH /v1/employees/{employee_id}, a phone number': { statements: 10, round_trips: 8 },
}
