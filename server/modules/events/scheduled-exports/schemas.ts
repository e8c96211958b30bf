import { export_lists } from 'openbenefits/list-columns'
import { z } from 'zod'
import { ResponseDay, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { delivery_statuses, failure_reasons, formats, frequencies, max_recipients, max_rows } from './rules.ts'

type ListName = keyof typeof export_lists
const list_names = Object.keys(export_lists) as [ListName, ...ListName[]]

const List = z.enum(list_names).meta({
  id: 'ExportList',
  description:
    'The exported list: ' +
    Object.entries(export_lists)
      .map(([name, { operation }]) => `${name}: the rows of \`${operation}\`.`)
      .join(' '),
})
const Format = z.enum(formats).meta({ id: 'ExportFormat', description: 'The format of the file: CSV or Excel.' })
const FrequencyName = z.enum(frequencies).meta({
  id: 'ExportFrequency',
  description: 'daily: every day. weekly: on Mondays. monthly: on the first of the month.',
})
const Parameters = z
  .record(z.string().max(60), z.union([z.string().max(500), z.array(z.string().max(500)).max(50)]))
  .refine((value) => Object.keys(value).length <= 20, 'must have at most 20 parameters')

const words = {
  name: 'The name of the export, which becomes the subject of the emails.',
  parameters:
    'The parameters of the list as in its URL: the ids of its path, such as `employer_id`, and its filters. A filter ' +
    'with several values is an array.',
  recipients:
    'The members of your organization who receive the file. Their role must allow reading the list. Each file has ' +
    'only what its recipient may see.',
}

const recipient_user_ids = z.array(Id('usr')).min(1).max(max_recipients)

export const NewScheduledExport = z
  .object({
    name: text(100).meta({ description: words.name, example: 'Employers, each Monday' }),
    list: List,
    parameters: optional(Parameters).meta({ description: `${words.parameters} The default is the whole list.` }),
    format: Format,
    frequency: FrequencyName,
    recipient_user_ids: optional(recipient_user_ids).meta({
      description: `${words.recipients} The default is your own user.`,
    }),
  })
  .meta({ id: 'NewScheduledExport' })
export type NewScheduledExport = z.output<typeof NewScheduledExport>

const Delivery = z
  .object({
    user_id: Id('usr'),
    name: z.string().meta({ description: 'The name of the recipient.' }),
    status: z.enum(delivery_statuses).meta({
      id: 'ExportDeliveryStatus',
      description:
        'queued: waits to be sent. sending: is being sent. sent: the mail server accepted it. not_sent: a sandbox ' +
        'sends no email. failed: see `reason`.',
    }),
    reason: z
      .enum(failure_reasons)
      .nullable()
      .meta({
        description:
          'no_access: the recipient is no longer a member whose role can read the list. no_email: the recipient has ' +
          'no email address. list_not_found: the employer or plan year no longer exists. too_many_rows: the list has ' +
          `more than ${max_rows.toLocaleString('en-US')} rows. bounced: the mail server refused the address. ` +
          'refused: it ' +
          'refused the message. interrupted: the connection broke while it was sent. not_accepted: the mail server ' +
          'postponed it for 3 days.',
        on_null: 'Null unless it failed.',
      }),
    row_count: z.int().nullable().meta({ description: 'The number of rows. Null until the file exists.' }),
    finished_at: Timestamp.nullable().meta({ description: 'When it was sent or failed. Null until then.' }),
  })
  .meta({ id: 'ExportDelivery', description: 'The file of a recipient on a day.' })

export const ScheduledExport = z
  .object({
    id: Id('sexp').meta({ description: 'The scheduled export.' }),
    name: z.string().meta({ description: words.name }),
    list: List,
    parameters: Parameters.meta({ description: words.parameters }),
    format: Format,
    frequency: FrequencyName,
    recipients: z
      .array(
        z.object({
          user_id: Id('usr'),
          name: z.string().meta({ description: 'The name of the member.' }),
          email: z.string().nullable().meta({ description: 'The email address. Null if unknown.' }),
        }),
      )
      .meta({ description: words.recipients }),
    next_on: ResponseDay.meta({ description: 'The next day on which the file is sent.' }),
    latest_on: ResponseDay.nullable().meta({
      description: 'The last day on which the file was sent. Null if it was never due.',
    }),
    latest_deliveries: z.array(Delivery).meta({ description: 'The deliveries of that day, by recipient.' }),
    created_by: Id('usr').nullable().meta({
      description: 'The user who created it. Null if the credential had no user.',
    }),
    created_at: Timestamp,
  })
  .meta({ id: 'ScheduledExport', description: 'A list that is sent by email on a schedule.' })

export const ScheduledExportPage = pageOf('ScheduledExportPage', ScheduledExport)

export const DeletedScheduledExport = z
  .object({ id: Id('sexp').meta({ description: 'The deleted export.' }) })
  .meta({ id: 'DeletedScheduledExport' })
