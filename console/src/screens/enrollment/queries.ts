import type { EmployeeId, EmployersListEnrollmentWindowPeopleQuery, NewEnrollmentReminders } from 'openbenefits'
import { ob } from '../../api.ts'
import { pagedList, resourceQuery } from '../../queries.ts'

/** The queries of the enrollment center. */

export const enrollmentWindowsQuery = (id: string) =>
  resourceQuery(['employers', id, 'enrollment', 'windows'], (options) => ob.enrollmentWindows.list(id, options))

type WindowPeopleFilter = Omit<EmployersListEnrollmentWindowPeopleQuery, 'limit' | 'page'>
export const windowPeopleList = (id: string, year_id: string, filter: WindowPeopleFilter) =>
  pagedList(['employers', id, 'enrollment', year_id, filter], (paging, options) =>
    ob.enrollmentWindows.listPeople(id, year_id, { ...filter, ...paging }, options),
  )
/** The recipients of a reminder, and the email. Never cached, because another user may have sent a reminder. */
export const reminderPreviewQuery = (id: string, request: NewEnrollmentReminders) => ({
  ...resourceQuery(['enrollment-reminders', id, request], (options) =>
    ob.enrollmentWindows.remind(id, { ...request, dry_run: true }, options),
  ),
  gcTime: 0,
})
/** The enrollment messages of an employer, or only the messages to one employee. */
export const enrollmentMessagesList = (id: string, employee_id?: EmployeeId) =>
  pagedList(['employers', id, 'enrollment', 'messages', employee_id], (paging, options) =>
    ob.enrollmentWindows.listMessages(id, { ...(employee_id && { employee_id }), ...paging }, options),
  )
/** The enrollment messages of all employers. */
export const allMessagesList = () =>
  pagedList(['enrollment-messages'], (paging, options) => ob.enrollmentWindows.listAllMessages(paging, options))
export const enrollmentMessageQuery = (message_id: string) =>
  resourceQuery(['enrollment-messages', message_id], (options) => ob.enrollmentWindows.getMessage(message_id, options))
export const enrollmentScheduleQuery = (id: string) =>
  resourceQuery(['employers', id, 'enrollment', 'schedule'], (options) => ob.enrollmentWindows.getSchedule(id, options))
