import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { EmployeeId, EnrollmentMessage } from 'openbenefits'
import { useState } from 'react'
import { Timestamp, Empty, Facts, Loaded, Dash, Page, Section, Status } from '../../parts/page/page.tsx'
import { HereLink } from '../../parts/page/links.tsx'
import { takeFocus } from '../../parts/page/interaction.ts'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { formatDay, toSentence } from '../../format.ts'
import { settingsTabs } from '../organization/settings-tabs.ts'
import { allMessagesList, enrollmentMessageQuery, enrollmentMessagesList } from './queries.ts'

const tones = {
  published: 'good',
  queued: 'wait',
  sending: 'wait',
  sent: 'good',
  failed: 'bad',
  cancelled: 'over',
} as const

const occasions: Record<EnrollmentMessage['occasion'], string> = {
  request: 'By request',
  opening: 'Window opened',
  half_way: 'Halfway',
  three_days_before: '3 days before',
  one_day_before: '1 day before',
}

const memberName = ({ member_first_name, member_last_name }: EnrollmentMessage) =>
  `${member_first_name} ${member_last_name}`

type ListedMessage = EnrollmentMessage & { employer_name?: string }

/** The columns of a list of messages: to one person, to the people of an employer, or to those of all employers. */
const columnsOf = (list: 'person' | 'employer' | 'all'): Column<ListedMessage>[] => [
  {
    name: list === 'person' ? 'Message' : 'Person',
    width: 24,
    phone: 44,
    cell: (message) => (
      <HereLink className="row-link" change={{ message: message.id }}>
        {list === 'person' ? toSentence(message.kind) : memberName(message)}
      </HereLink>
    ),
  },
  ...(list === 'all'
    ? [{ name: 'Employer', only: 'middle', cell: (row: ListedMessage) => row.employer_name } as const]
    : []),
  ...(list === 'person' ? [] : [{ name: 'Message', cell: ({ kind }: ListedMessage) => toSentence(kind) }]),
  { name: 'Occasion', only: 'middle', cell: ({ occasion }) => occasions[occasion] },
  {
    name: 'State',
    cell: ({ status, reason }) => (
      <>
        <Status of={status} tone={tones[status]} /> {reason && <span className="quiet">{toSentence(reason)}</span>}
      </>
    ),
  },
  { name: 'Email', width: 24, only: 'wide', cell: ({ email }) => email ?? <Dash /> },
  { name: 'Day', align: 'end', only: 'middle', cell: ({ due_on }) => formatDay(due_on) },
]

const exported: ExportColumn<EnrollmentMessage>[] = [
  { name: 'Person', of: memberName },
  { name: 'Message', of: ({ kind }) => toSentence(kind) },
  { name: 'Occasion', of: ({ occasion }) => occasions[occasion] },
  { name: 'State', of: ({ status }) => toSentence(status) },
  { name: 'Reason', of: ({ reason }) => reason && toSentence(reason) },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Day', kind: 'day', of: ({ due_on }) => due_on },
]

const isUnderWay = (messages: EnrollmentMessage[]) =>
  messages.some(({ status }) => status === 'queued' || status === 'sending')

/** Shows an email as mail programs do, without scripts. Its links open a new page. */
const EmailFrame = ({ of }: { of: { subject: string; download_url: string } }) => {
  // A refetch returns another link to the same email.
  const [url] = useState(of.download_url)
  return (
    <>
      <p>
        <strong>{of.subject}</strong>
      </p>
      <iframe className="email" title="Email" sandbox="allow-popups allow-popups-to-escape-sandbox" src={url} />
    </>
  )
}

type MessagesProps = { employer_id: string; employee_id?: EmployeeId }

/**
 * The history of invitations and reminders, of an employer or to one person. In a sandbox, a message shows the email
 * that would be sent.
 */
export function Messages({ employer_id, employee_id }: MessagesProps) {
  const { message } = useSearch({ strict: false })
  const list = enrollmentMessagesList(employer_id, employee_id)
  const rows = useRows(list, isUnderWay)
  return (
    <>
      {message && <MessagePreview key={message} id={message} />}
      <Section title="Sent messages" actions={<Export name="messages" list={list} columns={exported} />}>
        <Table
          label="Sent messages"
          columns={columnsOf(employee_id === undefined ? 'employer' : 'person')}
          rows={rows}
          isChosen={({ id }) => id === message}
          empty={<Empty title="No messages yet.">Invitations and reminders appear here with their state.</Empty>}
        />
      </Section>
    </>
  )
}

/** The emails to employees of all employers of a sandbox, which sends none. */
export function Mailbox() {
  const { message } = useSearch({ strict: false })
  const rows = useRows(allMessagesList(), isUnderWay)
  return (
    <Page title="Settings" tabs={settingsTabs()}>
      {message && <MessagePreview key={message} id={message} />}
      <Section title="Mailbox">
        <p className="quiet note">A sandbox sends no email. These messages would have been sent to employees.</p>
        <Table
          label="Mailbox"
          columns={columnsOf('all')}
          rows={rows}
          isChosen={({ id }) => id === message}
          empty={<Empty title="No messages yet.">Remind employees in the enrollment center of an employer.</Empty>}
        />
      </Section>
    </Page>
  )
}

function MessagePreview({ id }: { id: string }) {
  const found = useQuery(enrollmentMessageQuery(id))
  return (
    <section className="section">
      <div className="section-head">
        <h2 tabIndex={-1} ref={takeFocus}>
          {found.data ? `${toSentence(found.data.kind)} to ${memberName(found.data)}` : 'Message'}
        </h2>
        <HereLink className="plain" change={{ message: undefined }}>
          Close
        </HereLink>
      </div>
      <Loaded query={found} lines={6}>
        {(message) => (
          <>
            <Facts
              of={[
                ['State', <Status of={message.status} tone={tones[message.status]} />],
                ['Occasion', occasions[message.occasion]],
                ['Email', message.email],
                ['Created', <Timestamp of={message.created_at} />],
                ['Link opened', message.link_used_at && <Timestamp of={message.link_used_at} />],
                [
                  'Person',
                  <Link to="/people/$employee_id" params={{ employee_id: message.employee_id }}>
                    {memberName(message)}
                  </Link>,
                ],
              ]}
            />
            {message.content && (
              <div className="enrollment-parts">
                <EmailFrame of={message.content} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
