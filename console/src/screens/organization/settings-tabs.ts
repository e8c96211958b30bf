import type { Tab } from '../../parts/page/page.tsx'
import { isRoleAllowed, session } from '../../session.ts'

/** The pages of the settings that the role may open. */
export const settingsTabs = (): Tab[] => [
  ...(isRoleAllowed('keys') ? [{ label: 'General', link: { to: '/settings' }, exact: true } as const] : []),
  ...(isRoleAllowed('keys') ? [{ label: 'Agreements', link: { to: '/settings/agreements' } } as const] : []),
  { label: 'Documents', link: { to: '/settings/documents' } },
  ...(isRoleAllowed('settings') ? [{ label: 'Scheduled exports', link: { to: '/settings/exports' } } as const] : []),
  ...(session.sandbox && isRoleAllowed('people')
    ? [{ label: 'Mailbox', link: { to: '/settings/mailbox' } } as const]
    : []),
]
