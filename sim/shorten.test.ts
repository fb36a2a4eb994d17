import { expect, test } from 'vitest'
import { drawCourse } from './course/draw-course.ts'
import { shorten } from './shorten.ts'

test('what is left fails, and nothing of it can be left out', async () => {
  const course = drawCourse(7)
  const [a, b] = [course.steps[1]?.id, course.steps.at(-2)?.id]
  let runs = 0
  const short = await shorten(course, async ({ steps }) => {
    runs++
    const ids = steps.map(({ id }) => id)
    return ids.includes(a ?? '') && ids.includes(b ?? '')
  })
  expect(short.steps.map(({ id }) => id)).toEqual([a, b])
  expect(runs).toBeLessThan(60)
})

test('a course that fails without any step is empty in the end', async () => {
  expect((await shorten(drawCourse(7), async () => true)).steps).toEqual([])
})
