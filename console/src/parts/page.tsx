import { Link, type LinkProps } from '@tanstack/react-router'
import { fieldInWords } from 'openbenefits/census-columns'
import { Fragment, useDeferredValue, useEffect, useRef, type ReactNode } from 'react'
import { ApiError, nobodyIn, wordsOf } from '../api.ts'
import { isOffline } from '../connection.ts'
import { takeFocus } from './take-focus.ts'
import { instantOf, partsOf, sentence, toneOf, type Tone } from './words.ts'

export type Crumb = { label: string; link: LinkProps }
export type Tab = { label: string; link: LinkProps; exact?: boolean }

type PageProps = {
  title: string
  above?: Crumb[]
  /** beside the title: what this is, in a word or two */
  mark?: ReactNode
  actions?: ReactNode
  tabs?: Tab[]
  children: ReactNode
}

/** The one frame of a page: where one is, what it is about, what can be done, and what it holds. */
export function Page({ title, above = [], mark, actions, tabs, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · OpenBenefits`
  }, [title])
  return (
    <>
      <header className="page-head">
        {above.length > 0 && (
          <nav aria-label="Where you are" className="crumbs">
            {above.map(({ label, link }) => (
              <Link key={label} {...link}>
                {label}
              </Link>
            ))}
          </nav>
        )}
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {mark}
          <div className="page-actions">{actions}</div>
        </div>
        {tabs && <Tabs label={title} tabs={tabs} />}
      </header>
      {children}
    </>
  )
}

/** Those that lead to the same path are told apart by what the address says after it. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const by_search = tabs.length > 1 && tabs.every(({ link }) => link.to === tabs[0]!.link.to)
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ label, link, exact = false }) => (
        <Link key={label} {...link} activeOptions={{ exact: exact || by_search, includeSearch: by_search }}>
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

/** What is added to a list, by `?add=yes`: whoever asked for it goes on there, and closes it again. */
export function Adding({ title, children }: { title: string; children: ReactNode }) {
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

/** A status word of the interface. Its color says nothing that the word does not. */
export function Status({ of, tone = toneOf(of) }: { of: string; tone?: Tone }) {
  return <span className={`status ${tone}`}>{sentence(of)}</span>
}

/** How a payroll system stands: one that is inactive lets nobody in, while else it is over. */
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
          <dd>{value ?? <Nothing />}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An instant in a table; on a phone its day. */
export function At({ of }: { of: string }) {
  const [day, time] = partsOf(of)
  return (
    <time dateTime={of} title={instantOf(of)}>
      {day}
      <span className="only-middle">{time}</span>
    </time>
  )
}

/** A name that breaks, where it must, between its words. */
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

/** An id, of which the end is seen where there is no room for all: by that it is told from its neighbours. */
export const Id = ({ of }: { of: string }) => (
  <code className="id" dir="rtl" title={of}>
    <bdi dir="ltr">{of}</bdi>
  </code>
)

/** The name of an event, or an address: it may go on in the next line behind a dot or a stroke. */
export const Breakable = ({ of }: { of: string }) =>
  of.split(/(?<=\w[._/])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** In place of a value that is not known. */
export const Nothing = () => <span className="quiet">–</span>

/** Says what would be here, and how it comes to be. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children && <div className="quiet">{children}</div>}
    </div>
  )
}

export const NotFound = () => <Empty title="Not found, or you don’t have access." />

/** Shown in place of what the user's role does not allow. `whom`: the roles that may. */
export const NoAccess = ({ whom }: { whom?: string }) => (
  <Empty title="You don’t have access.">
    {whom ? `Only for ${whom}.` : 'Your role does not allow this.'} An admin can give you access.
  </Empty>
)

/** An error in the service's own words, with what to do about it. */
export function Trouble({ error, retry }: { error: Error; retry?: () => void }) {
  if (nobodyIn(error)) return <Empty title="Your session has ended." />
  if (isOffline(error)) return <OfflineTrouble {...(retry && { retry })} />
  const refused = error instanceof ApiError ? error : undefined
  if (refused?.status === 404) return <NotFound />
  if (refused?.code === 'forbidden') return <NoAccess />
  const said = refused && wordsOf(refused)
  // Of a field that is wrong the details say the same.
  const is_told = refused?.details.some(({ field }) => field && said?.startsWith(`${fieldInWords(field)}: `))
  return (
    <div className="trouble" role="alert">
      {!is_told && <p>{said ?? 'The service did not answer. Check your connection.'}</p>}
      {refused?.details.map(({ field, message }) => (
        <p key={field}>
          {fieldInWords(field) === field ? <code>{field}</code> : `${sentence(fieldInWords(field))}:`} {message}
        </p>
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

/** Missing data loads by itself when the service responds. A change without a response may have been made. */
const OfflineTrouble = ({ retry }: { retry?: () => void }) => (
  <div className="trouble" role="alert">
    <p>
      You’re offline.{' '}
      {retry
        ? 'This loads by itself as soon as the service answers.'
        : 'When the service answers, check whether this was saved before you try again.'}
    </p>
    {retry && (
      <button type="button" className="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
)

/** Holds the place of what is on its way, so that nothing jumps when it comes. */
export const Waiting = ({ lines = 4 }: { lines?: number }) => (
  <div className="waiting" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} className="bone" />
    ))}
  </div>
)

/**
 * What a query has, or what to show meanwhile. What has come is drawn in pieces, between which the page answers: a whole
 * page at once is more than one waits for.
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
  if (query.error && !is_there) return <Trouble error={query.error} retry={() => void query.refetch()} />
  return <Waiting {...(lines && { lines })} />
}

/** How many of how many, as a bar with its words. */
export function Share({ of, enrolled, eligible }: { of: string; enrolled: number; eligible: number }) {
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
