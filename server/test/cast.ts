import { expect } from 'vitest'
import type { Api, CallOptions } from './harness.ts'

let count = 0

/** Letters for a number, so that made names hold no digits: 0 → A, 27 → BB. */
const letters = (number: number): string =>
  (number >= 26 ? letters(Math.floor(number / 26) - 1) : '') + String.fromCharCode(65 + (number % 26))

/** The body of an employer like no other; what differs is said. */
export function anEmployer(said: Record<string, unknown> = {}) {
  const number = ++count
  const name = `Bakery ${letters(number)}`
  return {
    name,
    legal_name: `${name} LLC`,
    ein: `12-${String(3_000_000 + number)}`,
    email: `office${number}@bakery.example.com`,
    address: { address_line_1: `${number} Post Rd`, city: 'Albany', state: 'NY', zipcode: '12207' },
    ...said,
  }
}

/** A person like no other, as create employee takes them; a census row takes the same. */
export function aPerson(said: Record<string, unknown> = {}) {
  const number = ++count
  return {
    first_name: `Ana ${letters(number)}`,
    last_name: `Costa ${letters(number)}`,
    email: `ana.costa${number}@example.com`,
    phone: `2025${String(number).padStart(6, '0')}`,
    date_of_birth: '1990-05-17',
    start_date: '2026-01-05',
    ...said,
  }
}

/** Creates an employer over HTTP and returns its id. */
export async function createEmployer(
  api: Api,
  said: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<string> {
  const answer = await api.post('/v1/employers', anEmployer(said), options)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

/** Creates an employee over HTTP and returns what was answered. */
export async function createEmployee(api: Api, employer_id: string, said: Record<string, unknown> = {}) {
  const answer = await api.post(`/v1/employers/${employer_id}/employees`, aPerson(said))
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
