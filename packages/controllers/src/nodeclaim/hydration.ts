import { karpenterKinds, kinds, type NodeClaim, nodeClassLabel, ownValue } from '@kerf/apis'
import { type Controller, done, isNotFound, type KubeClient } from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { ClaimNodes } from './claim-nodes.ts'
import { isManagedClaim } from './ownership.ts'

/**
 * Adds the node class label to claims and Nodes of older versions (controllers `nodeclaim.hydration` and `node.hydration`,
 * `docs/spec/lifecycle.md#other-claim-controllers`).
 */
export const hydration = (deps: Deps): readonly Controller[] => {
  const { client, informers, provider, settings } = deps
  const links = new ClaimNodes(informers)
  const common = {
    concurrency: concurrency(settings, 1000, 5000),
    backoff: { base: 100, max: 60_000 },
    rate: { qps: 10, burst: 100 },
  }
  return [
    {
      ...common,
      name: 'nodeclaim.hydration',
      reconciles: karpenterKinds.NodeClaim,
      sources: links.claimSources(),
      reconcile: async (key, signal) => {
        const claim = links.claims.get(key)
        if (claim === undefined || !isManagedClaim(provider, claim)) return done()
        if (!isHydrated(claim.metadata.labels, claim)) await label(client, 'NodeClaim', key, claim, signal)
        return done()
      },
    },
    {
      ...common,
      name: 'node.hydration',
      reconciles: kinds.Node,
      sources: links.nodeSources(),
      reconcile: async (key, signal) => {
        const node = links.nodes.get(key)
        const claim = node === undefined ? undefined : links.claimOf(node)
        if (node === undefined || claim === undefined || !isManagedClaim(provider, claim)) return done()
        if (!isHydrated(node.metadata.labels, claim)) await label(client, 'Node', key, claim, signal)
        return done()
      },
    },
  ]
}

const isHydrated = (labels: Readonly<Record<string, string>> | undefined, claim: NodeClaim): boolean =>
  ownValue(labels, nodeClassLabel(claim.spec.nodeClassRef)) === claim.spec.nodeClassRef.name

const label = async (
  client: KubeClient,
  kind: 'Node' | 'NodeClaim',
  name: string,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<void> => {
  const { nodeClassRef } = claim.spec
  const body = { metadata: { labels: { [nodeClassLabel(nodeClassRef)]: nodeClassRef.name } } }
  try {
    if (kind === 'Node') await client.patch(kinds.Node, { name }, { type: 'merge', body }, { signal })
    else await client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body }, { signal })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
