import { afterEach } from 'vitest'
import { World, type WorldOptions } from './world/index.ts'

/** Returns a function that starts a world with a complete cluster. The world stops after the test. */
export const worldPerTest = (): ((options?: WorldOptions) => Promise<World>) => {
  const worlds: World[] = []
  afterEach(() => {
    for (const world of worlds.splice(0)) world.stop()
  })
  return async (options = {}) => {
    const world = await World.create({ cluster: 'whole', ...options })
    worlds.push(world)
    return world
  }
}

/** The time for a disruption pass, its wait for validation, and its immediate effects. */
export const PASS = 30_000
