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
  /** Lists all instances that the provider owns. If it fails, nothing is terminated. */
  readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]>
  /** Terminates one instance. It may be called repeatedly for the same instance. */
  readonly terminate: (instance: InstanceView, signal: AbortSignal) => Promise<void>
  /**
   * Returns true if the instance may have been launched for this NodeClaim, which has no instance yet. Called only for instances that do
   * not carry the uid of their claim. By default, any claim of the instance's NodePool matches.
   */
  readonly mayBeFor?: (instance: InstanceView, claim: NodeClaim) => boolean
  /**
   * The minimum age of instances that are terminated. The NodeClaim of a younger instance may not be visible in the API server yet. The
   * default is 30 s.
   */
  readonly grace?: Milliseconds
  /**
   * The pause between two rounds. The default is 2 min. The first 20 rounds run every 10 s, to remove quickly what a crash left behind.
   */
  readonly interval?: Milliseconds
}

/** The maximum number of instances that providers terminate with one call. */
const CONCURRENCY = 100
const EAGER_ROUNDS = 20
const EAGER_INTERVAL: Milliseconds = 10_000

/**
 * Terminates instances that no NodeClaim names, and deletes their Nodes (`docs/spec/provider-contract.md#background-controllers`). The core
 * handles claims whose instance is gone.
 *
 * The informer is a cheap filter: instances that a claim in the informer names are kept. The informer may lag, so it never decides that an
 * instance is terminated. For the remaining instances, NodeClaims are read from the API server after the cloud was listed. The read
 * therefore includes claims that were created in the meantime. If the claim of an instance exists and its status names no instance yet, the
 * instance is kept, because the launch will adopt it. The instance is terminated if its claim is gone or names another instance.
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

/** Returns the instances that no NodeClaim names and that no claim can still adopt. */
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
    // The instance is older than the NodeClaim, so it was launched for another claim.
    const [launched = 0, made = 0] = [parseTime(instance.createdAt), parseTime(claim.metadata.creationTimestamp)]
    return made <= launched + CLOCK_SKEW && mayBeFor(instance, claim)
  }
  return instances.filter(
    (instance) => !named.has(instance.providerID) && !waiting.some((claim) => isMeantFor(instance, claim)),
  )
}
