import { createRootRoute, retainSearchParams, type AnyRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Frame } from '../frame/frame.tsx'
import { screen } from '../frame/screen.ts'
import { Empty, NoAccess, Page, Trouble } from '../parts/page/page.tsx'
import { isOperator, mayOpen, whoMay, type Readers } from '../session.ts'
import { optional, text, type Search } from './search.ts'

export const root = createRootRoute({
  component: Frame,
  notFoundComponent: () => (
    <Page title="Page not found">
      <Empty title="If you typed the URL, check that it is correct." />
    </Page>
  ),
  errorComponent: ({ error }) => (
    <Page title="Something went wrong">
      <Trouble error={error as Error} />
    </Page>
  ),
  validateSearch: (search: Search) => optional({ as: text(search.as) }),
  search: { middlewares: [retainSearchParams(['as'])] },
})

type Screen = ReturnType<typeof screen>
type Area = Readers['members']
type Load<Code> = () => Promise<Code>

export const operators: Readers = { members: null, operators: true }
export const members = (area: Area): Readers => ({ members: area, operators: false })
export const everyone = (area: Area): Readers => ({ members: area, operators: true })

/** Why the user may not open a page. A role of members cannot open the pages of operators, and vice versa. */
function whyNotOpen({ members }: Readers): string {
  if (isOperator()) return 'This page is for members of an organization.'
  if (members === null) return 'This page is for operators.'
  return `Requires ${whoMay(members)}. An admin can give you access.`
}

/** Shows a screen to the users who may open it. Others see which roles may, and nothing is requested. */
function restricted(readers: Readers, Shown: Screen, refusal = (inside: ReactNode) => inside): Screen {
  const Restricted = () => (mayOpen(readers) ? <Shown /> : refusal(<NoAccess why={whyNotOpen(readers)} />))
  return Object.assign(Restricted, { preload: Shown.preload })
}

/** Route options of a standalone page. */
export const page = <const Path extends string, Code extends object>(
  path: Path,
  readers: Readers,
  load: Load<Code>,
  name: keyof Code & string,
) => {
  const component = restricted(readers, screen(load, name), (inside) => <Page title="No access">{inside}</Page>)
  return { getParentRoute: () => root, path, component } as const
}

/**
 * Route options of a tab below another page's header. With an area, only members whose role covers it may open the tab.
 */
export const tab = <Parent extends AnyRoute, const Path extends string, Code extends object>(
  parent: () => Parent,
  path: Path,
  load: Load<Code>,
  name: keyof Code & string,
  area?: Area,
) => {
  const shown = screen(load, name)
  return { getParentRoute: parent, path, component: area ? restricted(members(area), shown) : shown } as const
}
