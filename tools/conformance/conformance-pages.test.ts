import { expect, test } from 'vitest'
import { BUILT_PAGES } from '../../docs/site/reading-order.ts'
import { conformancePages } from './conformance-pages.ts'

test('each fact, edge case and quirk has a test or a reason, and each test of a fact is in the list', async () => {
  const pages = await conformancePages()
  expect(pages.map(({ path }) => path)).toEqual(BUILT_PAGES)
  for (const { content } of pages) expect(content.match(/^\| /gm)?.length).toBeGreaterThan(50)
})
