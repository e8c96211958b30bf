import { z } from 'zod'
import { Id, optional, paragraphs, Timestamp } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { max_characters, max_mentions } from './rules.ts'

const Text = paragraphs(max_characters)
const mentions = z.array(Id('usr')).max(max_mentions)

const words = {
  text: 'The note as plain text. Line breaks are kept, and markup is not interpreted.',
  shared_with_employer:
    'Whether the employer sees the note, with tokens bound to it. Otherwise only your organization and the operator ' +
    'see it.',
  mentioned_user_ids:
    'The members of your organization whom the note mentions. Each of them gets a task. `GET ' +
    '/v1/organization-members` lists them. A note about an employee can mention only roles that see employees.',
}

export const NewNote = z
  .object({
    text: Text.meta({ description: words.text, example: 'Ada prefers calls before 10 am.' }),
    shared_with_employer: optional(z.boolean()).meta({
      description: `${words.shared_with_employer} The default is false.`,
    }),
    mentioned_user_ids: optional(mentions).meta({ description: words.mentioned_user_ids }),
  })
  .meta({ id: 'NewNote' })
export type NewNote = z.output<typeof NewNote>

export const NoteChanges = z
  .object({
    text: optional(Text).meta({ description: words.text }),
    shared_with_employer: optional(z.boolean()).meta({ description: words.shared_with_employer }),
    mentioned_user_ids: optional(mentions).meta({
      description:
        `${words.mentioned_user_ids} Replaces the mentions. Tasks of remaining mentions are kept, and former members ` +
        'can stay mentioned.',
    }),
  })
  .meta({ id: 'NoteChanges', description: 'Only the fields you send change.' })
export type NoteChanges = z.output<typeof NoteChanges>

const Note = z
  .object({
    id: Id('note').meta({ description: 'The note.' }),
    employer_id: Id('empr'),
    employee_id: Id('empl').nullable().meta({
      description: 'The employee that the note is about. Null if it is about the employer.',
    }),
    text: z.string().meta({ description: words.text }),
    shared_with_employer: z.boolean().meta({ description: words.shared_with_employer }),
    author: z
      .enum(['organization', 'operator'])
      .meta({ id: 'NoteAuthor', description: 'The party that wrote the note.' }),
    author_user_id: Id('usr')
      .nullable()
      .meta({
        description:
          'The user who wrote the note. Null if an operator wrote it, unless you are one; for operators, null if a ' +
          'member wrote it. Null for tokens bound to an employer.',
      }),
    author_name: z.string().nullable().meta({
      description: 'The name of the author. Null if an operator wrote the note, unless you are an operator.',
    }),
    mentions: z
      .array(
        z.object({
          user_id: Id('usr'),
          name: z.string().meta({ description: 'The name of the member.' }),
          done_at: Timestamp.nullable().meta({
            description: 'When the member marked the mention as done. Null until then.',
          }),
        }),
      )
      .meta({ description: 'The mentioned members. Empty for tokens bound to an employer.' }),
    created_at: Timestamp,
    edited_at: Timestamp.nullable().meta({
      description: 'When the text was last changed. Null if it was never changed.',
    }),
  })
  .meta({ id: 'Note', description: 'A note about an employer or an employee.' })

export const ShownNote = Note
export const NotePage = pageOf('NotePage', Note)

export const MentionChange = z
  .object({ done: z.boolean().meta({ description: 'True completes your task. False opens it again.' }) })
  .meta({ id: 'MentionChange' })

export const DeletedNote = z
  .object({ id: Id('note').meta({ description: 'The deleted note.' }) })
  .meta({ id: 'DeletedNote' })
