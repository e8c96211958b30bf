import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { NewNote, NotePage } from 'openbenefits'
import { ob, operator, refetch } from '../../api.ts'
import { colleaguesQuery, pagedList, page_size } from '../../queries.ts'
import { isOperator, isRoleAllowed, session } from '../../session.ts'
import { Confirm } from '../form/confirm.tsx'
import { type Field, Form, type Values, FieldError } from '../form/form.tsx'
import { Timestamp, Empty, Section, Status, ErrorMessage, LoadingPlaceholder } from '../page/page.tsx'
import { loadedRows, useRows } from '../table/rows.ts'
import { MentionText } from './mention-text.tsx'
import { ambiguousMention, splitByMention, mentionPattern, addMentionNames } from './mentions.ts'

/** The employer or employee that the notes are about. */
type Subject = { employer_id: string } | { employee_id: string }
type Note = NotePage['data'][number]

const api = () => (isOperator() ? (operator as unknown as Pick<typeof ob, 'notes'>) : ob).notes

const notesOf = (subject: Subject) =>
  pagedList(['notes', subject], (paging, options) =>
    'employer_id' in subject
      ? api().listOfEmployer(subject.employer_id, paging, options)
      : api().listOfEmployee(subject.employee_id, paging, options),
  )

const roles_with_people = ['ADMIN', 'OPERATIONS', 'ENROLLMENT_AGENT']
const canWrite = () => !isOperator() || isRoleAllowed('administer')

/** The notes about an employer or an employee, newest first, with a form to add one. */
export function Notes({ of: subject }: { of: Subject }) {
  const [is_adding, setAdding] = useState(false)
  const list = notesOf(subject)
  const rows = useRows(list)
  const notes = loadedRows(rows)
  const total = rows.total ?? 0
  const add = async (note: NewNote) => {
    await ('employer_id' in subject
      ? api().addToEmployer(subject.employer_id, note)
      : api().addToEmployee(subject.employee_id, note))
    await refetch(list.key)
    setAdding(false)
  }
  return (
    <Section
      title={total > 0 ? `Notes: ${total}` : 'Notes'}
      actions={
        canWrite() && (
          <button type="button" className={is_adding ? 'plain' : 'button'} onClick={() => setAdding(!is_adding)}>
            {is_adding ? 'Close' : 'Add note'}
          </button>
        )
      }
    >
      {is_adding && <NoteForm subject={subject} send={add} button="Save note" />}
      {rows.error ? (
        <ErrorMessage error={rows.error} retry={rows.retry} />
      ) : rows.total === undefined ? (
        <LoadingPlaceholder lines={1} />
      ) : total === 0 ? (
        !is_adding && <Empty title="No notes yet.">Notes from your colleagues appear here, newest first.</Empty>
      ) : (
        <ol className="notes">
          {notes.map((note) => (
            <NoteItem key={note.id} of={note} subject={subject} refresh={() => refetch(list.key, ['tasks'])} />
          ))}
        </ol>
      )}
      {notes.length < total && (
        <button type="button" className="button more" onClick={() => rows.want(0, notes.length + page_size - 1)}>
          Show older notes
        </button>
      )}
    </Section>
  )
}

type NoteItemProps = { of: Note; subject: Subject; refresh: () => Promise<void> }

function NoteItem({ of: note, subject, refresh }: NoteItemProps) {
  const [editing, setEditing] = useState(false)
  const { apart } = splitByMention(note.text, note.mentions)
  const is_own = note.author_user_id === session.user.id && canWrite()
  // An admin can delete the notes of former members.
  const can_delete = is_own || (note.author === 'organization' && session.role === 'ADMIN')
  return (
    <li>
      <p className="note-head">
        <strong>{note.author_name ?? 'The operator'}</strong>
        <span className="quiet">
          <Timestamp of={note.created_at} />
          {note.edited_at && ', edited'}
        </span>
        {note.shared_with_employer && <Status of="Shared with the employer" tone="wait" />}
      </p>
      {editing ? (
        <NoteForm
          subject={subject}
          note={note}
          send={async (changes) => {
            await api().update(note.id, changes)
            await refresh()
            setEditing(false)
          }}
          button="Save changes"
        />
      ) : (
        <p className="note-text">{highlightMentions(note)}</p>
      )}
      {apart.length > 0 && <p className="quiet">{apart.map(renderMention)}</p>}
      {can_delete && (
        <div className="note-actions">
          {is_own && (
            <button type="button" className="button" onClick={() => setEditing(!editing)}>
              {editing ? 'Close' : 'Edit'}
            </button>
          )}
          {!editing && (
            <Confirm
              action="Delete"
              act={async () => {
                await api().delete(note.id)
                await refresh()
              }}
            >
              The note and the tasks of its mentions are deleted for everyone. You can’t undo this.
            </Confirm>
          )}
        </div>
      )}
    </li>
  )
}

const renderMention = ({ name, user_id, done_at }: Note['mentions'][number], at: number): ReactNode => (
  <span key={user_id}>
    {at > 0 && ', '}
    <span className="mention">@{name}</span>
    {done_at && ' (done)'}
  </span>
)

/** The text of a note with its mentions in color. */
const highlightMentions = ({ text, mentions }: Note): ReactNode[] =>
  text.split(mentionPattern(mentions)).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <Fragment key={at}>
        {renderMention(
          mentions.find(({ name }) => part === `@${name}`)!,
          0,
        )}
      </Fragment>
    ),
  )

type NoteFormProps = {
  subject: Subject
  note?: Note
  send: (note: NewNote) => Promise<void>
  button: string
}

/** Only members can mention each other. Operators do not see the members of the organization. */
function NoteForm({ subject, note, send, button }: NoteFormProps) {
  const members = useQuery({ ...colleaguesQuery(), enabled: !isOperator() })
  const current = (members.data ?? []).filter(
    ({ user_id, role }) =>
      user_id !== session.user.id && ('employer_id' in subject || roles_with_people.includes(role)),
  )
  // A note keeps the mentions of former members.
  const former = (note?.mentions ?? []).filter(({ user_id }) => !current.some((one) => one.user_id === user_id))
  const everyone = [...current, ...former]
  const options = addMentionNames(everyone)
  const fields: Field[] = [
    {
      name: 'text',
      label: 'Note',
      hint: options.length > 0 && 'Type @ to mention a colleague, who gets a task.',
      render: (input) => <MentionText {...input} members={options} />,
    },
    {
      name: 'shared',
      label: 'Visibility',
      kind: 'several',
      options: [['yes', 'Share with the employer']],
      hint: 'Your organization and the operator see the note. The employer sees it only if you share it.',
    },
  ]
  const initial = { text: note?.text ?? '', shared: note?.shared_with_employer ? 'yes' : '' }
  // Mentions of notes by API clients need not be in the text.
  const { apart } = splitByMention(initial.text, note?.mentions ?? [])
  const submit = async ({ text = '', shared = '' }: Values) => {
    const ambiguous = ambiguousMention(text, everyone)
    if (ambiguous)
      throw new FieldError('text', `Several colleagues are named ${ambiguous}. Type @ and choose one from the list.`)
    const mentioned = [...splitByMention(text, options).here, ...apart]
    const mentioned_user_ids = [...new Set(mentioned.map(({ user_id }) => user_id))]
    return send({
      text,
      shared_with_employer: shared === 'yes',
      // Only members get the list of people they can mention.
      ...(!isOperator() && { mentioned_user_ids: mentioned_user_ids as NonNullable<NewNote['mentioned_user_ids']> }),
    })
  }
  if (!isOperator() && !members.data && !members.error) return <LoadingPlaceholder lines={4} />
  return (
    <div className="note-form">
      <Form fields={fields} initial={initial} submit={submit} button={button} />
    </div>
  )
}
