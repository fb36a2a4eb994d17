import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MOVED_PAGES } from '../docs/site/moved-pages.ts'
import { siteProblems } from './site-rule.ts'
import { root } from './source-files.ts'

/** Returns the path of a page that does not exist. It is built at run time, so that the rule for references does not find it here. */
const page = (name: string): string => `docs/${name}.md`

test('a page that is missing in the navigation is reported; a page below a folder of pages is not', () => {
  expect(siteProblems([page('a'), page('b'), page('spec/c'), 'engine/README.md'], [page('a')])).toEqual([
    `${page('b')}: readers of the site do not find it: add a line to docs/site/reading-order.ts`,
  ])
})

test('a folder’s README needs no line in the navigation', () => {
  expect(siteProblems([page('images/README'), 'providers/x/docs/README.md'], [])).toEqual([])
})

test('a provider’s page is reported with the provider’s own navigation file', () => {
  const ofProvider = (name: string): string => `providers/x/${page(name)}`
  expect(siteProblems([ofProvider('a'), ofProvider('b'), ofProvider('spec/c')], [ofProvider('a')])).toEqual([
    `${ofProvider('b')}: readers of the site do not find it: add a line to providers/x/docs/navigation.json`,
  ])
})

test('reports an entry without a page, and an entry that is defined twice', () => {
  expect(siteProblems([page('a')], [page('a'), page('a'), page('gone')])).toEqual([
    `docs/site/reading-order.ts: there is no ${page('gone')}`,
    `docs/site/reading-order.ts: ${page('a')} is defined twice`,
  ])
})

test('earlier addresses of the site lead to pages that exist', () => {
  expect(Object.values(MOVED_PAGES).filter((page) => !existsSync(join(root, page)))).toEqual([])
  // `docs/mutation/` is the former folder of the results of mutation testing.
  expect(MOVED_PAGES['mutation/disruption']).toBe('tests/support/mutation/results/disruption.md')
})
