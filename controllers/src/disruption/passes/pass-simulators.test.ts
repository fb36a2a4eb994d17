import { expect, test, vi } from 'vitest'
import { busy, closedWith, MIDDLE, open } from '../../testing/closed-pools.ts'
import { PASS, worldPerTest } from '../../testing/world-per-test.ts'
import { PassSimulators } from './pass-simulators.ts'

const closed = closedWith(worldPerTest())

test('where nothing has drifted, passes and validations read the cluster for consolidation only', async () => {
  const w = await closed({}, MIDDLE)
  await busy(w, 2, '200m')
  const make = vi.spyOn(PassSimulators.prototype, 'make')
  await open(w)
  await w.pass(PASS)
  expect((await w.staying()).length).toBe(1)
  expect(new Set(make.mock.calls.map(([, consolidation]) => consolidation))).toEqual(new Set([true]))
})
