import { expect, test } from 'vitest'
import { drawRun } from './runs/draw-run.ts'
import { shorten } from './shorten.ts'

test('the shortened run fails, and without any one of its steps it passes', async () => {
  const run = drawRun(7)
  const [a, b] = [run.steps[1]?.id, run.steps.at(-2)?.id]
  let runs = 0
  const short = await shorten(run, async ({ steps }) => {
    runs++
    const ids = steps.map(({ id }) => id)
    return ids.includes(a ?? '') && ids.includes(b ?? '')
  })
  expect(short.steps.map(({ id }) => id)).toEqual([a, b])
  expect(runs).toBeLessThan(60)
})

test('a run that fails even without steps is shortened to no steps', async () => {
  expect((await shorten(drawRun(7), async () => true)).steps).toEqual([])
})
