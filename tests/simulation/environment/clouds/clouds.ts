import { importProviderExports } from '../../../support/provider-exports.ts'
import type { CloudName } from '../../runs/simulated-run.ts'
import type { CloudSimulation, PlacedObject } from './cloud.ts'

const simulations: ReadonlyMap<CloudName, CloudSimulation> = new Map(
  (await importProviderExports<{ readonly simulation: CloudSimulation }>('./testing/simulation')).map(
    ({ simulation }) => [simulation.name, simulation],
  ),
)

/**
 * Returns the simulation of a cloud.
 *
 * @throws Error if no provider has a simulated cloud of that name
 */
export const cloudSimulation = (name: CloudName): CloudSimulation => {
  const simulation = simulations.get(name)
  if (simulation === undefined) throw new Error(`no provider simulates the cloud ${name}`)
  return simulation
}

/** The objects that exist in the clusters of all clouds. */
export const inEveryCluster: readonly PlacedObject[] = [...simulations.values()].flatMap(
  (each) => each.inEveryCluster ?? [],
)
