import type { ConformanceWorld } from '@kerf/provider-contract/conformance'
import type { AwsWorld } from './aws-world.ts'

const worlds = new WeakMap<ConformanceWorld, AwsWorld>()

/** Records the AWS world of a world of the suite. */
export const keepAwsWorld = (world: ConformanceWorld, own: AwsWorld): void => {
  worlds.set(world, own)
}

/**
 * Returns the AWS world of a world of the suite, for the checks of this package.
 *
 * @throws Error for a world that the AWS driver did not create.
 */
export const awsWorldOf = (world: ConformanceWorld): AwsWorld => {
  const found = worlds.get(world)
  if (found === undefined) throw new Error('the AWS driver did not make this world')
  return found
}
