import type { Tab } from '../../parts/page/page.tsx'

/** The header and tabs of the developer pages. */
export const developer_tabs: Tab[] = [
  { label: 'API keys', link: { to: '/developers' }, exact: true },
  { label: 'Webhooks', link: { to: '/developers/webhooks' } },
  { label: 'Events', link: { to: '/developers/events' } },
]
