import { karpenterKinds, kinds, type Node, type NodeClaim } from '@kerf/apis'
import {
  type Clock,
  type Controller,
  isNotFound,
  type KubeClient,
  type Logger,
  type Milliseconds,
  mapLimit,
  retryAfter,
} from '@kerf/runtime'
import type { InstanceView } from './cloud-provider.ts'
import { isNodeClaimNotFound } from './errors.ts'
import { timeOf } from './timestamp.ts'

export interface InstanceGarbageCollectionOptions {
  /** The controller's name, e.g. `instance.garbagecollection`. */
  readonly name: string
  readonly client: KubeClient
  readonly clock: Clock
  readonly log: Logger
  /** Every instance the provider owns; a call that fails deletes nothing. */
  readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]>
  /** Ends one instance; may be repeated. */
  readonly terminate: (instance: InstanceView, signal: AbortSignal) => Promise<void>
  /** Younger instances are left alone: their NodeClaim may not have its status yet. Default 30 s. */
  readonly grace?: Milliseconds
  /** Pause between two rounds. Default 2 min; the first 20 rounds come every 10 s, for what a crash left behind. */
  readonly interval?: Milliseconds
}

const CONCURRENCY = 20
const EAGER_ROUNDS = 20
const EAGER_INTERVAL: Milliseconds = 10_000

/**
 * Ends instances that no NodeClaim stands for, and deletes their Nodes (`spec/provider-contract.md` 5, B01–B04). The
 * other direction, claims whose instance is gone, is the core's.
 *
 * NodeClaims are read from the API server after the cloud was listed, so that a claim made meanwhile is seen.
 */
export const instanceGarbageCollection = (options: InstanceGarbageCollectionOptions): Controller => {
  const { client, clock, log } = options
  const grace = options.grace ?? 30_000
  const interval = options.interval ?? 120_000
  let rounds = 0

  const collect = async (instance: InstanceView, nodes: readonly Node[], signal: AbortSignal): Promise<void> => {
    try {
      await options.terminate(instance, signal)
    } catch (error) {
      if (!isNodeClaimNotFound(error)) throw error
    }
    for (const node of nodes) {
      if (node.spec.providerID !== instance.providerID || node.metadata.deletionTimestamp !== undefined) continue
      try {
        await client.delete(kinds.Node, { name: node.metadata.name ?? '' }, { signal, ...uidGuard(node.metadata.uid) })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    log.info('garbage collected instance', { 'provider-id': instance.providerID })
  }

  return {
    name: options.name,
    sources: [],
    concurrency: 1,
    singleton: true,
    reconcile: async (_key, signal) => {
      const instances = await options.list(signal)
      const claims = await client.list(karpenterKinds.NodeClaim, { signal })
      const isLeaked = leakedAmong(claims.items, clock.now() - grace)
      const leaked = instances.filter(isLeaked)
      if (leaked.length > 0) {
        const nodes = await client.list(kinds.Node, { signal })
        await mapLimit(leaked, CONCURRENCY, (instance, inner) => collect(instance, nodes.items, inner), signal)
      }
      rounds++
      return retryAfter(rounds < EAGER_ROUNDS ? Math.min(EAGER_INTERVAL, interval) : interval)
    },
  }
}

const uidGuard = (uid: string | undefined): { preconditions?: { uid: string } } =>
  uid === undefined ? {} : { preconditions: { uid } }

const leakedAmong = (claims: readonly NodeClaim[], bornBefore: Milliseconds): ((instance: InstanceView) => boolean) => {
  const providerIDs = new Set(claims.flatMap((claim) => claim.status?.providerID ?? []))
  const uids = new Set(claims.flatMap((claim) => claim.metadata.uid ?? []))
  return (instance) => {
    if (instance.deletionTimestamp !== undefined || providerIDs.has(instance.providerID)) return false
    if (instance.nodeClaimUid !== undefined && uids.has(instance.nodeClaimUid)) return false
    const born = timeOf(instance.createdAt)
    return born !== undefined && born <= bornBefore
  }
}
