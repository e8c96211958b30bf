import type { Tab } from '../../parts/page/page.tsx'
import { may, session } from '../../session.ts'

/** The pages of the settings that the role may open. */
export const settingsTabs = (): Tab[] => [
  ...(may('keys') ? [{ label: 'General', link: { to: '/settings' }, exact: true } as const] : []),
  ...(may('keys') ? [{ label: 'Agreements', link: { to: '/settings/agreements' } } as const] : []),
  { label: 'Documents', link: { to: '/settings/documents' } },
  ...(may('settings') ? [{ label: 'Scheduled exports', link: { to: '/settings/exports' } } as const] : []),
  ...(session.sandbox && may('people') ? [{ label: 'Mailbox', link: { to: '/settings/mailbox' } } as const] : []),
]
