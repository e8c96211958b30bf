import { Webhook } from 'standardwebhooks'
import { afterEach, expect, vi } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import type { EventName } from '../../runtime/event-types.ts'
import { recordEvents } from '../../runtime/events.ts'
import type { Received, Receiver } from '../fakes/receiver.ts'
import type { Api } from '../harness.ts'
import { first } from '../pick.ts'

const path = '/v1/webhook-subscriptions' as const

/** The ids of the messages that a receiver got. */
export const idsOf = (receiver: Receiver) => receiver.received.map(({ id }) => id)

/** Manages webhook subscriptions that end with each test, and creates events for them. */
export function useWebhooks(api: Api) {
  const made: [id: string, key: string][] = []
  afterEach(async () => {
    for (const [id, key] of made.splice(0)) await api.call('DELETE', `${path}/${id}`, { key })
    await api.work()
  })

  const eventsOf = async (resource_id: string) =>
    (await api.get(`/v1/webhook-events?limit=100&resource_id=${resource_id}`)).body.data.toReversed()
  const deliveriesOf = async (event_id: string) =>
    (await api.get(`/v1/webhook-events/${event_id}/deliveries`)).body.data

  return {
    path,
    eventsOf,
    deliveriesOf,
    deliveryOf: async (resource_id: string) => first(await deliveriesOf(first(await eventsOf(resource_id)).id)),
    shown: async (id: string) => (await api.get(`${path}/${id}`)).body.data,

    async subscribe(url: string, input: object = {}, key = api.story.api_key): Promise<{ id: string; secret: string }> {
      const answer = await api.post(path, { url, ...input }, { key })
      expect(answer.status, answer.text).toBe(201)
      made.push([answer.body.data.id, key])
      return answer.body.data
    },

    /** Changes a new employee this many times and returns their id. */
    async happen(
      count = 1,
      event_name: EventName = 'employee.updated',
      organization_id = api.story.organization_id,
    ): Promise<string> {
      const resource_id = newId('empl')
      const facts = Array.from({ length: count }, () => ({ event_name, organization_id, resource_id }))
      await api.act((ctx) => recordEvents(ctx, facts))
      return resource_id
    },

    /** Verifies a webhook with the published library, with its clock set to ours. */
    verify(secret: string, { text, headers }: Received): unknown {
      vi.useFakeTimers({ toFake: ['Date'], now: api.runtime.clock() })
      try {
        return new Webhook(secret).verify(text, headers as Record<string, string>)
      } finally {
        vi.useRealTimers()
      }
    },
  }
}
