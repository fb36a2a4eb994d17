import { afterEach } from 'vitest'
import { DisruptionWorld, type DisruptionWorldOptions } from './disruption-world.ts'

/** The way to start a world that ends with its test. */
export const worldPerTest = (): ((options?: DisruptionWorldOptions) => Promise<DisruptionWorld>) => {
  const worlds: DisruptionWorld[] = []
  afterEach(() => {
    for (const world of worlds.splice(0)) world.stop()
  })
  return async (options = {}) => {
    const world = await DisruptionWorld.create(options)
    worlds.push(world)
    return world
  }
}

/** A loop of disruption, its wait for validation, and what follows at once. */
export const PASS = 30_000
