import { afterEach } from 'vitest'
import { World, type WorldOptions } from './world/index.ts'

/** Returns how to start a world with a whole cluster, which ends with its test. */
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

/** A disruption pass, its wait for validation, and what follows at once. */
export const PASS = 30_000
