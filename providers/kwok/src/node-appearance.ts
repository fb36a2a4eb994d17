import { karpenterKinds, kinds, type NodeClaim, tryParseDuration } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, isAlreadyExists, isNotFound, retryAfter, source, specSource } from '@kerf/runtime'
import type { GoneInstances } from './gone-instances.ts'
import { instanceNodeName, isProviderID, nodeOfClaim } from './instance-node.ts'
import { isBooting } from './instance-state.ts'
import { launchedAt } from './instance-view.ts'
import { kwokNodeClassKind } from './node-class/kwok-node-class.ts'

/**
 * Returns a controller that creates the Node of a launched NodeClaim after the registration delay of its node class. The time of creation
 * depends only on the claim, so that no Node is missing or duplicated after a restart.
 */
export const nodeAppearance = ({ client, informers, clock, log }: ProviderContext, gone: GoneInstances): Controller => {
  const claims = informers.of(karpenterKinds.NodeClaim)
  const nodes = informers.of(kinds.Node)
  const nodeClasses = informers.of(kwokNodeClassKind)

  const dueAt = (claim: NodeClaim): number => {
    const delay = nodeClasses.get(claim.spec.nodeClassRef.name)?.spec?.nodeRegistrationDelay
    return (launchedAt(claim) ?? clock.now()) + (delay === undefined ? 0 : (tryParseDuration(delay) ?? 0))
  }

  return {
    name: 'kwok.nodeappearance',
    sources: [
      source(claims, ({ after }) =>
        after?.metadata.name !== undefined && isBooting(after) ? [after.metadata.name] : [],
      ),
      specSource(nodeClasses, ({ after }) =>
        [...claims.values()]
          .filter((claim) => claim.spec.nodeClassRef.name === after?.metadata.name && isBooting(claim))
          .flatMap((claim) => claim.metadata.name ?? []),
      ),
    ],
    concurrency: 100,
    reconcile: async (key, signal) => {
      const seen = claims.get(key)
      if (seen === undefined || !isBooting(seen) || hasNode(seen)) return done()
      if (gone.has(seen.status?.providerID)) return done()
      const wait = dueAt(seen) - clock.now()
      if (wait > 0) return retryAfter(wait)

      // Reads from the API server, because the informer may lag and a NodeClaim that was just deleted must not get a Node.
      const claim = await readClaim(key, signal)
      const providerID = claim?.status?.providerID
      if (claim === undefined || !isBooting(claim) || !isProviderID(providerID)) return done()
      try {
        await client.create(kinds.Node, nodeOfClaim(claim, providerID), { signal })
        log.debug('node appeared', { NodeClaim: { name: key }, Node: { name: instanceNodeName(providerID) } })
      } catch (error) {
        if (!isAlreadyExists(error)) throw error
      }
      return done()
    },
  }

  function hasNode(claim: NodeClaim): boolean {
    const providerID = claim.status?.providerID
    return isProviderID(providerID) && nodes.get(instanceNodeName(providerID)) !== undefined
  }

  async function readClaim(name: string, signal: AbortSignal): Promise<NodeClaim | undefined> {
    try {
      return await client.get(karpenterKinds.NodeClaim, { name }, { signal })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}
