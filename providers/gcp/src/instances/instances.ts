import { type Milliseconds, ownValue } from '@kerf/apis'
import { DeleteError, NodeClaimNotFoundError } from '@kerf/provider-contract'
import { unlessGone } from '@kerf/provider-kit'
import { type Clock, mapWhole, TtlCache } from '@kerf/runtime'
import type { GceInstance } from '../api/compute-shapes.ts'
import type { ComputeApi } from '../api/gcp-api.ts'
import { GcpApiError, isGcpNotFound } from '../api/gcp-api-error.ts'
import type { ClusterFacts } from '../discovery/cluster-facts.ts'
import { ownInstancesFilter, ownLabelKeys } from './instance-labels.ts'
import { instanceName, instanceNameProblem } from './instance-names.ts'

export interface InstancesOptions {
  readonly compute: Pick<ComputeApi, 'instance' | 'instances' | 'deleteInstance'>
  readonly cluster: Pick<ClusterFacts, 'regionZones'>
  readonly clock: Clock
  readonly clusterName: string
  /** The region or zone of the cluster, as written in the labels of its instances. */
  readonly location: string
}

/** The zone and the name of an instance in the project. */
export interface ZonalName {
  readonly zone: string
  readonly name: string
}

const CONCURRENCY = 10
/** How long after an accepted deletion the instance's status may still be unchanged. */
const SHOWN_WITHIN: Milliseconds = 60_000

const keyOf = ({ zone, name }: ZonalName): string => `${zone}/${name}`

/** The instances that Karpenter launched for this cluster (`providers/gcp/docs/spec/gcp.md#get-list-delete`). */
export class Instances {
  readonly #options: InstancesOptions
  /** Instances whose deletion the service has just accepted. */
  readonly #deleted: TtlCache<string, true>

  constructor(options: InstancesOptions) {
    this.#options = options
    this.#deleted = new TtlCache(options.clock, { ttl: SHOWN_WITHIN })
  }

  /** Lists the instances in all zones of the region. Throws if the list of any zone fails. */
  async list(signal: AbortSignal): Promise<readonly GceInstance[]> {
    const { compute, cluster, clusterName } = this.#options
    const zones = await cluster.regionZones(signal)
    const filter = ownInstancesFilter(clusterName)
    const found = await mapWhole(zones, CONCURRENCY, (zone, inner) => compute.instances(zone, filter, inner), signal)
    return found.flat().filter((instance) => this.#mayBeOwn(instance))
  }

  /**
   * Returns true only if the labels prove that the instance belongs to this cluster. Another cluster may have the same name in another
   * region.
   */
  isOwn({ labels }: GceInstance): boolean {
    const { clusterName, location } = this.#options
    return (
      ownValue(labels, ownLabelKeys.cluster) === clusterName && ownValue(labels, ownLabelKeys.location) === location
    )
  }

  /** Returns one instance of this cluster. @throws NodeClaimNotFoundError if it is gone or belongs to another cluster */
  async get(place: ZonalName, signal: AbortSignal): Promise<GceInstance> {
    const { zone, name } = place
    const instance = await unlessGone(
      () => this.#options.compute.instance(zone, name, signal),
      isGcpNotFound,
      `instance ${name} in ${zone} is gone`,
    )
    if (this.#mayBeOwn(instance)) return instance
    throw new NodeClaimNotFoundError(`instance ${name} in ${zone} does not belong to this cluster`)
  }

  /**
   * Returns the instances that Kerf launched for a NodeClaim, usually none or one. Reads them by their name in each zone, because list
   * results may be stale.
   */
  async launchedFor(claim: string, signal: AbortSignal): Promise<readonly GceInstance[]> {
    const name = instanceName(claim)
    // Compute Engine rejects requests with an invalid instance name.
    if (instanceNameProblem(claim) !== undefined) return []
    const zones = await this.#options.cluster.regionZones(signal)
    const found = await mapWhole(zones, CONCURRENCY, (zone, inner) => this.#find({ zone, name }, inner), signal)
    return found.flatMap((instance) => instance ?? [])
  }

  /**
   * Starts the deletion of an instance. Does nothing while the instance is stopping. Also deletes an instance that has stopped, because its
   * disks still cost money.
   *
   * @throws NodeClaimNotFoundError if it is gone; DeleteError if the service refuses the deletion
   */
  async terminate(place: ZonalName, signal: AbortSignal): Promise<void> {
    const { zone, name } = place
    const { status } = await this.get(place, signal)
    if (status === 'STOPPING' || this.#deleted.has(keyOf(place))) return
    try {
      await unlessGone(
        () => this.#options.compute.deleteInstance(zone, name, signal),
        isGcpNotFound,
        `instance ${name} in ${zone} is gone`,
      )
      this.#deleted.set(keyOf(place), true)
    } catch (error) {
      if (error instanceof GcpApiError && error.status === 400 && error.reason !== 'resourceNotReady')
        throw new DeleteError(
          'DeletionRefused',
          `Compute Engine refuses to delete instance ${name} in ${zone}: ${error.message}; if the instance has deletion protection, turn it off`,
          { cause: error },
        )
      throw error
    }
  }

  async #find(place: ZonalName, signal: AbortSignal): Promise<GceInstance | undefined> {
    try {
      return await this.get(place, signal)
    } catch (error) {
      if (error instanceof NodeClaimNotFoundError) return undefined
      throw error
    }
  }

  /**
   * Returns false for instances of other clusters. Returns true if the instance has no location label, because old versions of Karpenter
   * did not set one.
   */
  #mayBeOwn(instance: GceInstance): boolean {
    const { labels } = instance
    const isWithoutLocation =
      ownValue(labels, ownLabelKeys.location) === undefined &&
      ownValue(labels, ownLabelKeys.cluster) === this.#options.clusterName
    return (isWithoutLocation || this.isOwn(instance)) && ownValue(labels, ownLabelKeys.nodePool) !== undefined
  }
}
