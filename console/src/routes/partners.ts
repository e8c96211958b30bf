import { createRoute } from '@tanstack/react-router'
import * as values from './filter-values.ts'
import { members, operators, page, tab } from './page.tsx'
import { listOf, month, oneOf, optional, text, yes, type Search } from './search.ts'

const readMoney = ({ show, search, status, age, from, to }: Search) =>
  optional({
    /** shows the totals by employer, or the statements, instead of the invoices */
    show: oneOf(show, ['employers', 'statements']),
    search: text(search),
    status: listOf(status, values.invoice_states),
    age: listOf(age, values.invoice_ages),
    from: month(from),
    to: month(to),
  })

export const money = createRoute({
  ...page('/money', members('money'), () => import('../screens/money/money.tsx'), 'Money'),
  validateSearch: readMoney,
})

export const partners = createRoute({
  ...page('/partners', operators, () => import('../screens/partners/partners.tsx'), 'Partners'),
  validateSearch: ({ search, add }: Search) => optional({ search: text(search), add: yes(add) }),
})

const partner = createRoute(
  page('/partners/$organization_id', operators, () => import('../screens/partners/partner.tsx'), 'Partner'),
)
const ofPartner = () => partner

/** The pages of one partner, for operators. */
const partner_pages = [
  createRoute({
    ...tab(ofPartner, '/', () => import('../screens/partners/partner.tsx'), 'PartnerEmployers'),
    validateSearch: ({ search }: Search) => optional({ search: text(search) }),
  }),
  createRoute({
    ...tab(ofPartner, 'members', () => import('../screens/partners/partner-members.tsx'), 'PartnerMembers'),
    /** withdrawing: the invitation to withdraw after confirmation */
    validateSearch: ({ add, withdrawing }: Search) => optional({ add: yes(add), withdrawing: text(withdrawing) }),
  }),
  createRoute({
    ...tab(ofPartner, 'keys', () => import('../screens/partners/partner-keys.tsx'), 'PartnerKeys'),
    validateSearch: ({ add, chosen }: Search) => optional({ add: yes(add), chosen: text(chosen) }),
  }),
  createRoute({
    ...tab(ofPartner, 'money', () => import('../screens/money/money.tsx'), 'PartnerMoney'),
    validateSearch: readMoney,
  }),
  createRoute(tab(ofPartner, 'catalog', () => import('../screens/partners/catalog.tsx'), 'Catalog')),
] as const
export const partner_routes = partner.addChildren(partner_pages)
