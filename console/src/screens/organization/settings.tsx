import { useQuery } from '@tanstack/react-query'
import type { EnrollmentMessageSettings, EnrollmentMessageSettingsChange } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { type Field, Form, type Values } from '../../parts/form/form.tsx'
import { Facts, Loaded, Page, Section } from '../../parts/page/page.tsx'
import { credentialQuery, resourceQuery } from '../../queries.ts'
import { settingsTabs } from './settings-tabs.ts'

const messageSettingsQuery = () =>
  resourceQuery(['message-settings'], (options) => ob.enrollmentWindows.getMessageSettings(options))

const deliveries: Record<EnrollmentMessageSettings['delivery'], string> = {
  smtp: 'Through the mail server of the installation',
  mailbox: 'Off: a sandbox shows messages but sends nothing',
  none: 'Unavailable: the installation has no mail server',
}

const settingFields = ({ delivery }: EnrollmentMessageSettings): Field[] => [
  {
    name: 'enrollment_messages',
    label: 'Sent by',
    options: [
      ...(delivery === 'none' ? [] : [['send', 'This service, as email'] as const]),
      ['events', 'Your own systems, from webhook events'],
    ],
    hint: 'With webhook events, your own systems send each invitation and reminder.',
  },
  {
    name: 'sender_name',
    label: 'Sender name',
    required: false,
    hint: 'Leave empty to use the name of your organization.',
  },
  { name: 'reply_to', label: 'Reply-to address', kind: 'email', required: false },
  {
    name: 'language',
    label: 'Language',
    options: [
      ['both', 'English and Spanish'],
      ['en', 'English'],
      ['es', 'Spanish'],
    ],
  },
  {
    name: 'dashboard_url',
    label: 'Link to your benefits page',
    kind: 'url',
    required: false,
    hint: '{token} is replaced with a one-time token. Leave empty to use the page of this service.',
  },
]

/** The settings of the organization: enrollment messages, and the color of emails and widgets. */
export function OrganizationSettings() {
  const settings = useQuery(messageSettingsQuery())
  const known = useQuery(credentialQuery())
  return (
    <Page title="Settings" tabs={settingsTabs()}>
      <Section title="Enrollment messages">
        <Loaded query={settings} lines={8}>
          {(found) => {
            const fields = settingFields(found)
            const initial = Object.fromEntries(
              fields.map(({ name }) => [name, found[name as keyof typeof found] ?? '']),
            ) as Values
            const save = async (values: Values) => {
              const changed = Object.entries(values).filter(([name, value]) => value.trim() !== initial[name])
              const change = Object.fromEntries(changed.map(([name, value]) => [name, value.trim() || null]))
              await ob.enrollmentWindows.setMessageSettings(change as EnrollmentMessageSettingsChange)
              await refetch(messageSettingsQuery().queryKey)
            }
            return (
              <>
                <Facts of={[['Delivery', deliveries[found.delivery]]]} />
                <Form fields={fields} initial={initial} submit={save} button="Save messages" />
              </>
            )
          }}
        </Loaded>
      </Section>
      <Section title="Branding">
        <Loaded query={known} lines={2}>
          {({ organization }) => (
            <Form
              fields={[
                {
                  name: 'accent_color',
                  label: 'Accent color',
                  required: false,
                  hint: 'For emails and widgets, such as #2748b3. Leave empty for the default.',
                },
              ]}
              initial={{ accent_color: organization?.accent_color ?? '' }}
              submit={async ({ accent_color = '' }) => {
                await ob.organizations.setBranding({ accent_color: accent_color.trim() || null })
                await refetch(credentialQuery().queryKey)
              }}
              button="Save branding"
              is_secondary
            />
          )}
        </Loaded>
      </Section>
    </Page>
  )
}
