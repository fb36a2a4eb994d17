import { karpenterKinds, kinds, labels, type Milliseconds, type Node, type NodeClaim, parseTime } from '@kerf/apis'
import { type InstanceView, isNodeClaimNotFound } from '@kerf/provider-contract'
import {
  type Clock,
  type Controller,
  type InformerFactory,
  type KubeClient,
  type Logger,
  mapLimit,
  retryAfter,
  source,
} from '@kerf/runtime'
import { CLOCK_SKEW } from '../claims/clock-skew.ts'
import { deleteObject } from '../objects/delete-object.ts'

export interface InstanceGarbageCollectionOptions {
  /** The controller's name, e.g. `instance.garbagecollection`. */
  readonly name: string
  readonly client: KubeClient
  readonly informers: InformerFactory
  readonly clock: Clock
  readonly log: Logger
  /** Lists all instances that the provider owns. If this fails, no instances are terminated. */
  readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]>
  /** Terminates one instance. May be called several times for the same instance. */
  readonly terminate: (instance: InstanceView, signal: AbortSignal) => Promise<void>
  /**
   * Returns whether the instance may have been launched for this NodeClaim, which has no instance yet. Called only for instances without
   * the uid of their claim. By default, any claim of the instance's NodePool matches.
   */
  readonly mayBeFor?: (instance: InstanceView, claim: NodeClaim) => boolean
  /**
   * The minimum age of instances that may be terminated. The NodeClaim of a younger instance might not be visible in the API server yet.
   * Default 30 s.
   */
  readonly grace?: Milliseconds
  /** The pause between two rounds. Default 2 min. The first 20 rounds run every 10 s, to quickly remove what a crash left behind. */
  readonly interval?: Milliseconds
}

/** The maximum number of instances that are terminated concurrently. Providers combine them into one call. */
const CONCURRENCY = 100
const EAGER_ROUNDS = 20
const EAGER_INTERVAL: Milliseconds = 10_000

/**
 * Terminates instances that belong to no NodeClaim, and deletes their Nodes (`docs/spec/provider-contract.md#background-controllers`).
 * Another controller of the core handles claims whose instance is gone. The informer is only a cheap filter: an instance that is in the
 * status of a claim in the informer is kept. The informer may lag, so an instance is never terminated because of the informer alone. For
 * the remaining instances, the controller reads the NodeClaims from the API server after it has listed the cloud, so that it sees all
 * claims that existed at the time of the listing. If the claim of an instance exists but its status contains no instance yet, the instance
 * is kept, because the launch will adopt it. The instance is terminated if its claim is gone or has another instance.
 */
export const instanceGarbageCollection = (options: InstanceGarbageCollectionOptions): Controller => {
  const { client, clock, log } = options
  const grace = options.grace ?? 30_000
  const interval = options.interval ?? 120_000
  const mirror = options.informers.of(karpenterKinds.NodeClaim)
  let rounds = 0

  const collect = async (instance: InstanceView, nodes: readonly Node[], signal: AbortSignal): Promise<void> => {
    try {
      await options.terminate(instance, signal)
    } catch (error) {
      if (!isNodeClaimNotFound(error)) throw error
    }
    for (const node of nodes) {
      if (node.spec.providerID !== instance.providerID || node.metadata.deletionTimestamp !== undefined) continue
      await deleteObject(client, kinds.Node, node, signal)
    }
    log.info('garbage collected instance', { 'provider-id': instance.providerID })
  }

  const isOld = (instance: InstanceView): boolean => {
    const born = parseTime(instance.createdAt)
    return instance.deletionTimestamp === undefined && born !== undefined && born <= clock.now() - grace
  }

  return {
    name: options.name,
    sources: [source(mirror, () => [])],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const wait = rounds < EAGER_ROUNDS ? Math.min(EAGER_INTERVAL, interval) : interval
      if (clock.problem !== undefined) return retryAfter(wait)
      const suspects = unclaimed((await options.list(signal)).filter(isOld), mirror.values(), options)
      if (suspects.length > 0) {
        const claims = await client.list(karpenterKinds.NodeClaim, { signal })
        const leaked = unclaimed(suspects, claims.items, options)
        const nodes = leaked.length === 0 ? [] : (await client.list(kinds.Node, { signal })).items
        await mapLimit(leaked, CONCURRENCY, (instance, inner) => collect(instance, nodes, inner), signal)
      }
      rounds++
      return retryAfter(wait)
    },
  }
}

/** Returns the instances that belong to no NodeClaim and that no claim can still adopt. */
const unclaimed = (
  instances: readonly InstanceView[],
  claims: Iterable<NodeClaim>,
  { mayBeFor = () => true }: Pick<InstanceGarbageCollectionOptions, 'mayBeFor'>,
): readonly InstanceView[] => {
  const named = new Set<string>()
  const waiting: NodeClaim[] = []
  for (const claim of claims) {
    const providerID = claim.status?.providerID ?? ''
    if (providerID === '') waiting.push(claim)
    else named.add(providerID)
  }
  const isMeantFor = (instance: InstanceView, claim: NodeClaim): boolean => {
    if (instance.nodeClaimUid !== undefined) return instance.nodeClaimUid === claim.metadata.uid
    const pool = claim.metadata.labels?.[labels.nodePool]
    if (instance.nodePool !== undefined && instance.nodePool !== pool) return false
    // An instance that is older than the NodeClaim was launched for another claim.
    const [launched = 0, made = 0] = [parseTime(instance.createdAt), parseTime(claim.metadata.creationTimestamp)]
    return made <= launched + CLOCK_SKEW && mayBeFor(instance, claim)
  }
  return instances.filter(
    (instance) => !named.has(instance.providerID) && !waiting.some((claim) => isMeantFor(instance, claim)),
  )
}
