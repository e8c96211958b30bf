import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { EmployerBenefits, EmployerBilling } from '@openbenefits/widgets/react'

const employer_id = new URL(location.href).searchParams.get('for') ?? ''
const getToken = async () => (await fetch(`/benefits-token?for=${employer_id}`)).json()

/** What a partner writes with React: a widget, its properties, and what it tells. */
function Page() {
  const address = new URL(location.href).searchParams
  const [told, tell] = useState([])
  const [view, setView] = useState('overview')
  const common = {
    for: employer_id,
    baseUrl: address.get('service') ?? '',
    getToken,
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
