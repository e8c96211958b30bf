import { createRoute } from '@tanstack/react-router'
import * as values from './filter-values.ts'
import { members, operators, page, tab } from './page.tsx'
import { parseList, parseMonth, parseChoice, optional, parseText, parseYes, type Search } from './search.ts'

const readMoney = ({ show, search, status, age, from, to }: Search) =>
  optional({
    /** shows the totals by employer, or the statements, instead of the invoices */
    show: parseChoice(show, ['employers', 'statements']),
    search: parseText(search),
    status: parseList(status, values.invoice_states),
    age: parseList(age, values.invoice_ages),
    from: parseMonth(from),
    to: parseMonth(to),
  })

export const money = createRoute({
  ...page('/money', members('money'), () => import('../screens/money/money.tsx'), 'MoneyPage'),
  validateSearch: readMoney,
})

export const partners = createRoute({
  ...page('/partners', operators, () => import('../screens/partners/partners.tsx'), 'Partners'),
  validateSearch: ({ search, add }: Search) => optional({ search: parseText(search), add: parseYes(add) }),
})

const partner = createRoute(
  page('/partners/$organization_id', operators, () => import('../screens/partners/partner.tsx'), 'Partner'),
)
const partnerParent = () => partner

/** The pages of one partner, for operators. */
const partner_pages = [
  createRoute({
    ...tab(partnerParent, '/', () => import('../screens/partners/partner.tsx'), 'PartnerEmployers'),
    validateSearch: ({ search }: Search) => optional({ search: parseText(search) }),
  }),
  createRoute({
    ...tab(partnerParent, 'members', () => import('../screens/partners/partner-members.tsx'), 'PartnerMembers'),
    /** withdrawing: the invitation to withdraw after confirmation */
    validateSearch: ({ add, withdrawing }: Search) =>
      optional({ add: parseYes(add), withdrawing: parseText(withdrawing) }),
  }),
  createRoute({
    ...tab(partnerParent, 'keys', () => import('../screens/partners/partner-keys.tsx'), 'PartnerKeys'),
    validateSearch: ({ add, chosen }: Search) => optional({ add: parseYes(add), chosen: parseText(chosen) }),
  }),
  createRoute({
    ...tab(partnerParent, 'money', () => import('../screens/money/money.tsx'), 'PartnerMoney'),
    validateSearch: readMoney,
  }),
  createRoute(tab(partnerParent, 'catalog', () => import('../screens/partners/catalog.tsx'), 'CatalogPage')),
] as const
export const partner_routes = partner.addChildren(partner_pages)
