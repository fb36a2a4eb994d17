import { findCondition, kinds, type Milliseconds, type Node, parseTime, taints } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, isConflict, isNotFound, type Outcome, retry, retryAfter, source } from '@kerf/runtime'

/** How long a node must be ready before Kerf removes its taint. The attach script may add taints for a while after the registration. */
const READY_FOR: Milliseconds = 15_000
const AGAIN: Milliseconds = 60_000
const REGISTERED = 'karpenter.sh/registered'

const hasTaint = ({ spec }: Node): boolean =>
  (spec.taints ?? []).some(
    ({ key, effect }) => key === taints.unregistered.key && effect === taints.unregistered.effect,
  )

const isCandidate = (node: Node): boolean =>
  node.metadata.labels !== undefined && Object.hasOwn(node.metadata.labels, REGISTERED) && hasTaint(node)

/**
 * Removes the taint `karpenter.sh/unregistered` from registered nodes, because ACK's script may add it again after the registration
 * (`providers/alibaba/docs/spec/alibaba.md#bootstrap`). Keeps taints with the same key and another effect.
 */
export const unregisteredTaint = ({
  client,
  informers,
  clock,
}: Pick<ProviderContext, 'client' | 'informers' | 'clock'>): Controller => {
  const nodes = informers.of(kinds.Node)
  return {
    name: 'node.unregisteredtaint',
    sources: [source(nodes, ({ after }) => (after !== undefined && isCandidate(after) ? [after.metadata.name] : []))],
    concurrency: 10,
    reconcile: async (name, signal): Promise<Outcome> => {
      const node = nodes.get(name)
      if (node === undefined || !isCandidate(node)) return done()
      const ready = findCondition(node, 'Ready')
      const since = parseTime(ready?.lastTransitionTime)
      if (ready?.status !== 'True' || since === undefined) return retryAfter(AGAIN)
      const wait = since + READY_FOR - clock.now()
      if (wait > 0) return retryAfter(wait)
      const { resourceVersion } = node.metadata
      const kept = (node.spec.taints ?? []).filter(
        ({ key, effect }) => key !== taints.unregistered.key || effect !== taints.unregistered.effect,
      )
      const body = { metadata: { resourceVersion }, spec: { taints: kept } }
      try {
        await client.patch(kinds.Node, { name }, { type: 'merge', body }, { signal })
      } catch (error) {
        if (isConflict(error)) return retry()
        if (!isNotFound(error)) throw error
      }
      return done()
    },
  }
}
