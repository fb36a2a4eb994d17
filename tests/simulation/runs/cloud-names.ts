import type { KubeObject, NodePool } from '@kerf/apis'
import { importProviderExports } from '../../support/provider-exports.ts'
import type { CloudDraws, CloudNames } from './cloud-draws.ts'
import type { CloudName } from './simulated-run.ts'

const clouds: ReadonlyMap<CloudName, CloudDraws> = new Map(
  (await importProviderExports<{ readonly simulation: CloudDraws }>('./testing/simulation')).map(({ simulation }) => [
    simulation.name,
    simulation,
  ]),
)

/** The names of all clouds, in alphabetical order. */
export const CLOUDS: readonly CloudName[] = [...clouds.keys()].toSorted()

/**
 * Returns the data about a cloud that the generator of runs needs.
 * @throws Error if the name is not in `CLOUDS`
 */
export const cloudDraws = (name: CloudName): CloudDraws => {
  const cloud = clouds.get(name)
  if (cloud === undefined) throw new Error(`there is no cloud ${name}; known are ${CLOUDS.join(', ')}`)
  return cloud
}

const all = CLOUDS.map(cloudDraws)

/** The clouds to which a fixed share of the runs is assigned. */
export const SHARES: readonly { readonly name: CloudName; readonly share: number }[] = all.flatMap(({ name, share }) =>
  share === undefined ? [] : [{ name, share }],
)

/** The names of clouds, each repeated as often as it has tickets. Clouds with more tickets come first. */
export const TICKETS: readonly CloudName[] = all
  .toSorted((a, b) => (b.tickets ?? 0) - (a.tickets ?? 0))
  .flatMap(({ name, tickets = 0 }) => Array.from({ length: tickets }, () => name))

/**
 * Reports whether seeds select the cloud. Other clouds run only if `--cloud` selects them, because adding a cloud to the selection would
 * change the run of every seed.
 */
export const isDrawn = (cloud: CloudName): boolean =>
  TICKETS.includes(cloud) || SHARES.some(({ name }) => name === cloud)

/** The clouds that no seed selects. They run only if `--cloud` selects them. */
export const UNDRAWN: readonly CloudName[] = CLOUDS.filter((cloud) => !isDrawn(cloud))

export const cloudNames = (cloud: CloudName): CloudNames => cloudDraws(cloud).names

/** Returns the NodePool with a reference to the cloud's node class. */
export const poolOn = (cloud: CloudName, pool: NodePool): NodePool => ({
  ...pool,
  spec: {
    ...pool.spec,
    template: {
      ...pool.spec.template,
      spec: { ...pool.spec.template.spec, nodeClassRef: cloudNames(cloud).nodeClassRef },
    },
  },
})

/** Does the same as `poolOn` for a NodePool that has the type KubeObject. Returns other objects unchanged. */
export const objectOn = (cloud: CloudName, object: KubeObject): KubeObject =>
  object.kind === 'NodePool' ? poolOn(cloud, object as NodePool) : object
