import type { Tab } from '../../parts/page.tsx'

/** What all pages for developers have in common. */
export const developer_tabs: Tab[] = [
  { label: 'API keys', link: { to: '/developers' }, exact: true },
  { label: 'Webhooks', link: { to: '/developers/webhooks' } },
  { label: 'Events', link: { to: '/developers/events' } },
]
