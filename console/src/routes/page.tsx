import { createRootRoute, retainSearchParams, type AnyRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Frame } from '../frame/frame.tsx'
import { screen } from '../frame/screen.ts'
import { Empty, NoAccess, Page, ErrorMessage } from '../parts/page/page.tsx'
import { isOperator, canOpenPage, allowedRoles, type PageAccess } from '../session.ts'
import { optional, parseText, type Search } from './search.ts'

export const root = createRootRoute({
  component: Frame,
  notFoundComponent: () => (
    <Page title="Page not found">
      <Empty title="If you typed the URL, check that it is correct." />
    </Page>
  ),
  errorComponent: ({ error }) => (
    <Page title="Something went wrong">
      <ErrorMessage error={error as Error} />
    </Page>
  ),
  validateSearch: (search: Search) => optional({ as: parseText(search.as) }),
  search: { middlewares: [retainSearchParams(['as'])] },
})

type Screen = ReturnType<typeof screen>
type Area = PageAccess['members']
type Load<Code> = () => Promise<Code>

export const operators: PageAccess = { members: null, operators: true }
export const members = (area: Area): PageAccess => ({ members: area, operators: false })
export const membersAndOperators = (area: Area): PageAccess => ({ members: area, operators: true })

/** Why the user may not open a page. A role of members cannot open the pages of operators, and vice versa. */
function whyNotOpen({ members }: PageAccess): string {
  if (isOperator()) return 'This page is for members of an organization.'
  if (members === null) return 'This page is for operators.'
  return `Requires ${allowedRoles(members)}. An admin can give you access.`
}

/** Shows a screen to the users who may open it. Others see which roles may, and nothing is requested. */
function restrict(readers: PageAccess, Shown: Screen, refusal = (inside: ReactNode) => inside): Screen {
  const Restricted = () => (canOpenPage(readers) ? <Shown /> : refusal(<NoAccess why={whyNotOpen(readers)} />))
  return Object.assign(Restricted, { preload: Shown.preload })
}

/** Route options of a standalone page. */
export const page = <const Path extends string, Code extends object>(
  path: Path,
  readers: PageAccess,
  load: Load<Code>,
  name: keyof Code & string,
) => {
  const component = restrict(readers, screen(load, name), (inside) => <Page title="No access">{inside}</Page>)
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
  return { getParentRoute: parent, path, component: area ? restrict(members(area), shown) : shown } as const
}
