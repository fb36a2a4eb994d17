import type { ConformanceWorld } from '@kerf/provider-contract/conformance'
import type { AzureWorld } from './azure-world.ts'

const worlds = new WeakMap<ConformanceWorld, AzureWorld>()

/** Records the Azure world of a world of the suite. */
export const keepAzureWorld = (world: ConformanceWorld, own: AzureWorld): void => {
  worlds.set(world, own)
}

/**
 * Returns the Azure world of a world of the suite, for the checks of this package.
 *
 * @throws Error for a world that the driver did not create.
 */
export const azureWorldOf = (world: ConformanceWorld): AzureWorld => {
  const found = worlds.get(world)
  if (found === undefined) throw new Error('the Azure driver did not make this world')
  return found
}
