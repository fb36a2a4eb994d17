import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playPoints } from './play-points.ts'
import { Report } from './report.ts'
import { stories } from './stories/index.ts'

/** The seed of property tests where they have one, and a fresh one where they do not: test/setup/property-seed.ts. */
const seedOf = (): string => String(fc.readConfigureGlobal()?.seed ?? fc.sample(fc.nat(), 1)[0])

test('every story holds, and so does each point of a drawn tenth', { timeout: 900_000 }, async () => {
  const seed = seedOf()
  const names = stories.map(({ name }) => name)
  const report = new Report(names)
  await playPoints(names, {
    workers: 2,
    tenth: seed,
    onRecorded: (story, points) => report.record(story, points),
    onAnswer: (answer) => {
      report.add(answer)
      return 'go on'
    },
  })
  process.stdout.write(`a tenth of the points, drawn by --tenth ${seed}\n${report.table()}\n`)
  expect(report.problems, `drawn by --tenth ${seed}`).toEqual([])
  expect(report.held).toBe(report.points)
  expect(report.points).toBeGreaterThan(200)
})
