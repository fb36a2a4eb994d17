import { expect, test } from 'vitest'
import { verbs } from './verbs.ts'

test.each(verbs)('$name is called and summed up as in its own file', async ({ name, summary, load }) => {
  expect(await load?.()).toMatchObject({ name, summary })
})
