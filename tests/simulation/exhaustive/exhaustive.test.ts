import { isNightly, sampled } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playPoints } from './play-points.ts'
import { drawTenth, listPoints } from './point.ts'
import { Report } from './report.ts'
import { stories } from './stories/index.ts'

/** The seed that property tests are set to use (tests/support/setup/property-seed.ts), or else a fresh seed. */
const seed = String(fc.readConfigureGlobal()?.seed ?? fc.sample(fc.nat(), 1)[0])

/**
 * The number of points (moments at which a failure is injected) that a normal run tests in each story. A nightly run instead tests a tenth
 * of all points, selected by the seed.
 */
const FEW = 2

test('every story completes, undisturbed and with a failure at each selected point', async () => {
  const names = stories.map(({ name }) => name)
  const report = new Report(names)
  await playPoints(names, {
    workers: isNightly() ? 2 : 1,
    choose: isNightly() ? drawTenth(seed) : (counts, story) => sampled(listPoints(counts), FEW, story),
    onRecorded: (story, points) => report.record(story, points),
    onAnswer: (answer) => {
      report.add(answer)
      return 'go on'
    },
  })
  if (isNightly()) process.stdout.write(`a tenth of the points, drawn by --tenth ${seed}\n${report.table()}\n`)
  expect(report.problems).toEqual([])
  expect(report.held).toBe(report.points)
  expect(report.points).toBeGreaterThanOrEqual(isNightly() ? 200 : FEW * stories.length)
})
