import { newId } from '../../../kernel/ids.ts'
import { invalid, refuse } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { deleteNote, insertNote, listMentionable, saveMentions, saveMentionState, saveNote } from './queries.ts'
import { refusals, whyNotDelete, whyNotEdit, type LocatedNote } from './rules.ts'
import type { NewNote, NoteChanges } from './schemas.ts'

/** The employer or the employee that a note is about. */
type Subject = { organization_id: string; employer_id: string; employee_id?: string | null }

type StoredNote = { note_id: string; organization_id: string; employer_id: string; employee_id: string | null }

/** Saves the mentions of a note, and publishes an event if there is a new mention. */
async function mention(ctx: Ctx, note: StoredNote, user_ids: string[]): Promise<void> {
  const { organization_id, employer_id, employee_id } = note
  const known = await listMentionable(ctx, note, user_ids)
  const faults = user_ids.flatMap((id, index) =>
    known.includes(id)
      ? []
      : [{ field: `mentioned_user_ids[${index}]`, message: 'is not a member of the organization who sees the note' }],
  )
  if (faults.length > 0) throw invalid(...faults)
  if (!(await saveMentions(ctx, note, user_ids))) return
  await recordEvents(ctx, [
    employee_id === null
      ? { event_name: 'employer.user_mentioned', organization_id, resource_id: employer_id }
      : { event_name: 'employee.user_mentioned', organization_id, resource_id: employee_id },
  ])
}

/** Adds a note about an employer or an employee, and returns its id. */
export async function addNote(ctx: Ctx, subject: Subject, input: NewNote): Promise<string> {
  const { organization_id, employer_id, employee_id = null } = subject
  const note = { note_id: newId('note'), organization_id, employer_id, employee_id }
  await insertNote(ctx, {
    ...note,
    author_user_id: ctx.caller.user_id!,
    by_operator: ctx.caller.operator_role !== null,
    text: input.text,
    shared_with_employer: input.shared_with_employer ?? false,
  })
  await mention(ctx, note, input.mentioned_user_ids ?? [])
  return note.note_id
}

export async function editNote(ctx: Ctx, note: LocatedNote, changes: NoteChanges): Promise<void> {
  refuse(whyNotEdit(ctx.caller, note))
  const { text = null, shared_with_employer = null, mentioned_user_ids } = changes
  await saveNote(ctx, note, { text, shared_with_employer })
  if (mentioned_user_ids !== undefined) await mention(ctx, note, mentioned_user_ids)
}

/** Deletes a note. Its text is not kept. Returns false if another request has deleted it. */
export async function removeNote(ctx: Ctx, note: LocatedNote): Promise<boolean> {
  refuse(whyNotDelete(ctx.caller, note))
  return deleteNote(ctx, note)
}

/** Completes or reopens the task of the mentioned caller. */
export async function markMention(ctx: Ctx, note: LocatedNote, is_done: boolean): Promise<void> {
  const is_mentioned = await saveMentionState(ctx, note, { user_id: ctx.caller.user_id!, done: is_done })
  refuse(is_mentioned ? undefined : refusals.not_mentioned)
}
