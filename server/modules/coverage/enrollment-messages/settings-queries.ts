import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { MessageLanguage, MessageMode } from './rules.ts'

/** The stored settings. `enrollment_messages` is null if the organization has not chosen. */
export type StoredSettings = {
  sandbox: boolean
  organization_name: string
  accent_color: string | null
  enrollment_messages: MessageMode | null
  sender_name: string | null
  reply_to: string | null
  dashboard_url: string | null
  language: MessageLanguage
  updated_at: string | null
}

/** SQL: the fields of `StoredSettings`, from rows `organization` and `settings`. */
export const settingFields = `
  organization.sandbox, organization.name as organization_name, organization.accent_color,
  settings.enrollment_messages, settings.sender_name, settings.reply_to, settings.dashboard_url,
  coalesce(settings.language, 'both') as language, iso(settings.updated_at) as updated_at`

/** The settings of an organization. Undefined if it is out of reach. */
export const findSettings = read(
  'enrollment-messages.findSettings',
  `select ${settingFields}
     from organizations as organization
     left join enrollment_message_settings as settings on settings.organization_id = organization.id
    where organization.id = :organization_id and ${inReach('organization.id', ':reach_employer_id')}`,
).row<StoredSettings>

export const saveSettings = statement(
  'enrollment-messages.saveSettings',
  `insert into enrollment_message_settings
     (organization_id, enrollment_messages, sender_name, reply_to, dashboard_url, language, updated_at)
   values (:organization_id, :enrollment_messages, :sender_name, :reply_to, :dashboard_url, :language, :now)
   on conflict (organization_id) do update
     set enrollment_messages = :enrollment_messages, sender_name = :sender_name, reply_to = :reply_to,
         dashboard_url = :dashboard_url, language = :language, updated_at = :now`,
).rows
