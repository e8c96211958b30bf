import { describe, expect, it } from 'vitest'
import { chaptersOf, headingsOf, slugOf, withLinks } from './chapters.ts'

const file = `# Title

Above all.

## First one

Text.

\`\`\`sh
## no heading
\`\`\`

### Below it

## A "second", with \`code\`

More.
`

it('makes a page of each chapter, with its headings raised, and of none in a block of code', () => {
  expect(chaptersOf(file)).toEqual([
    { slug: 'first-one', title: 'First one', markdown: '\nText.\n\n```sh\n## no heading\n```\n\n## Below it\n' },
    { slug: 'a-second-with-code', title: 'A "second", with `code`', markdown: '\nMore.\n' },
  ])
  expect(headingsOf(chaptersOf(file)[0]!.markdown)).toEqual([{ level: 2, title: 'Below it' }])
})

it.each([
  ['Values: text, days, money, null', 'values-text-days-money-null'],
  ['Stopping, signals, kill -9', 'stopping-signals-kill--9'],
  ['A café', 'a-café'],
])('names %s as code hosts do', (heading, slug) => expect(slugOf(heading)).toBe(slug))

describe('links', () => {
  const places: Record<string, string> = {
    'docs/integrating.md#census': '/docs/census',
    'docs/operations.md': '/docs/operations/settings',
    'README.md#the-tour': '/docs/the-tour',
  }
  it.each([
    ['of the file itself', 'see [it](#census)', 'see [it](/docs/census)'],
    ['of another file', '[run](operations.md)', '[run](/docs/operations/settings)'],
    ['of a folder above', '[tour](../README.md#the-tour)', '[tour](/docs/the-tour)'],
    ['of another site', '[x](https://example.com/a.md)', '[x](https://example.com/a.md)'],
    ['of what is not on the site', 'the [decision](decisions/0001.md).', 'the decision.'],
    ['over two lines', 'the [roster, the\n  census](#census)', 'the [roster, the\n  census](/docs/census)'],
    ['of two paragraphs', 'a [b\n\nc](#census)', 'a [b\n\nc](#census)'],
    ['and no picture', '![a bar](pictures/bar.svg)', '![a bar](pictures/bar.svg)'],
    ['in code', '```\n[it](#census)\n```', '```\n[it](#census)\n```'],
  ])('%s', (_, written, linked) => {
    expect(withLinks(written, 'docs/integrating.md', (target) => places[target])).toBe(linked)
  })
})
