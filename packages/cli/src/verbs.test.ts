import { expect, test } from 'vitest'
import { verbs } from './verbs.ts'

test.each(verbs)('$name has the name and the summary of its own module', async ({ name, summary, load }) => {
  expect(await load?.()).toMatchObject({ name, summary })
})
