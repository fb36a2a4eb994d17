import { afterEach } from 'vitest'
import { Harness, type HarnessOptions } from './harness/index.ts'

/** Returns a function that starts a Kerf with a complete cluster. Both stop after the test. */
export const harnessPerTest = (): ((options?: HarnessOptions) => Promise<Harness>) => {
  const harnesses: Harness[] = []
  afterEach(() => {
    for (const harness of harnesses.splice(0)) harness.stop()
  })
  return async (options = {}) => {
    const harness = await Harness.create({ cluster: 'whole', ...options })
    harnesses.push(harness)
    return harness
  }
}

/** Long enough for a disruption pass, its validation and its immediate effects. */
export const PASS = 30_000
