import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { EmployerBenefits, EmployerBilling } from '@openbenefits/widgets/react'

const employer_id = new URL(location.href).searchParams.get('for') ?? ''
const getToken = async () => (await fetch(`/benefits-token?for=${employer_id}`)).json()

/** A partner's React page: a widget with its properties and event handlers. */
function Page() {
  const address = new URL(location.href).searchParams
  const [reported, report] = useState([])
  const [view, setView] = useState('overview')
  const common = {
    for: employer_id,
    baseUrl: address.get('service') ?? '',
    getToken,
    onReady: () => report((before) => [...before, 'ready']),
  }
  return createElement(
    'div',
    null,
    createElement('output', null, reported.join(' ')),
    createElement(EmployerBenefits, {
      ...common,
      view,
      onNavigate: ({ detail }) => {
        setView(detail.view)
        report((before) => [...before, detail.view])
      },
    }),
    createElement(EmployerBilling, common),
  )
}

createRoot(document.getElementById('root')).render(createElement(Page))
