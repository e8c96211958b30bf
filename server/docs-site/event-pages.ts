import { exampleOf, type Webhooks } from '../http/openapi/openapi-webhooks.ts'
import type { DocsPage } from './site.ts'

/** What events are about, in the words of a heading, by the beginning of their names. */
const subjects: Record<string, string> = {
  employer: 'Employers',
  employee: 'Employees',
  dependent: 'Dependents',
  enrollment: 'Enrollments',
  benefit_plan_year: 'Plan years',
  census_sync: 'Censuses',
  group_member_sync: 'Groups',
  invoice: 'Invoices',
  api_key: 'API keys',
  webhook_subscription: 'Subscriptions',
}

const subjectOf = (name: string): string => name.split('.')[0]!

function eventOf(name: string, [of, happened]: Webhooks['events'][string]): string {
  const example = JSON.stringify(exampleOf(name, of))
  const ask = `curl -s -X POST "$URL/v1/webhook-subscriptions/$SUBSCRIPTION/test?event_name=${name}" -H "$AUTH"`
  return [
    `### ${name}\n\n${happened}`,
    `\`\`\`json tab="What is sent"\n${example}\n\`\`\``,
    `\`\`\`sh tab="Send me one"\n${ask}\n\`\`\``,
  ].join('\n\n')
}

/** The reader puts an address of theirs. */
const subscribe = [
  `SUBSCRIPTION=$(curl -s $URL/v1/webhook-subscriptions -H "$AUTH" -H "$JSON" \\`,
  `  -d '{ "url": "https://example.com/hooks" }' | field data.id)`,
].join('\n')

/** The page of all events: when each happens, and what is sent then. */
export function eventDocs({ events }: Webhooks): DocsPage[] {
  const all = Object.entries(events)
  const groups = Map.groupBy(all, ([name]) => subjectOf(name))
  const chapters = Object.entries(subjects).map(([subject, title]) => {
    const those = groups.get(subject) ?? []
    return `## ${title}\n\n${those.map(([name, event]) => eventOf(name, event)).join('\n\n')}`
  })
  const markdown = [
    '# Events',
    'What happens in an organization is told by events, each of them with the change that it tells of. ' +
      'They say that something happened and to what, and nothing about people: read the resource to learn what it is ' +
      'now. How they are sent, signed and repeated is told in [Webhooks](/docs/webhooks).',
    '**Send me one.** Subscribe an address of yours, then ask for any event below: the newest of its name is sent ' +
      'there as it was, signed, and to nobody else. In a sandbox most of them have happened already; ' +
      '`npx openbenefits listen` shows events as they happen without an address.',
    `\`\`\`sh\n${subscribe}\n\`\`\``,
    ...chapters,
    '',
  ].join('\n\n')
  return [{ path: '/docs/events', title: 'Events', markdown: () => markdown, script: 'events.js' }]
}
