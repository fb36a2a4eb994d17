import { expect, test } from 'vitest'
import { siteProblems } from './site-rule.ts'

/** Pages that are not there, and must not look as if somebody named them. */
const page = (name: string): string => `docs/${name}.md`

test('a page that the navigation lacks is named, one below a folder of pages is not', () => {
  expect(siteProblems([page('a'), page('b'), page('spec/c'), 'engine/README.md'], [page('a')])).toEqual([
    `${page('b')}: readers of the site do not find it: add a line to docs/site/reading-order.ts`,
  ])
})

test('the README of a folder needs no line in the navigation', () => {
  expect(siteProblems([page('images/README'), 'providers/x/docs/README.md'], [])).toEqual([])
})

test('a page of a provider is named with the navigation of the provider', () => {
  const ofProvider = (name: string): string => `providers/x/${page(name)}`
  expect(siteProblems([ofProvider('a'), ofProvider('b'), ofProvider('spec/c')], [ofProvider('a')])).toEqual([
    `${ofProvider('b')}: readers of the site do not find it: add a line to providers/x/docs/navigation.json`,
  ])
})

test('an entry without a page, and one that is defined twice', () => {
  expect(siteProblems([page('a')], [page('a'), page('a'), page('gone')])).toEqual([
    `docs/site/reading-order.ts: there is no ${page('gone')}`,
    `docs/site/reading-order.ts: ${page('a')} is defined twice`,
  ])
})
