import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  afterEvent,
  bodyOf,
  headersOf,
  leftOf,
  nextAfter,
  outcomeOf,
  roundEnd,
  type DispatcherEvent,
  type DispatcherState,
} from './rules.ts'

const now = Date.parse('2026-03-10T16:00:00.000Z')
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const secondsUntil = (due_at: string | null) => (Date.parse(due_at!) - now) / 1000

const fresh = { attempts: 0, failing_since: null }
const failed = { status: 500, body: 'oops', retry_after: undefined }
const ok = { status: 200, body: '{}', retry_after: undefined }

describe('an attempt', () => {
  it.each([200, 201, 202, 204, 299])('succeeds with status %i', (status) => {
    expect(outcomeOf(fresh, { ...ok, status }, now, 0)).toMatchObject({
      attempts: 1,
      delivered_at: '2026-03-10T16:00:00.000Z',
      due_at: null,
      failed_at: null,
      failure_reason: '',
      response_status: status,
    })
  })

  it.each([100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 429, 500, 503])('fails with status %i', (status) => {
    expect(outcomeOf(fresh, { ...failed, status }, now, 0)).toMatchObject({
      delivered_at: null,
      failed_at: null,
      failure_reason: `The receiver responded with status ${status}.`,
      disables: undefined,
    })
  })

  it('fails without a response, with the reason', () => {
    const outcome = outcomeOf(fresh, { status: null, failure: 'The connection was refused.' }, now, 0)
    expect(outcome).toMatchObject({
      response_status: null,
      response_body: null,
      failure_reason: 'The connection was refused.',
    })
  })

  it('is repeated at most 14 times', () => {
    const pauses = Array.from({ length: 13 }, (_, attempts) =>
      secondsUntil(outcomeOf({ ...fresh, attempts }, failed, now, 0).due_at),
    )
    const hours = (count: number) => count * 3600
    expect(pauses).toEqual([
      5,
      60,
      300,
      1800,
      hours(2),
      hours(5),
      hours(10),
      ...Array.from({ length: 6 }, () => hours(12)),
    ])
    const last = outcomeOf({ ...fresh, attempts: 13 }, failed, now, 0)
    expect(last).toMatchObject({ attempts: 14, due_at: null, failed_at: '2026-03-10T16:00:00.000Z' })
  })

  it('is repeated after a random delay that is up to a fifth longer, and never shorter', () => {
    const pauses = [0, 0.5, 0.999].map((chance) => secondsUntil(outcomeOf(fresh, failed, now, chance).due_at))
    expect(pauses).toEqual([5, 5.5, expect.closeTo(6, 1)])
  })

  it.each([
    ['120', 120],
    [' 7 ', 7],
    ['1', 5],
    ['0', 5],
    ['-5', 5],
    ['soon', 5],
    ['', 5],
    ['Tue, 10 Mar 2026 16:02:00 GMT', 120],
    ['Tue, 10 Mar 2026 15:00:00 GMT', 5],
    ['999999999', 24 * 3600],
    ['99999999999999999999', 24 * 3600],
  ])('is repeated after Retry-After: %s, but at most after a day: %i s', (retry_after, expected) => {
    expect(secondsUntil(outcomeOf(fresh, { ...failed, status: 503, retry_after }, now, 0).due_at)).toBe(expected)
  })

  it('disables a subscription that is gone, or that has failed for 5 days', () => {
    expect(outcomeOf(fresh, { ...failed, status: 410 }, now, 0)).toMatchObject({ disables: 'gone', due_at: null })
    const since = (ms: number) => ({ attempts: 3, failing_since: new Date(now - ms).toISOString() })
    // The delivery is retried in case the subscription turns out to be healthy.
    expect(outcomeOf(since(120 * hour), failed, now, 0)).toMatchObject({ disables: 'failing', failed_at: null })
    expect(outcomeOf(since(120 * hour - 1), failed, now, 0)).toMatchObject({ disables: undefined, failed_at: null })
    expect(outcomeOf(since(120 * hour), ok, now, 0)).toMatchObject({ disables: undefined, failed_at: null })
  })
})

describe('the dispatcher', () => {
  const state = (text: string) => {
    const [phase, requested = 'nothing'] = text.split(' + ')
    return { phase, request: requested } as DispatcherState
  }

  it.each<[before: string, event: DispatcherEvent, after: string, begins: boolean]>([
    ['idle', 'woken', 'delivering', true],
    ['idle', 'attempt_ended', 'delivering', true],
    ['idle', 'stop_requested', 'finishing', true],

    ['delivering', 'round_found_nothing', 'idle', true],
    ['delivering', 'round_found_work', 'idle', true],
    ['delivering', 'round_was_partial', 'delivering', true],
    ['delivering + deliver', 'round_found_work', 'delivering', true],
    ['delivering', 'round_failed', 'backing_off + deliver', true],
    ['delivering', 'attempt_ended', 'delivering + deliver', false],
    ['delivering', 'woken', 'delivering + deliver', false],
    ['delivering', 'stop_requested', 'delivering + stop', false],
    ['delivering + deliver', 'round_found_nothing', 'delivering', true],
    ['delivering + stop', 'woken', 'delivering + stop', false],
    ['delivering + stop', 'round_found_work', 'finishing', true],
    ['delivering + stop', 'round_failed', 'backing_off + stop', true],

    ['backing_off + deliver', 'woken', 'backing_off + deliver', false],
    ['backing_off + deliver', 'stop_requested', 'backing_off + stop', false],
    ['backing_off + deliver', 'backed_off', 'delivering', true],
    ['backing_off + stop', 'backed_off', 'finishing', true],

    ['finishing', 'woken', 'finishing + deliver', false],
    ['finishing', 'attempt_ended', 'finishing + deliver', false],
    ['finishing + deliver', 'attempts_over', 'noting + deliver', true],
    ['noting + deliver', 'round_found_work', 'stopped + deliver', true],
    ['noting', 'round_failed', 'stopped + deliver', true],
    ['stopped', 'woken', 'stopped + deliver', false],
    ['stopped', 'attempt_ended', 'stopped + deliver', false],
    ['stopped', 'stop_requested', 'stopped + stop', false],
  ])('that is %s, when %s, is %s', (before, event, after, begins) => {
    const expected = state(after)
    expect(afterEvent(state(before), event)).toEqual({ state: expected, begins: begins ? expected.phase : undefined })
  })

  it.each([
    [{ noted: 0, published: 0, claimed: 0, was_partial: false }, 'round_found_nothing'],
    [{ noted: 1, published: 0, claimed: 0, was_partial: false }, 'round_found_work'],
    [{ noted: 0, published: 499, claimed: 0, was_partial: false }, 'round_found_work'],
    [{ noted: 0, published: 0, claimed: 1, was_partial: false }, 'round_found_work'],
    [{ noted: 0, published: 0, claimed: 0, was_partial: true }, 'round_was_partial'],
    [{ noted: 0, published: 500, claimed: 0, was_partial: false }, 'round_was_partial'],
  ])('after %j: %s', (findings, end) => expect(roundEnd(findings)).toBe(end))

  it('continues after the last subscription of a full claim', () => {
    expect([2, 3].map((most) => nextAfter(['wsub_2', 'wsub_1'], most))).toEqual(['wsub_2', ''])
    expect(nextAfter([], 0)).toBe('')
  })

  it('creates deliveries for the room that remains after due ones', () => {
    const claim = { rooms: new Map([['wsub_1', 5]]), default_room: 10, most: 100 }
    const due = ['wsub_1', 'wsub_2', 'wsub_2'].map((subscription_id) => ({ subscription_id }))
    expect(leftOf(claim, due)).toEqual({
      ...claim,
      rooms: new Map([
        ['wsub_1', 4],
        ['wsub_2', 8],
      ]),
      most: 97,
    })
  })
})

it('a message follows Standard Webhooks, with one signature per secret', () => {
  const body = bodyOf({
    event_id: 'wevt_1',
    event_name: 'employee.created',
    resource_type: 'employee',
    resource_id: 'empl_1',
    organization_id: 'org_1',
    created_at: '2026-03-10T15:59:00.000Z',
    sequence: 1,
  })
  expect(body).toBe(
    '{"type":"employee.created","timestamp":"2026-03-10T15:59:00.000Z",' +
      '"data":{"event_id":"wevt_1","event_name":"employee.created","resource_type":"employee","resource_id":"empl_1",' +
      '"organization_id":"org_1","created_at":"2026-03-10T15:59:00.000Z","sequence":1}}',
  )
  const secrets = ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB']
  const headers = headersOf('wevt_1', body, secrets, now)
  expect(headers).toMatchObject({ 'webhook-id': 'wevt_1', 'webhook-timestamp': '1773158400' })
  const signatures = secrets.map((secret) => new Webhook(secret).sign('wevt_1', new Date(now), body))
  expect(headers['webhook-signature']).toBe(signatures.join(' '))
})
