import type { Course } from './course/course.ts'
import { drawCourse } from './course/draw-course.ts'
import { failureReport } from './report.ts'
import { shorten } from './shorten.ts'
import { type Outcome, simulate } from './simulate.ts'

/** The seed's course, or only the steps that are named. */
export const courseOf = (seed: number, only?: readonly string[]): Course => {
  const course = drawCourse(seed)
  return only === undefined ? course : { ...course, steps: course.steps.filter(({ id }) => only.includes(id)) }
}

/** Looks for the shortest course that violates the same, and describes it. */
export const explainFailure = async ({ seed, violation }: Outcome): Promise<string> => {
  if (violation === undefined) return `seed ${seed} holds`
  const course = drawCourse(seed)
  const short = await shorten(course, async (shorter) => {
    try {
      return (await simulate(shorter)).violation?.invariant === violation.invariant
    } catch {
      // Goes wrong in another way.
      return false
    }
  })
  const again = await simulate(short)
  return failureReport(again.violation ?? violation, short, course.steps.length)
}
