import { type LinkProps, type RegisteredRouter, useRouter, type ValidateLinkOptions } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { console_path } from '../../session.ts'
import type { Column, Layout } from './table.tsx'

/** The hover time before the page of a row is prefetched. */
const rest_ms = 50
let rest_timer: ReturnType<typeof setTimeout> | undefined
const cancelRest = () => clearTimeout(rest_timer)
const afterRest = (act: () => void) => {
  cancelRest()
  rest_timer = setTimeout(act, rest_ms)
}

type Target = { to: string; params?: Record<string, string>; search?: Record<string, string> }

/** The URL of a page, including the organization or role. */
function hrefOf({ to, params, search }: Target): string {
  const path = to.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params![name]!))
  const query = new URLSearchParams(search)
  const as = new URLSearchParams(location.search).get('as')
  if (as !== null) query.set('as', as)
  return `${console_path.replace(/\/$/, '')}${path}${query.size > 0 ? `?${query}` : ''}`
}

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * A row's link to its page. Unlike `Link`, it does not recompute its target on every change of the URL, because a table
 * has many rows.
 */
export function RowLink<const Options>(props: ValidateLinkOptions<RegisteredRouter, Options>) {
  const router = useRouter()
  const { children, ...way } = props as Target & { children: ReactNode }
  const target = way as never
  const rest = () => afterRest(() => void router.preloadRoute(target).catch(() => undefined))
  const go = (event: MouseEvent) => {
    if (!isPlain(event)) return
    event.preventDefault()
    void router.navigate(target)
  }
  return (
    <a
      className="row-link"
      href={hrefOf(way)}
      onClick={go}
      onPointerEnter={rest}
      onPointerLeave={cancelRest}
      onFocus={rest}
      onBlur={cancelRest}
    >
      {children}
    </a>
  )
}

/** A column with the link to the page of each row. `linkOf` returns its text and its target. */
export const linkColumn = <Row,>(
  name: string,
  linkOf: (row: Row) => [text: ReactNode, link: LinkProps],
  layout: Layout = {},
): Column<Row> => ({
  name,
  ...layout,
  cell: (row) => {
    const [text, link] = linkOf(row)
    return <RowLink {...(link as { to: '/' })}>{text}</RowLink>
  },
})
