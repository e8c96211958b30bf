// What pages of the documentation do beside being read: the contents on small screens, copying code, tabs, and where on
// the page the reader is. Without it all of a page is there.

const menu = document.querySelector('.menu')
menu?.addEventListener('click', () => {
  menu.setAttribute('aria-expanded', String(menu.getAttribute('aria-expanded') !== 'true'))
})
document.querySelector('.contents a[aria-current]')?.scrollIntoView({ block: 'nearest' })
scrollTo({ top: location.hash ? scrollY : 0 })

const said = document.createElement('p')
said.setAttribute('role', 'status')
said.className = 'skip'
document.body.append(said)

/** A button that copies what a block says, of blocks that are pasted. */
function addCopy(figure) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy' })
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent)
    button.textContent = 'Copied'
    said.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
      said.textContent = ''
    }, 1500)
  })
  figure.append(button)
}
for (const figure of document.querySelectorAll('figure.code:not(.answer)')) addCopy(figure)

const kept_tab = 'openbenefits.tab'
const sets = []

/** Shows the pane of a name in every set of tabs that has one. */
function choose(name) {
  for (const { names, tabs, panes } of sets) {
    const at = names.indexOf(name)
    if (at < 0) continue
    tabs.forEach((tab, each) => {
      tab.setAttribute('aria-selected', String(each === at))
      tab.tabIndex = each === at ? 0 : -1
      panes[each].hidden = each !== at
    })
  }
}

function makeTabs(set, number) {
  const figures = [...set.querySelectorAll('figure')]
  const names = figures.map((figure) => figure.dataset.tab)
  const panes = figures.map((figure) => {
    const pane = document.createElement('div')
    figure.replaceWith(pane)
    pane.append(figure)
    return pane
  })
  const list = document.createElement('div')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Ways to do it')
  const tabs = panes.map((pane, at) => {
    const tab = Object.assign(document.createElement('button'), { type: 'button', id: `tab-${number}-${at}` })
    tab.textContent = names[at]
    tab.setAttribute('role', 'tab')
    tab.setAttribute('aria-controls', (pane.id = `pane-${number}-${at}`))
    pane.setAttribute('role', 'tabpanel')
    pane.setAttribute('aria-labelledby', tab.id)
    tab.addEventListener('click', () => {
      localStorage.setItem(kept_tab, names[at])
      const top = tab.getBoundingClientRect().top
      choose(names[at])
      // What changes above must not move what the reader looks at.
      scrollBy(0, tab.getBoundingClientRect().top - top)
    })
    return tab
  })
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (!step) return
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length]
    next.focus()
    next.click()
  })
  list.append(...tabs)
  set.prepend(list)
  sets.push({ names, tabs, panes })
  choose(names[0])
}
document.querySelectorAll('.tabs').forEach(makeTabs)
choose(localStorage.getItem(kept_tab))

/** Marks in the outline the heading under which the reader is. */
const outline = new Map([...document.querySelectorAll('.outline a')].map((link) => [link.hash.slice(1), link]))
const headings = [...outline.keys()].map((id) => document.getElementById(id)).filter(Boolean)
function markPlace() {
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
  for (const link of outline.values()) link.removeAttribute('aria-current')
  const at_end = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
  outline.get((at_end ? headings : passed).at(-1)?.id)?.setAttribute('aria-current', 'true')
}
if (headings.length > 0) {
  addEventListener('scroll', markPlace, { passive: true })
  markPlace()
}

// Links to operations from before the reference had an address of its own.
if (location.hash.startsWith('#tag/')) location.replace(`${location.pathname}/reference/${location.hash}`)
