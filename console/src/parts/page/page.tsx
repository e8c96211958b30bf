import { Link, type LinkProps } from '@tanstack/react-router'
import { fieldInWords } from 'openbenefits'
import { Fragment, type ReactNode, useDeferredValue, useEffect, useRef } from 'react'
import { ApiError, isSignedOut, messageOf } from '../../api.ts'
import { isOffline } from '../../connection.ts'
import { formatInstant, formatDayAndTime, toSentence, type Tone, toneOf } from '../../format.ts'
import { formatReason } from '../../reasons.ts'
import { scrollToActive, takeFocus } from './interaction.ts'

export type Breadcrumb = { label: string; link: LinkProps }
export type Tab = {
  label: string
  link: LinkProps
  exact?: boolean
  /** whether the tab is for a group of pages that includes the current page */
  is_current?: boolean
}

type PageProps = {
  title: string
  breadcrumbs?: Breadcrumb[]
  /** a short label next to the title */
  badge?: ReactNode
  actions?: ReactNode
  tabs?: Tab[]
  children: ReactNode
}

/** The only page layout: breadcrumbs, title, actions and content. */
export function Page({ title, breadcrumbs = [], badge, actions, tabs, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · OpenBenefits`
  }, [title])
  return (
    <>
      <header className="page-head">
        {breadcrumbs.length > 0 && (
          <nav aria-label="Breadcrumbs" className="crumbs">
            {breadcrumbs.map(({ label, link }) => (
              <Link key={label} {...link}>
                {label}
              </Link>
            ))}
          </nav>
        )}
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            <BreakableText of={title} />
          </h1>
          {badge}
          <div className="page-actions">{actions}</div>
        </div>
        {tabs && <Tabs label={title} tabs={tabs} />}
      </header>
      {children}
    </>
  )
}

/** Tabs with the same path differ in their search. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const by_search = tabs.length > 1 && tabs.every(({ link }) => link.to === tabs[0]!.link.to)
  return (
    // Again after each render, because the active tab can follow from the search, and the tabs can appear late.
    <nav className="tabs" aria-label={label} ref={(navigation) => scrollToActive(navigation)}>
      {tabs.map(({ label, link, exact = false, is_current }) => (
        <Link
          key={label}
          {...link}
          {...(is_current && { className: 'active', 'aria-current': true })}
          activeOptions={{ exact: exact || by_search, includeSearch: by_search }}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
        {actions && <div className="section-actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

/** The form that adds a row to a list, at `?add=yes`. It takes the focus and can be closed. */
export function AddSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2 tabIndex={-1} ref={takeFocus}>
          {title}
        </h2>
        <Link
          className="plain"
          to="."
          search={((before: object) => ({ ...before, add: undefined })) as never}
          resetScroll={false}
        >
          Close
        </Link>
      </div>
      {children}
    </section>
  )
}

/** A status word of the API. The color repeats its meaning. */
export function Status({ of, tone = toneOf(of) }: { of: string; tone?: Tone }) {
  return <span className={`status ${tone}`}>{toSentence(of)}</span>
}

/** The status of a payroll connection. Here `inactive` is an error (access was lost), elsewhere it means ended. */
export const PayrollStatus = ({ of }: { of: string }) => (
  <Status of={of} tone={of === 'inactive' ? 'bad' : toneOf(of)} />
)

export type Fact = [name: string, value: ReactNode]

export function Facts({ of }: { of: Fact[] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <Dash />}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An instant in a table. On a phone only its day. */
export function Timestamp({ of }: { of: string }) {
  const [day, time] = formatDayAndTime(of)
  return (
    <time dateTime={of} title={formatInstant(of)}>
      {day}
      <span className="only-middle">{time}</span>
    </time>
  )
}

/** A name that wraps between words. */
export const Code = ({ children }: { children: string }) => (
  <code>
    {children.split('_').map((word, at) => (
      <Fragment key={at}>
        {at > 0 && '_'}
        <wbr />
        {word}
      </Fragment>
    ))}
  </code>
)

/** An id. In narrow columns only its end is visible, because that is the part that differs. */
export const Id = ({ of }: { of: string }) => (
  <code className="id" dir="rtl" title={of}>
    <bdi dir="ltr">{of}</bdi>
  </code>
)

/** An event name or URL that can wrap after dots and slashes. */
export const BreakableText = ({ of }: { of: string }) =>
  of.split(/(?<=\w[._/])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** A dash for an unknown value. */
export const Dash = () => <span className="quiet">–</span>

/** A value, or a dash if it is missing. */
export const orDash = <T,>(value: T | null | undefined, show: (value: T) => ReactNode): ReactNode =>
  value === null || value === undefined ? <Dash /> : show(value)

/** Explains what an empty page will show, and how to get there. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children && <div className="quiet">{children}</div>}
    </div>
  )
}

export const NotFound = () => <Empty title="Not found, or you don’t have access." />

/** Shown to users whose role does not allow a page, with the roles that do. */
export const NoAccess = ({
  why = 'Your role does not allow this. An admin can give you access.',
}: {
  why?: string
}) => <Empty title="You don’t have access.">{why}</Empty>

/** A message about a field: `Termination date: must be a day`. */
const describeDetail = ({ field, message }: ApiError['details'][number]): string =>
  field ? `${toSentence(fieldInWords(field))}: ${formatReason(message)}` : formatReason(message)

/** The message of a refusal without its first detail, which the details repeat. */
function summaryOf(refused: ApiError): string {
  const [first] = refused.details
  const repeated = first && (first.field ? `${fieldInWords(first.field)}: ${first.message}` : first.message)
  return messageOf(refused)
    .replace(repeated ?? '', '')
    .trim()
}

/** An error message of the service, with a remedy. */
export function ErrorMessage({ error, retry }: { error: Error; retry?: () => void }) {
  if (isSignedOut(error)) return <Empty title="Your session has ended." />
  if (isOffline(error)) return <OfflineMessage {...(retry && { retry })} />
  const refused = error instanceof ApiError ? error : undefined
  if (refused?.status === 404) return <NotFound />
  if (refused?.code === 'forbidden') return <NoAccess />
  const details = refused?.details.map(describeDetail) ?? []
  const message = refused ? summaryOf(refused) : 'The service did not respond. Check your connection.'
  return (
    <div className="trouble" role="alert">
      {message && <p>{message}</p>}
      {details.map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      {refused && <p className="quiet">Trace {refused.trace_id}</p>}
      {retry && refused?.status !== 403 && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Missing data loads when the service responds again. A change without a response may have been saved. */
const OfflineMessage = ({ retry }: { retry?: () => void }) => (
  <div className="trouble" role="alert">
    <p>
      You’re offline.{' '}
      {retry
        ? 'This loads as soon as the service responds.'
        : 'When the service responds, check whether the change was saved before you try again.'}
    </p>
    {retry && (
      <button type="button" className="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
)

/** A placeholder for loading data, so that nothing jumps when it arrives. */
export const LoadingPlaceholder = ({ lines = 4 }: { lines?: number }) => (
  <div className="waiting" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} className="bone" />
    ))}
  </div>
)

/**
 * Shows the data of a query, or a placeholder or an error. Renders loaded data at low priority to keep the page
 * responsive.
 */
export function Loaded<T>({
  query,
  lines,
  children,
}: {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown }
  lines?: number
  children: (data: T) => ReactNode
}) {
  const is_there = query.data !== undefined
  const may_draw = useDeferredValue(is_there)
  if (is_there && may_draw) return children(query.data as T)
  if (query.error && !is_there) return <ErrorMessage error={query.error} retry={() => void query.refetch()} />
  return <LoadingPlaceholder {...(lines && { lines })} />
}

/** A share as a bar with its numbers. */
export function EnrolledShare({ of, enrolled, eligible }: { of: string; enrolled: number; eligible: number }) {
  if (eligible === 0)
    return (
      <span className="quiet">
        <span aria-hidden="true">–</span>
        <span className="unseen">None</span>
      </span>
    )
  return (
    <span className="share">
      <span className="share-bar" aria-hidden="true">
        <span style={{ width: `${(enrolled / eligible) * 100}%` }} />
      </span>
      <span className="number">
        {enrolled}
        <span className="quiet"> of {eligible}</span>
        <span className="unseen"> {of}</span>
      </span>
    </span>
  )
}

type ChangedFieldProps = { field: string; before: string | null; after: string }

/** A changed field, with its old and new value. */
export const ChangedField = ({ field, before, after }: ChangedFieldProps) => (
  <>
    <span className="quiet">{field}</span> {before && <del>{before}</del>} <ins>{after}</ins>
  </>
)
