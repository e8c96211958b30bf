import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import type { EmployerRow, FoundDependent, Member } from 'openbenefits'
import { useDeferredValue, useState } from 'react'
import { ob, operator } from '../api.ts'
import { fullName, toSentence } from '../format.ts'
import { afterPaint } from '../parts/page/interaction.ts'
import { min_search_length, people_search_hint } from '../queries.ts'
import { type Area, isOperator, isRoleAllowed } from '../session.ts'

type PaletteItem = { id: string; label: string; about: string; link: LinkProps }
type Group = { value: string; items: PaletteItem[] }

const max_results = 6

/** The type of a resource, from the prefix of its id. */
function findById(text: string, is_member: boolean): PaletteItem[] {
  const id = text.trim()
  const page: Record<string, LinkProps> = is_member
    ? {
        empr: { to: '/employers/$employer_id', params: { employer_id: id } },
        empl: { to: '/people/$employee_id', params: { employee_id: id } },
        grp: { to: '/groups/$group_id', params: { group_id: id } },
        key: { to: '/developers/keys/$key_id', params: { key_id: id } },
        wevt: { to: '/developers/events/$event_id', params: { event_id: id } },
      }
    : {
        empl: { to: '/people/$employee_id', params: { employee_id: id } },
        org: { to: '/partners/$organization_id', params: { organization_id: id } },
        empr: { to: '/partners/employers/$employer_id', params: { employer_id: id } },
        usr: { to: '/access/users/$user_id', params: { user_id: id } },
        hrun: { to: '/partners/runs/$run_id', params: { run_id: id } },
      }
  const link = page[id.split('_')[0]!]
  return link && /^[a-z]+_[0-9a-z]{26}$/.test(id) ? [{ id, label: id, about: 'Open by id', link }] : []
}

type PageItem = { to: LinkProps['to']; label: string; about: string; area?: Area }

const operator_pages: PageItem[] = [
  { to: '/today', label: 'Today', about: 'Open tasks' },
  { to: '/partners', label: 'Partners', about: 'Organizations' },
  { to: '/people', label: 'People', about: 'Of all partners' },
  { to: '/affordability', label: 'Affordability figures', about: 'ICHRA and MVP, by year' },
  { to: '/jobs', label: 'Jobs', about: 'Background jobs' },
  { to: '/access', label: 'Users', about: 'Users and roles' },
  { to: '/access/operators', label: 'Operators', about: 'Users and roles' },
  { to: '/audit', label: 'Audit log', about: 'All requests and changes' },
  { to: '/clocks', label: 'Move a test clock', about: 'Sandbox' },
]
const member_pages: PageItem[] = [
  { to: '/', label: 'Today', about: 'Open tasks' },
  { to: '/employers', label: 'Employers', about: 'All employers' },
  { to: '/employers/add', label: 'Add an employer', about: 'Action', area: 'settings' },
  { to: '/people', label: 'People', about: 'Across employers', area: 'people' },
  { to: '/employers/ahead', label: 'Upcoming dates', about: 'Starts, enrollments, renewals' },
  { to: '/money', label: 'Money', about: 'Invoices and balances', area: 'money' },
  { to: '/groups', label: 'Groups', about: 'People without an employer', area: 'settings' },
  { to: '/audit', label: 'Audit log', about: 'All requests and changes', area: 'keys' },
  { to: '/developers', label: 'API keys', about: 'Developers', area: 'webhooks' },
  { to: '/developers/webhooks', label: 'Webhook subscriptions', about: 'Developers', area: 'webhooks' },
  { to: '/developers/events', label: 'Events', about: 'Developers', area: 'webhooks' },
]

/** Where a task starts that has no page of its own. `words` are other words for it. */
const starting_points: (PageItem & { words: string })[] = [
  {
    to: '/employers',
    label: 'Hire or import employees',
    about: 'Select an employer, then Employees',
    area: 'people',
    words: 'hiring new employee roster census upload',
  },
  {
    to: '/people',
    label: 'Terminate, rehire or correct an employee',
    about: 'Select the person',
    area: 'people',
    words: 'termination reinstate transfer class birth date change',
  },
  {
    to: '/people',
    label: 'Report a life event or add a dependent',
    about: 'Select the person',
    area: 'people',
    words: 'birth baby marriage divorce child spouse',
  },
  {
    to: '/employers/ahead',
    label: 'Renew plans or remind employees to enroll',
    about: 'Select an employer, then Plans',
    words: 'renewal plan year rates open enrollment reminder',
  },
  {
    to: '/money',
    label: 'Check an invoice or a deduction',
    about: 'Select an employer',
    area: 'money',
    words: 'dispute wrong invoices deductions statement payroll billing paycheck',
  },
]

/** The pages that the user may open and whose label contains the text, and the starting points with all its words. */
function findPages(text: string): PaletteItem[] {
  const typed = text.toLowerCase()
  const pages = isOperator() ? operator_pages : member_pages
  const named = pages.filter(({ label }) => label.toLowerCase().includes(typed))
  const started = starting_points.filter(({ label, words }) => {
    const known = `${label} ${words}`.toLowerCase()
    return !isOperator() && typed.length >= 3 && typed.split(/\s+/).every((word) => known.includes(word))
  })
  return [...named, ...started]
    .filter(({ area }) => !area || isRoleAllowed(area))
    .map(({ to, label, about }) => ({ id: label, label, about, link: { to } }))
}

const peopleOf = (members: Pick<Member, 'first_name' | 'last_name' | 'employments'>[]): Group => ({
  value: 'People',
  items: members.flatMap((person) =>
    person.employments.slice(0, 2).map(({ employee_id, employer_name, status }) => ({
      id: employee_id,
      label: fullName(person),
      about: status === 'active' ? employer_name : `${employer_name}, terminated`,
      link: { to: '/people/$employee_id', params: { employee_id } },
    })),
  ),
})

const dependentsOf = (dependents: FoundDependent[]): Group => ({
  value: 'Dependents',
  items: dependents.flatMap((one) => {
    // The coverage of the current employment, or else of the last one.
    const employment = one.employments.find(({ status }) => status === 'active') ?? one.employments[0]
    if (!employment) return []
    const { employee_id, employer_name } = employment
    const employee = fullName({ first_name: one.member_first_name, last_name: one.member_last_name })
    return {
      id: one.id,
      label: fullName(one),
      about: `${toSentence(one.relationship)} of ${employee}, ${employer_name}`,
      link: { to: '/people/$employee_id', params: { employee_id }, search: { why: one.id }, hash: 'why' },
    }
  }),
})

const employersOf = (
  employers: Pick<EmployerRow, 'id' | 'name' | 'benefit_lifecycle_stage'>[],
  to: '/employers/$employer_id' | '/partners/employers/$employer_id',
): Group => ({
  value: 'Employers',
  items: employers.map(({ id, name, benefit_lifecycle_stage: { stage } }) => ({
    id,
    label: name,
    about: stage.replaceAll('_', ' '),
    link: { to, params: { employer_id: id } },
  })),
})

/**
 * The results for operators: people by the start of their names, organizations, and the employers of all organizations.
 */
async function findAsOperator(search: string, signal: AbortSignal): Promise<Group[]> {
  const filter = { search, limit: max_results }
  const [partners, employers, members, dependents] = await Promise.all([
    operator.organizations.list(filter, { signal }),
    operator.employers.list(filter, { signal }),
    operator.members.find(filter, { signal }),
    operator.dependents.find(filter, { signal }),
  ])
  return [
    peopleOf(members.data),
    dependentsOf(dependents.data),
    {
      value: 'Partners',
      items: partners.data.map(({ id, name, sandbox }) => ({
        id,
        label: name,
        about: sandbox ? 'Sandbox' : 'Live',
        link: { to: '/partners/$organization_id', params: { organization_id: id } },
      })),
    },
    employersOf(employers.data, '/partners/employers/$employer_id'),
  ]
}

async function find(search: string, signal: AbortSignal): Promise<Group[]> {
  if (isOperator()) return findAsOperator(search, signal)
  const filter = { search, limit: max_results }
  const is_number = /^(inv-)?\d+$/i.test(search)
  const [employers, members, dependents, invoices] = await Promise.all([
    ob.employers.list({ ...filter, include_cancelled: true }, { signal }),
    isRoleAllowed('people') ? ob.members.list(filter, { signal }) : undefined,
    isRoleAllowed('people') ? ob.dependents.search(filter, { signal }) : undefined,
    is_number && isRoleAllowed('money')
      ? ob.invoices.listAll({ ...filter, include_drafts: true }, { signal })
      : undefined,
  ])
  return [
    peopleOf(members?.data ?? []),
    dependentsOf(dependents?.data ?? []),
    {
      value: 'Invoices',
      items: (invoices?.data ?? []).map(({ employer_id, employer_name, invoice_id, status }) => ({
        id: invoice_id,
        label: invoice_id,
        about: `${employer_name}, ${status}`,
        link: { to: '/employers/$employer_id/invoices/$invoice_id', params: { employer_id, invoice_id } },
      })),
    },
    employersOf(employers.data, '/employers/$employer_id'),
  ]
}

/** `takeTyped` returns the keys typed before the palette appeared. */
type PaletteProps = { takeTyped: () => string; close: () => void }

/** Finds people, dependents, employers, ids and pages. */
export default function Palette({ takeTyped, close }: PaletteProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const is_member = !isOperator()
  const least = is_member ? 1 : min_search_length
  const found = useQuery({
    queryKey: ['palette', search],
    queryFn: ({ signal }) => find(search, signal),
    enabled: /[\p{L}\p{N}]/u.test(search) && search.length >= least,
    placeholderData: keepPreviousData,
  })
  // Renders the input first and the entries after the next paint.
  const is_there = useDeferredValue(true, false)
  const groups: Group[] = [
    { value: 'Ids', items: findById(search, is_member) },
    ...(search === '' ? [] : (found.data ?? [])),
    { value: 'Go to', items: is_there ? findPages(search) : [] },
  ].filter(({ items }) => items.length > 0)
  const go = ({ link }: PaletteItem) => {
    close()
    afterPaint(() => void navigate(link as never))
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="palette" aria-label="Find">
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(item: PaletteItem) => item.label}
            value={text}
            onValueChange={(value, { reason }) => reason !== 'item-press' && setText(value)}
          >
            <Autocomplete.Input
              className="palette-input"
              placeholder="Name, employer, invoice or id"
              aria-label="Find"
              onFocus={() => setText((before) => before + takeTyped())}
            />
            <Autocomplete.Status className="unseen">
              {found.isFetching ? 'Searching' : `${groups.reduce((sum, { items }) => sum + items.length, 0)} found`}
            </Autocomplete.Status>
            <Autocomplete.Empty className="palette-empty">
              {found.isFetching
                ? 'Searching…'
                : search !== '' && search.length < least
                  ? `Type at least ${least} letters`
                  : `No results.${is_member ? '' : ` ${people_search_hint}`}`}
            </Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="palette-group">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: PaletteItem) => (
                      <Autocomplete.Item key={item.id} value={item} className="palette-item" onClick={() => go(item)}>
                        <span>{item.label}</span>
                        <span className="quiet">{item.about}</span>
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
