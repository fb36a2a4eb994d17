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
 * Returns what a seed needs to know about a cloud.
 *
 * @throws Error for a name that is not in `CLOUDS`
 */
export const drawsOf = (name: CloudName): CloudDraws => {
  const cloud = clouds.get(name)
  if (cloud === undefined) throw new Error(`there is no cloud ${name}; known are ${CLOUDS.join(', ')}`)
  return cloud
}

const all = CLOUDS.map(drawsOf)

/** The clouds with a share of the runs. */
export const SHARES: readonly { readonly name: CloudName; readonly share: number }[] = all.flatMap(({ name, share }) =>
  share === undefined ? [] : [{ name, share }],
)

/** A name for each ticket of a cloud in the draw of the other runs, clouds with more tickets first. */
export const TICKETS: readonly CloudName[] = all
  .toSorted((a, b) => (b.tickets ?? 0) - (a.tickets ?? 0))
  .flatMap(({ name, tickets = 0 }) => Array.from({ length: tickets }, () => name))

/** Reports whether seeds draw the cloud. Other clouds must be named: more clouds in the draw would change the run of every seed. */
export const isDrawn = (cloud: CloudName): boolean =>
  TICKETS.includes(cloud) || SHARES.some(({ name }) => name === cloud)

export const cloudNamesOf = (cloud: CloudName): CloudNames => drawsOf(cloud).names

/** Returns the NodePool with the node class of a cloud. */
export const poolOn = (cloud: CloudName, pool: NodePool): NodePool => ({
  ...pool,
  spec: {
    ...pool.spec,
    template: {
      ...pool.spec.template,
      spec: { ...pool.spec.template.spec, nodeClassRef: cloudNamesOf(cloud).nodeClassRef },
    },
  },
})

/** Does the same for any object, and changes only NodePools. */
export const objectOn = (cloud: CloudName, object: KubeObject): KubeObject =>
  object.kind === 'NodePool' ? poolOn(cloud, object as NodePool) : object
