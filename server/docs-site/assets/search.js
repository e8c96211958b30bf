// The search over all of the documentation: in a window over the page, by keyboard. Its index is fetched when it is
// first opened.

const button = document.querySelector('.ob-search')
const index_address = button.dataset.index
const base = index_address.replace(/\/docs\/search\.json$/, '')
const most = 30
const most_suggested = 5

/** @param {string} tag @param {object} properties @param {(Node | string)[]} inside */
const element = (tag, properties = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...inside)
  return made
}

let loading
let MiniSearch
const load = () =>
  (loading ??= Promise.all([
    import(`${base}/docs/assets/minisearch.js`),
    fetch(index_address).then((answer) => answer.text()),
  ]).then(([{ default: loaded }, text]) => {
    MiniSearch = loaded
    const { options, index } = JSON.parse(text)
    return MiniSearch.loadJS(index, options)
  }))

const input = element('input', { type: 'search', placeholder: 'Search guides, operations, errors and events' })
const list = element('ul', { id: 'ob-results' })
const help = element('p', {}, '↑ ↓ to choose, Enter to open, Esc to close')
const dialog = element('dialog', { className: 'ob-found', ariaLabel: 'Search' }, input, list, help)
for (const [name, value] of Object.entries({
  role: 'combobox',
  'aria-label': 'Search the documentation',
  'aria-controls': 'ob-results',
  'aria-expanded': 'true',
  'aria-autocomplete': 'list',
  autocomplete: 'off',
  spellcheck: 'false',
}))
  input.setAttribute(name, value)
list.setAttribute('role', 'listbox')
list.setAttribute('aria-label', 'What was found')
help.setAttribute('role', 'status')
document.body.append(dialog)

let results = []
let chosen = 0

/** A text with the words that were searched for marked. */
function marked(text, terms) {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return [text]
  const pattern = new RegExp(`(${words.join('|')})`, 'gi')
  return text.split(pattern).map((part, at) => (at % 2 === 1 ? element('mark', {}, part) : part))
}

function choose(at) {
  chosen = (at + results.length) % results.length
  for (const [place, item] of [...list.children].entries()) {
    item.setAttribute('aria-selected', String(place === chosen))
    if (place === chosen) item.scrollIntoView({ block: 'nearest' })
  }
  input.setAttribute('aria-activedescendant', `ob-result-${chosen}`)
}

/** The words of the documentation with the fewest letters that differ from a word, at most three. */
function closestTo(index, word) {
  for (let letters = 1; letters <= 3; letters++) {
    const terms = new Set(index.search(word, { fuzzy: letters, prefix: false }).flatMap((found) => found.terms))
    if (terms.size > 0) return [...terms]
  }
  return []
}

/** The closest words in place of words that find nothing, and after them the first guides. */
function suggest(index, words) {
  const closest = words.split(/\s+/).map((word) => closestTo(index, word))
  const together = closest.flatMap(([first = []]) => first).join(' ')
  const suggested = [...new Set([together, ...closest.flat()])].filter(Boolean)
  const guides = index.search(MiniSearch.wildcard, {
    filter: ({ kind, heading }) => kind === 'Guide' && heading === '',
  })
  return [
    ...suggested.slice(0, most_suggested).map((title) => ({ kind: 'Search for', title, is_word: true, terms: [] })),
    ...guides.slice(0, most_suggested),
  ]
}

function open(at) {
  const found = results[at]
  if (!found) return
  if (found.is_word) {
    input.value = found.title
    void search()
    return
  }
  dialog.close()
  location.assign(base + found.path)
}

function itemOf({ kind, title, heading, excerpt, terms }, at) {
  const item = element(
    'li',
    { id: `ob-result-${at}` },
    element('small', {}, kind),
    ' ',
    element('b', {}, ...marked(title, terms)),
    ...(heading ? [' › ', ...marked(heading, terms)] : []),
    ...(excerpt ? [element('p', {}, ...marked(excerpt, terms))] : []),
  )
  item.setAttribute('role', 'option')
  item.addEventListener('click', () => open(at))
  item.addEventListener('mousemove', () => at !== chosen && choose(at))
  return item
}

async function search() {
  const index = await load()
  const words = input.value.trim()
  const all = words === '' ? [] : index.search(words)
  const found = all.length > 0 || words === '' ? all : index.search(words, { combineWith: 'OR' })
  const is_nothing = words !== '' && found.length === 0
  results = is_nothing ? suggest(index, words) : found.slice(0, most)
  list.replaceChildren(...results.map(itemOf))
  help.textContent = is_nothing
    ? `Nothing matches “${words}”. These are the closest words and the first guides.`
    : '↑ ↓ to choose, Enter to open, Esc to close'
  if (results.length > 0) choose(0)
  else input.removeAttribute('aria-activedescendant')
}

function show() {
  if (dialog.open) return
  void load()
  dialog.showModal()
  input.select()
}

button.addEventListener('click', show)
if (/Mac|iPhone|iPad/.test(navigator.platform)) button.querySelector('kbd').textContent = '⌘ K'
input.addEventListener('input', () => void search())
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
dialog.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step && results.length > 0) {
    event.preventDefault()
    choose(chosen + step)
  }
  if (event.key === 'Enter') {
    event.preventDefault()
    open(chosen)
  }
  // The field would only be emptied.
  if (event.key === 'Escape') {
    event.preventDefault()
    dialog.close()
  }
})
addEventListener('keydown', (event) => {
  const is_typing =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
  const is_asked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
  if (!is_asked && (event.key !== '/' || is_typing)) return
  event.preventDefault()
  show()
})
