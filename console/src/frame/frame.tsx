import { Link, type LinkProps, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useDelayed } from '../parts/form/delayed.ts'
import { formatCount, formatDay, daysBetween } from '../format.ts'
import { scrollToActive } from '../parts/page/interaction.ts'
import { base_url, isOperator, isRoleAllowed, session } from '../session.ts'
import { AccountMenu, find_keys } from './account-menu.tsx'
import { Icon, type IconName } from './icons.tsx'
import { OfflineBar } from './offline.tsx'
import { lazyPart, leaveFor, loadScreen } from './screen.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(() => loadScreen(loadPalette, 'Palette'))

/** The palette loads this many milliseconds after the frame, so that the page's own data loads first. */
const quiet_ms = 2000

/** The frame around every page: navigation, the switch between organizations, and the palette. */
export function Frame() {
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
  useFocusKept()
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <div className="frame">
        <Navigation />
        <div className="content">
          {session.sandbox && <SandboxBanner />}
          <main id="main" ref={main} tabIndex={-1}>
            <OfflineBar />
            <Outlet />
          </main>
        </div>
      </div>
      <Toasts />
    </>
  )
}

/**
 * Moves the focus to the heading of a new page, so that screen readers continue there. Tabs and filters of the same
 * page do not move it.
 */
function useFocusOnArrival(main: React.RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  const router = useRouter()
  const left = useRef<Element>(null)
  useEffect(() => router.subscribe('onBeforeNavigate', () => void (left.current = document.activeElement)), [router])
  useEffect(() => {
    const { activeElement: now } = document
    // An element of the new page that already took the focus, such as a confirmation, keeps it.
    const is_taken = now !== left.current && main.current !== now && main.current?.contains(now)
    if (before.current !== undefined && before.current !== path && !is_taken) main.current?.querySelector('h1')?.focus()
    before.current = path
    for (const navigation of document.querySelectorAll('nav')) scrollToActive(navigation)
  }, [path, main])
}

const focusable = 'a[href], summary, button:enabled, input:enabled, select:enabled, textarea:enabled'

/**
 * If a pressed element disappears, such as a button replaced by a form, moves the focus to the next element in that
 * place, or else to the containing one.
 */
function useFocusKept(): void {
  useEffect(() => {
    let around: HTMLElement[] = []
    const onFocus = ({ target }: FocusEvent) => {
      around = []
      for (let one = target as HTMLElement | null; one && one !== document.body; one = one.parentElement)
        around.push(one)
    }
    const seen = new MutationObserver(() => {
      if (document.activeElement !== document.body || around.length === 0 || around[0]!.isConnected) return
      const left = around.find((one) => one.isConnected)
      around = []
      if (!left) return
      // The buttons of a closed menu cannot take the focus.
      const candidates = left.querySelectorAll<HTMLElement>(left.id === 'main' ? 'h1' : focusable)
      const next = [...candidates].find((one) => one.checkVisibility())
      if (!next) left.tabIndex = -1
      ;(next ?? left).focus({ preventScroll: true })
    })
    addEventListener('focusin', onFocus)
    seen.observe(document.body, { childList: true, subtree: true })
    return () => {
      removeEventListener('focusin', onFocus)
      seen.disconnect()
    }
  }, [])
}

type NavigationLinkProps = Pick<LinkProps, 'to' | 'activeOptions'> & { icon: IconName; label: string }

const NavigationLink = ({ icon, label, ...link }: NavigationLinkProps) => (
  <Link {...link}>
    <Icon of={icon} />
    {label}
  </Link>
)

function Navigation() {
  return (
    <header className="side">
      <div className="identity">
        <Logo />
        <RoleSwitch />
      </div>
      <OpenPalette />
      <nav aria-label="Main">
        {isOperator() ? (
          <>
            <NavigationLink to="/today" icon="today" label="Today" />
            <NavigationLink to="/partners" icon="employers" label="Partners" />
            <NavigationLink to="/people" icon="people" label="People" />
            <NavigationLink to="/jobs" icon="jobs" label="Jobs" />
            <NavigationLink to="/access" icon="access" label="Users and roles" />
            <NavigationLink to="/audit" icon="audit" label="Audit log" />
            <NavigationLink to="/clocks" icon="clocks" label="Test clocks" />
          </>
        ) : (
          <>
            <NavigationLink to="/" icon="today" label="Today" activeOptions={{ exact: true, includeSearch: false }} />
            <NavigationLink to="/employers" icon="employers" label="Employers" />
            {isRoleAllowed('people') && <NavigationLink to="/people" icon="people" label="People" />}
            {isRoleAllowed('money') && <NavigationLink to="/money" icon="money" label="Money" />}
            {isRoleAllowed('people') && <NavigationLink to="/activity" icon="activity" label="Activity" />}
            {isRoleAllowed('settings') && <NavigationLink to="/groups" icon="groups" label="Groups" />}
            {isRoleAllowed('keys') && <NavigationLink to="/audit" icon="audit" label="Audit log" />}
            {isRoleAllowed('webhooks') && <NavigationLink to="/developers" icon="developers" label="Developers" />}
            {isRoleAllowed('keys') && <NavigationLink to="/settings" icon="settings" label="Settings" />}
          </>
        )}
      </nav>
      <AccountMenu />
    </header>
  )
}

const DelayedToast = lazyPart(() => import('../parts/form/delayed-toast.tsx'), 'DelayedToast')

/** The pending actions that can be undone. They stay while the user visits other pages. */
const Toasts = () => (
  <div role="status" className="toasts">
    {useDelayed() && (
      <Suspense>
        <DelayedToast />
      </Suspense>
    )}
  </div>
)

/**
 * States that this is a sandbox and its present day. Each organization has a test clock, so an operator sees the day of
 * the service, and the latest day of a clock that is ahead.
 */
function SandboxBanner() {
  const { organizations, organization_id, today, latest_today } = session
  const here = organizations.find(({ id }) => id === organization_id)
  return (
    <section className="sandbox" aria-label="Sandbox">
      <strong>Sandbox</strong>
      <span>Today is {formatDay(here?.today ?? today)}</span>
      <span className="not-phone">
        {latest_today !== null && latest_today > today
          ? `Test clocks are ahead by up to ${formatCount(daysBetween(today, latest_today), 'day')}`
          : 'All people and amounts are made up'}
      </span>
      {isOperator() ? <Link to="/clocks">Move clocks</Link> : <a href={`${base_url}/sign-in`}>Switch person</a>}
    </section>
  )
}

/** The mark of OpenBenefits, `ui/public/icon.svg`. Inline, because the console's own path varies by proxy. */
const Logo = () => (
  <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#2f55cc" />
    <path d="M16.5 8.6a8 8 0 1 0 6.9 6.9" fill="none" stroke="#fff" strokeWidth="3.4" strokeLinecap="round" />
    <circle cx="22" cy="10" r="2.4" fill="#fff" />
  </svg>
)

/**
 * Switches between the operator role and organizations. Loads a new page, so that no data of the previous one remains.
 */
function RoleSwitch() {
  const { organizations, organization_id, operator_role } = session
  const choices = [
    ...(operator_role === null ? [] : [{ id: 'operator', name: 'Operator' }]),
    ...organizations.map(({ id, name }) => ({ id, name })),
  ]
  const here = organization_id ?? 'operator'
  if (choices.length === 1) return <span className="place">{choices[0]!.name}</span>
  return (
    <select
      className="place"
      aria-label="Organization"
      value={here}
      onChange={({ target }) => void leaveFor(`?as=${encodeURIComponent(target.value)}`)}
    >
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Keys typed after the shortcut of the palette and before its input appears. */
function useTypedEarly(open: boolean): () => string {
  const typed = useRef('')
  useEffect(() => {
    if (!open) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const is_text = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!is_text || document.activeElement?.role === 'combobox') return
      event.preventDefault()
      typed.current += event.key
    }
    addEventListener('keydown', onKeyDown, true)
    return () => {
      removeEventListener('keydown', onKeyDown, true)
      typed.current = ''
    }
  }, [open])
  return useCallback(() => {
    const text = typed.current
    typed.current = ''
    return text
  }, [])
}

function OpenPalette() {
  const [open, setOpen] = useState(false)
  const takeTyped = useTypedEarly(open)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKeyDown)
    // Preloads the palette. If this fails, opening it tries again.
    const wait = setTimeout(() => void loadPalette().catch(() => undefined), quiet_ms)
    return () => {
      removeEventListener('keydown', onKeyDown)
      clearTimeout(wait)
    }
  }, [])
  return (
    <>
      <button type="button" className="find" aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        Find
        <kbd>{find_keys}</kbd>
      </button>
      {open && (
        <Suspense>
          <Palette takeTyped={takeTyped} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
