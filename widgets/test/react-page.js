import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { EmployerBenefits, EmployerBilling } from '@openbenefits/widgets/react'

/** What a partner writes with React: a widget, its properties, and what it tells. */
function Page() {
  const address = new URL(location.href).searchParams
  const [told, tell] = useState([])
  const [view, setView] = useState('overview')
  const common = {
    for: address.get('for') ?? '',
    baseUrl: address.get('service') ?? '',
    tokenUrl: `/benefits-token?for=${address.get('for')}`,
    onReady: () => tell((before) => [...before, 'ready']),
  }
  return createElement(
    'div',
    null,
    createElement('output', null, told.join(' ')),
    createElement(EmployerBenefits, {
      ...common,
      view,
      onNavigate: ({ detail }) => {
        setView(detail.view)
        tell((before) => [...before, detail.view])
      },
    }),
    createElement(EmployerBilling, common),
  )
}

createRoot(document.getElementById('root')).render(createElement(Page))
