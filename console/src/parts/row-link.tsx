import { useRouter, type RegisteredRouter, type ValidateLinkOptions } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { console_path } from '../session.ts'

/** How long one rests on a row before its page is fetched ahead. */
const rest_ms = 50
let resting: ReturnType<typeof setTimeout> | undefined
const leave = () => clearTimeout(resting)
const restThen = (act: () => void) => {
  leave()
  resting = setTimeout(act, rest_ms)
}

type Way = { to: string; params?: Record<string, string>; search?: Record<string, string> }

/** The address of a page, as whom one acts included. */
function addressOf({ to, params, search }: Way): string {
  const path = to.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params![name]!))
  const said = new URLSearchParams(search)
  const as = new URLSearchParams(location.search).get('as')
  if (as !== null) said.set('as', as)
  return `${console_path.replace(/\/$/, '')}${path}${said.size > 0 ? `?${said}` : ''}`
}

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * A row's link to its page. There are many of them: unlike `Link`, it does not reckon anew, each time that anything of
 * the address changes, where it leads and whether one is there.
 */
export function RowLink<const Options>(props: ValidateLinkOptions<RegisteredRouter, Options>) {
  const router = useRouter()
  const { children, ...way } = props as Way & { children: ReactNode }
  const said = way as never
  const rest = () => restThen(() => void router.preloadRoute(said).catch(() => undefined))
  const go = (event: MouseEvent) => {
    if (!isPlain(event)) return
    event.preventDefault()
    void router.navigate(said)
  }
  return (
    <a
      className="row-link"
      href={addressOf(way)}
      onClick={go}
      onPointerEnter={rest}
      onPointerLeave={leave}
      onFocus={rest}
      onBlur={leave}
    >
      {children}
    </a>
  )
}
