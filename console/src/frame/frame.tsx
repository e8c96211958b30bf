import { Link, Outlet, useRouteContext, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { sentence } from '../parts/words.ts'
import { base_url, may, type Session } from '../session.ts'
import { OfflineBar } from './offline.tsx'
import { leaveFor, loadScreen } from './screen.ts'
import { signOut } from './sign-out.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(() => loadScreen(loadPalette, 'Palette'))

/** So long after the frame the palette is loaded, when what the page itself needs is there. */
const quiet_ms = 2000

/** What is always there: where one can go, as whom one acts, and the palette. */
export function Frame() {
  const { session } = useRouteContext({ from: '__root__' })
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
  useFocusKept()
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <div className="frame">
        <Side session={session} />
        <main id="main" ref={main} tabIndex={-1}>
          <OfflineBar />
          <Outlet />
        </main>
      </div>
    </>
  )
}

/** Another page has another heading, which is where a screen reader goes on; tabs and filters of the same do not. */
function useFocusOnArrival(main: React.RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  const router = useRouter()
  const left = useRef<Element>(null)
  useEffect(() => router.subscribe('onBeforeNavigate', () => void (left.current = document.activeElement)), [router])
  useEffect(() => {
    const { activeElement: now } = document
    // What of the new page has taken it already, such as a question that its address asks, keeps it.
    const is_taken = now !== left.current && main.current !== now && main.current?.contains(now)
    if (before.current !== undefined && before.current !== path && !is_taken) main.current?.querySelector('h1')?.focus()
    before.current = path
    // On a phone ways to pages lie beside each other, further than one sees.
    for (const way of document.querySelectorAll<HTMLElement>('nav > .active'))
      way.parentElement!.scrollLeft = way.offsetLeft - way.parentElement!.offsetLeft - 48
  }, [path, main])
}

const ways = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled'

/**
 * Whoever pressed what is there no more, such as a button that made room for a form, goes on from where it was: the
 * focus goes to what comes next there, else to what was around it.
 */
function useFocusKept(): void {
  useEffect(() => {
    let around: HTMLElement[] = []
    const note = ({ target }: FocusEvent) => {
      around = []
      for (let one = target as HTMLElement | null; one && one !== document.body; one = one.parentElement)
        around.push(one)
    }
    const seen = new MutationObserver(() => {
      if (document.activeElement !== document.body || around.length === 0 || around[0]!.isConnected) return
      const left = around.find((one) => one.isConnected)
      around = []
      if (!left) return
      const next = left.querySelector<HTMLElement>(left.id === 'main' ? 'h1' : ways)
      if (!next) left.tabIndex = -1
      ;(next ?? left).focus({ preventScroll: true })
    })
    addEventListener('focusin', note)
    seen.observe(document.body, { childList: true, subtree: true })
    return () => {
      removeEventListener('focusin', note)
      seen.disconnect()
    }
  }, [])
}

function Side({ session }: { session: Session }) {
  const is_operator = session.organization_id === null
  return (
    <header className="side">
      <Place session={session} />
      <OpenPalette />
      <nav aria-label="Main">
        {is_operator ? (
          <>
            <Link to="/today">Today</Link>
            <Link to="/partners">Partners</Link>
            <Link to="/people">People</Link>
            <Link to="/jobs">Jobs</Link>
            <Link to="/access">Users and roles</Link>
            <Link to="/audit">Audit trail</Link>
            <Link to="/clocks">Test clocks</Link>
          </>
        ) : (
          <>
            <Link to="/employers">Employers</Link>
            {may(session, 'people') && <Link to="/people">People</Link>}
            {may(session, 'money') && <Link to="/money">Money</Link>}
            {may(session, 'settings') && <Link to="/groups">Groups</Link>}
            {may(session, 'keys') && <Link to="/audit">Audit trail</Link>}
            {may(session, 'webhooks') && <Link to="/developers">Developers</Link>}
          </>
        )}
      </nav>
      <div className="who">
        <span>
          {session.user.name}
          <span className="quiet"> {sentence(session.role.toLowerCase())}</span>
        </span>
        {session.sandbox && (
          <a className="plain" href={`${base_url}/sign-in`}>
            Switch person
          </a>
        )}
        <button type="button" className="plain" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </header>
  )
}

/** As whom one acts. Another place is another page, with nothing left over from this one. */
function Place({ session: { organizations, organization_id, operator_role } }: { session: Session }) {
  const places = [
    ...(operator_role === null ? [] : [{ id: 'operator', name: 'Operator' }]),
    ...organizations.map(({ id, name }) => ({ id, name })),
  ]
  const here = organization_id ?? 'operator'
  if (places.length === 1) return <span className="place">{places[0]!.name}</span>
  return (
    <select
      className="place"
      aria-label="Organization"
      value={here}
      onChange={({ target }) => void leaveFor(`?as=${encodeURIComponent(target.value)}`)}
    >
      {places.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

const is_apple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** What is typed between the keys that open the palette and its input being there to take it. */
function useTypedEarly(open: boolean): () => string {
  const typed = useRef('')
  useEffect(() => {
    if (!open) return undefined
    const hear = (event: KeyboardEvent) => {
      const is_text = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!is_text || document.activeElement?.role === 'combobox') return
      event.preventDefault()
      typed.current += event.key
    }
    addEventListener('keydown', hear, true)
    return () => {
      removeEventListener('keydown', hear, true)
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
    const hear = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', hear)
    // Who opens it need not wait for it. Should it not come now, it is asked for again then.
    const wait = setTimeout(() => void loadPalette().catch(() => undefined), quiet_ms)
    return () => {
      removeEventListener('keydown', hear)
      clearTimeout(wait)
    }
  }, [])
  return (
    <>
      <button type="button" className="find" aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        Find
        <kbd>{is_apple ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {open && (
        <Suspense>
          <Palette takeTyped={takeTyped} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
