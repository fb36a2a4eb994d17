import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { type HourName, readHour, Walk } from './hour.ts'
import { findKubectl } from './kubectl.ts'
import { stepsWithKubectl } from './steps-with-kubectl.ts'

const page = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8').replace(/ \\\n\s*/g, ' ')

/**
 * Defines the tests of a new user's first hour. Each step continues from the previous one. If there is no kubectl, the steps that need it
 * are skipped, and `npm test` prints a line about them.
 */
export const defineHour = (name: HourName): void => {
  describe(`the first hour: ${name}`, () => {
    const hour = readHour(name)
    const walk = new Walk(name, hour)
    const haveKubectl = findKubectl() !== undefined
    const withKubectl = stepsWithKubectl(hour.steps)
    afterAll(() => walk.close())

    test('the documentation contains each command that a step quotes', () => {
      for (const { doc, types = '', docSays = types } of hour.steps) {
        if (doc !== undefined)
          expect({ doc, command: docSays, stands: page(doc).includes(docSays) }).toEqual({
            doc,
            command: docSays,
            stands: true,
          })
      }
    })

    test.for(hour.steps.map((step, index) => [`${index + 1}. ${step.types ?? 'Ctrl-C'}`, step] as const))(
      '%s',
      async ([, step], { skip }) => {
        skip(!haveKubectl && withKubectl.has(step), 'no kubectl')
        const { exit, output } = await walk.take(step)
        expect({ exit, output }).toMatchObject({ exit: step.exit ?? 0 })
        for (const text of step.sees ?? []) expect(output).toContain(text)
        for (const text of haveKubectl ? (step.seesAfterKubectl ?? []) : []) expect(output).toContain(text)
        for (const text of step.seesNot ?? []) expect(output).not.toContain(text)
        // No output contains a stack trace.
        expect(output).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
      },
    )
  })
}
