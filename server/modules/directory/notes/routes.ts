import { Paging } from '../../../kernel/pages.ts'
import {
  alsoForOperators,
  changed,
  data,
  dataOf,
  endpoint,
  for_operators,
  made,
  partner,
} from '../../../http/endpoint.ts'
import { enrolling, everyone } from '../../../runtime/permissions.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { addNote, editNote, markMention, removeNote } from './actions.ts'
import { findLocatedNote, findNote, listNotesOfEmployee, listNotesOfEmployer } from './queries.ts'
import { refusals, seesPeople, type LocatedNote } from './rules.ts'
import { DeletedNote, MentionChange, NewNote, NoteChanges, NotePage, ShownNote } from './schemas.ts'

const tag = 'Notes'
const of_employer = {
  tag,
  path: '/v1/employers/{employer_id}/notes',
  locate: locateEmployer,
  roles: everyone,
} as const
const of_employee = {
  tag,
  path: '/v1/employees/{employee_id}/notes',
  locate: locateEmployee,
  roles: enrolling,
} as const

/** A note that the caller sees. Notes about employees do not exist for roles that do not see employees. */
async function locateNote(ctx: ReadCtx, { note_id }: { note_id: string }): Promise<LocatedNote | undefined> {
  const note = await findLocatedNote(ctx, { note_id })
  return note && (note.employee_id === null || seesPeople(ctx.caller, note.organization_id)) ? note : undefined
}

const of_note = {
  tag,
  path: '/v1/notes/{note_id}',
  allows: partner,
  roles: everyone,
  scopes: ['write'],
  locate: locateNote,
  locks: 'employer',
  refuses: [refusals.note_of_another_author],
} as const

const visibility =
  'Members of the organization and operators see all notes. With a token bound to the employer, the list has only ' +
  'the notes that are shared with the employer, without mentions.'

const author_rights =
  'You become the author of the note. Only you can change it. You can delete it, and an `ADMIN` of the organization ' +
  'can delete the notes of its members.'

const example = { text: 'Ada prefers calls before 10 am.', shared_with_employer: false }

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      ...of_employer,
      operation: 'employers_list_notes',
      sdk: 'notes.listOfEmployer',
      method: 'GET',
      summary: 'List the notes about an employer',
      description: `Lists the notes, newest first. ${visibility}`,
      allows: [...partner, 'employer_token'],
      scopes: ['read'],
      query: Paging,
      returns: { 200: NotePage },
      handle: (ctx, { params, query }) => listNotesOfEmployer(ctx, params.employer_id, query),
    }),
    { operation: 'operator_list_employer_notes', ...for_operators.read },
  ),
  ...alsoForOperators(
    endpoint({
      ...of_employer,
      operation: 'employers_add_note',
      sdk: 'notes.addToEmployer',
      method: 'POST',
      summary: 'Add a note about an employer',
      description: author_rights,
      allows: partner,
      scopes: ['write'],
      locks: 'employer',
      body: NewNote,
      returns: { 201: dataOf(ShownNote) },
      example,
      handle: async (ctx, { located, body }) => made(await addNote(ctx, located, body), (id) => findNote(ctx, id)),
    }),
    { operation: 'operator_add_employer_note', ...for_operators.administer },
  ),
  ...alsoForOperators(
    endpoint({
      ...of_employee,
      operation: 'employees_list_notes',
      sdk: 'notes.listOfEmployee',
      method: 'GET',
      summary: 'List the notes about an employee',
      description: `Lists the notes about this employment, newest first. ${visibility}`,
      allows: [...partner, 'employer_token'],
      scopes: ['read', 'people'],
      query: Paging,
      returns: { 200: NotePage },
      handle: (ctx, { params, query }) => listNotesOfEmployee(ctx, params.employee_id, query),
    }),
    { operation: 'operator_list_employee_notes', ...for_operators.read },
  ),
  ...alsoForOperators(
    endpoint({
      ...of_employee,
      operation: 'employees_add_note',
      sdk: 'notes.addToEmployee',
      method: 'POST',
      summary: 'Add a note about an employee',
      description: author_rights,
      allows: partner,
      scopes: ['write', 'people'],
      locks: 'employer',
      body: NewNote,
      returns: { 201: dataOf(ShownNote) },
      example,
      handle: async (ctx, { located, body }) => made(await addNote(ctx, located, body), (id) => findNote(ctx, id)),
    }),
    { operation: 'operator_add_employee_note', ...for_operators.administer },
  ),
  ...alsoForOperators(
    endpoint({
      ...of_note,
      operation: 'notes_update',
      method: 'PATCH',
      summary: 'Change a note',
      description: 'Changes a note that you wrote.',
      body: NoteChanges,
      returns: { 200: dataOf(ShownNote) },
      example: { shared_with_employer: true },
      handle: (ctx, { located, body }) => changed(editNote(ctx, located, body), () => findNote(ctx, located.note_id)),
    }),
    { operation: 'operator_update_note', ...for_operators.administer },
  ),
  ...alsoForOperators(
    endpoint({
      ...of_note,
      operation: 'notes_delete',
      method: 'DELETE',
      summary: 'Delete a note',
      description:
        'Deletes a note that you wrote, with the tasks of its mentions. Its text is not kept. An `ADMIN` can also ' +
        'delete the notes of other members, but not those of operators.',
      returns: { 200: dataOf(DeletedNote) },
      handle: async (ctx, { located }) =>
        data((await removeNote(ctx, located)) ? JSON.stringify({ id: located.note_id }) : undefined),
    }),
    { operation: 'operator_delete_note', ...for_operators.administer },
  ),
  endpoint({
    ...of_note,
    operation: 'notes_mark_mention',
    method: 'PUT',
    path: '/v1/notes/{note_id}/mention',
    summary: 'Mark your mention in a note as done',
    description: 'Completes the task that your mention opened, or opens it again.',
    body: MentionChange,
    returns: { 200: dataOf(ShownNote) },
    refuses: [refusals.not_mentioned],
    example: { done: true },
    handle: (ctx, { located, body }) =>
      changed(markMention(ctx, located, body.done), () => findNote(ctx, located.note_id)),
  }),
]
