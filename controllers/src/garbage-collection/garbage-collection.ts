import { isConditionTrue, karpenterKinds, kinds, type Milliseconds, type NodeClaim } from '@kerf/apis'
import { isNodeClaimNotFound, measuredProvider } from '@kerf/provider-contract'
import { type Controller, mapLimit, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { ClaimDeletion } from '../node-claims/claim-deletion.ts'
import { ClaimNodes } from '../node-claims/claim-nodes.ts'
import { isManagedClaim } from '../node-claims/ownership.ts'
import { read } from '../read.ts'

const INTERVAL: Milliseconds = 120_000
/** As many as providers ask about with one call. */
const AT_ONCE = 500

/** The claim's instance; empty for one that has none. */
const instanceOf = (claim: NodeClaim): string => claim.status?.providerID ?? ''

/**
 * `nodeclaim.garbagecollection`: deletes registered claims whose instance the cloud no longer lists, unless their Node is
 * Ready all the same (`docs/spec/lifecycle.md#garbage-collection`). Instances without a claim are the providers' own
 * business.
 *
 * The claims are noted before the cloud is asked: one that registers meanwhile may be missing from an older answer. A
 * list says whom to ask about, no more: it rests on ownership tags, which may have been taken away, and may be behind.
 * A claim is deleted only when the provider says of its very instance that it is gone or going.
 */
export const garbageCollection = (deps: Deps): Controller => {
  const name = 'nodeclaim.garbagecollection'
  const log = deps.log.child(name)
  const provider = measuredProvider(deps.provider, { ...deps, controller: name })
  const links = new ClaimNodes(deps.informers)
  const deletion = new ClaimDeletion(deps)

  const mayBeGone = (claim: NodeClaim): boolean =>
    isManagedClaim(provider, claim) &&
    claim.metadata.deletionTimestamp === undefined &&
    instanceOf(claim) !== '' &&
    isConditionTrue(claim, 'Registered')

  const isGone = async (claim: NodeClaim, signal: AbortSignal): Promise<boolean> => {
    try {
      return (await provider.get(instanceOf(claim), signal)).deletionTimestamp !== undefined
    } catch (error) {
      if (isNodeClaimNotFound(error)) return true
      throw error
    }
  }

  const collect = async (claim: NodeClaim, signal: AbortSignal): Promise<void> => {
    if (!(await isGone(claim, signal))) return
    const nodes = links.nodesOf(claim)
    const node = links.nodeOf(claim)
    if (node !== undefined && isConditionTrue(node, 'Ready')) return
    const pods = nodes.flatMap(({ metadata }) => links.podsOn(metadata.name))
    log.debug('garbage collecting nodeclaim with no cloudprovider representation', {
      NodeClaim: { name: claim.metadata.name },
      'provider-id': claim.status?.providerID,
      ...(node === undefined ? {} : { Node: { name: node.metadata.name } }),
    })
    await deletion.delete(claim, 'garbage_collected', { pods, signal })
  }

  return {
    name,
    sources: [
      read(deps.informers, karpenterKinds.NodeClaim),
      read(deps.informers, kinds.Node),
      read(deps.informers, kinds.Pod),
    ],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const registered = [...links.claims.values()].filter(mayBeGone)
      const instances = await provider.list(signal)
      const live = new Set(
        instances
          .filter(({ deletionTimestamp }) => deletionTimestamp === undefined)
          .map(({ providerID }) => providerID),
      )
      const lost = registered.filter((claim) => !live.has(instanceOf(claim)))
      await mapLimit(lost, AT_ONCE, (claim, inner) => collect(claim, inner), signal)
      return retryAfter(INTERVAL)
    },
  }
}
