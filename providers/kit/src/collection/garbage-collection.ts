import { karpenterKinds, kinds, labels, type Milliseconds, type Node, type NodeClaim, timeOf } from '@kerf/apis'
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
  /** Every instance the provider owns; a call that fails deletes nothing. */
  readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]>
  /** Ends one instance; may be repeated. */
  readonly terminate: (instance: InstanceView, signal: AbortSignal) => Promise<void>
  /**
   * Whether a claim that has no instance yet may be the one that an instance was launched for, as far as the provider can
   * tell from the instance. Only asked where the instance does not name its claim's uid; without it any claim of the
   * instance's pool may be.
   */
  readonly mayBeFor?: (instance: InstanceView, claim: NodeClaim) => boolean
  /** Younger instances are left alone: their NodeClaim may not be known to the API server yet. Default 30 s. */
  readonly grace?: Milliseconds
  /** Pause between two rounds. Default 2 min; the first 20 rounds come every 10 s, for what a crash left behind. */
  readonly interval?: Milliseconds
}

/** As many as providers end with one call. */
const CONCURRENCY = 100
const EAGER_ROUNDS = 20
const EAGER_INTERVAL: Milliseconds = 10_000

/**
 * Ends instances that no NodeClaim stands for, and deletes their Nodes
 * (`docs/spec/provider-contract.md#background-controllers`). The other direction, claims whose instance is gone,
 * is the core's.
 *
 * The informer says cheaply which instances have their claim; it may be behind, so it condemns none. Where some are left,
 * NodeClaims are read from the API server, after the cloud was listed, so that a claim made meanwhile is seen. An instance
 * whose claim exists and has no instance in its status yet is that claim's, however long the status takes to be written:
 * its launch adopts it. It is ended once the claim is gone, or names another one.
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
    const born = timeOf(instance.createdAt)
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

/** The instances that are nobody's: no claim names them, and none that may still be to name them. */
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
    // What was launched before there was the claim was launched for another one.
    const [launched = 0, made = 0] = [timeOf(instance.createdAt), timeOf(claim.metadata.creationTimestamp)]
    return made <= launched + CLOCK_SKEW && mayBeFor(instance, claim)
  }
  return instances.filter(
    (instance) => !named.has(instance.providerID) && !waiting.some((claim) => isMeantFor(instance, claim)),
  )
}
