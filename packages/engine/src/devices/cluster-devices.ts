import {
  type DeviceClass,
  type KubeObject,
  type Pod,
  type ResourceClaim,
  type ResourceClaimSpec,
  tryParseQuantity,
} from '@kerf/apis'
import type { AllocatedClaim, ClaimView, DeviceDemand, PodDevices } from '../model/device-claims.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { HostId } from '../model/ids.ts'
import { requestsKey } from '../pods/form-key.ts'
import { podNamespace } from '../pods/pod-name.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { capacityResource, deviceKey, listOrEmpty, readNodeTerms, wholeDevice } from './device.ts'
import { DemandError, readDeviceDemand } from './device-demand.ts'
import { DevicePools } from './device-pools.ts'

const NO_DEMAND: DeviceDemand = { requests: [], constraints: [] }

const usesClaims = (pod: Pod): boolean => (pod.spec?.resourceClaims?.length ?? 0) > 0

/**
 * Returns the claims, DeviceClasses and published devices of a snapshot for one decision, or `undefined` if none of its pods has claims.
 */
export const readClusterDevices = (
  snapshot: ClusterSnapshot,
  nodes: readonly ExistingNode[],
  rules: LabelRules,
  batches: readonly (readonly Pod[])[],
): ClusterDevices | undefined =>
  batches.some((pods) => pods.some(usesClaims)) ? new ClusterDevices(snapshot, nodes, rules) : undefined

export class ClusterDevices {
  readonly pools: DevicePools
  readonly rules: LabelRules
  readonly nodes: readonly ExistingNode[]
  readonly #snapshot: ClusterSnapshot
  readonly #claims = new Map<string, ResourceClaim>()
  readonly #templates = new Map<string, ResourceClaimSpec>()
  readonly #classes: ReadonlyMap<string, DeviceClass>
  readonly #views = new Map<string, ClaimView | string>()
  readonly #demands = new Map<string, DeviceDemand | string>()
  #allocated: readonly AllocatedClaim[] | undefined
  /** The nodes that are known to have no devices for a demand, keyed by the text of the demand. */
  readonly #without = new Map<string, Set<HostId>>()
  #leaving: Set<string> | undefined
  #freed: ReadonlySet<string> | undefined
  #byPod: Map<string, AllocatedClaim[]> | undefined
  #taken: Map<string, bigint> | undefined

  constructor(snapshot: ClusterSnapshot, nodes: readonly ExistingNode[], rules: LabelRules) {
    this.#snapshot = snapshot
    this.nodes = nodes
    this.rules = rules
    for (const claim of named(snapshot.resourceClaims)) this.#claims.set(objectKey(claim), claim)
    for (const template of named(snapshot.resourceClaimTemplates)) {
      this.#templates.set(objectKey(template), template.spec?.spec ?? {})
    }
    this.#classes = new Map(named(snapshot.deviceClasses).map((each) => [each.metadata.name, each]))
    const initialized = new Set<string>()
    for (const { initialized: isReady, markedForDeletion, nodeName } of snapshot.nodes) {
      if (isReady && !markedForDeletion && nodeName !== undefined) initialized.add(nodeName)
    }
    this.pools = new DevicePools(listOrEmpty(snapshot.resourceSlices), (node) => initialized.has(node), rules)
  }

  /** Returns a cache key for the devices of a pod. Pods with different claims have different keys. */
  keyOf(pod: Pod): string {
    if (!usesClaims(pod)) return ''
    const { resourceClaims } = pod.spec
    const isNamedOnly = listOrEmpty(resourceClaims).every((each) => each?.resourceClaimName !== undefined)
    return JSON.stringify([resourceClaims, isNamedOnly ? '' : [pod.metadata.name, pod.status?.resourceClaimStatuses]])
  }

  /** Returns the claims of a pod, or their errors, one sentence each. */
  devicesOf(pod: Pod): PodDevices | readonly string[] {
    const claims: ClaimView[] = []
    const complaints: string[] = []
    let isOwn = true
    for (const { name, resourceClaimName, resourceClaimTemplateName } of listOrEmpty(pod.spec.resourceClaims)) {
      const namespace = podNamespace(pod)
      const view =
        resourceClaimName !== undefined
          ? this.#viewOf(`${namespace}/${resourceClaimName}`)
          : this.#ofTemplate(pod, name, resourceClaimTemplateName)
      if (view === undefined) continue
      if (typeof view === 'string') {
        complaints.push(view)
        continue
      }
      claims.push(view)
      if (resourceClaimName !== undefined || view.allocated !== undefined) isOwn = false
    }
    if (complaints.length > 0) return complaints
    return { claims, shape: isOwn ? [requestsKey(pod), ...claims.map(({ shape }) => shape)].join('\n') : undefined }
  }

  /**
   * Returns the claim that was created for the pod from a template. If the claim does not exist yet, returns a claim with the devices that
   * the template requests. Returns `undefined` if the template is unknown, or if the pod's status shows that the pod needs no claim.
   */
  #ofTemplate(pod: Pod, name: string, template: string | undefined): ClaimView | string | undefined {
    const namespace = podNamespace(pod)
    const status = pod.status?.resourceClaimStatuses?.find((each) => each.name === name)
    if (status?.resourceClaimName !== undefined) return this.#viewOf(`${namespace}/${status.resourceClaimName}`)
    const spec = status === undefined ? this.#templates.get(`${namespace}/${template}`) : undefined
    if (spec === undefined) return undefined
    return this.#readView(`${namespace}/${pod.metadata.name}/${name}`, spec, undefined)
  }

  #viewOf(key: string): ClaimView | string {
    let view = this.#views.get(key)
    if (view === undefined) {
      const claim = this.#claims.get(key)
      view =
        claim === undefined
          ? `its ResourceClaim ${key} does not exist`
          : this.#readView(key, claim.spec ?? {}, readAllocation(key, claim, this.rules))
      this.#views.set(key, view)
    }
    return view
  }

  #readView(key: string, spec: ResourceClaimSpec, allocated: AllocatedClaim | undefined): ClaimView | string {
    const shape = JSON.stringify(spec)
    let demand = this.#demands.get(shape)
    if (demand === undefined) {
      try {
        demand = readDeviceDemand(spec, this.#classes)
      } catch (error) {
        demand = error instanceof DemandError ? error.message : `it cannot be read: ${String(error)}`
      }
      this.#demands.set(shape, demand)
    }
    if (typeof demand !== 'string') return { key, demand, shape, allocated }
    // The allocator has already accepted this claim, so an error in its spec does not matter.
    return allocated === undefined
      ? `its ResourceClaim ${key}: ${demand}`
      : { key, demand: NO_DEMAND, shape, allocated }
  }

  /** All claims with allocated devices. */
  get allocated(): readonly AllocatedClaim[] {
    this.#allocated ??= [...this.#claims].flatMap(([key, claim]) => readAllocation(key, claim, this.rules) ?? [])
    return this.#allocated
  }

  /** Uids of pods that are terminating or whose node is marked for deletion. */
  get leaving(): ReadonlySet<string> {
    if (this.#leaving === undefined) {
      this.#leaving = new Set()
      for (const { markedForDeletion, pods } of this.#snapshot.nodes) {
        for (const { metadata } of pods) {
          const isLeaving = markedForDeletion || metadata.deletionTimestamp !== undefined
          if (isLeaving && metadata.uid !== undefined) this.#leaving.add(metadata.uid)
        }
      }
    }
    return this.#leaving
  }

  /**
   * Returns the initialized nodes (by number) that have no devices for claims of this shape. The result is valid in every what-if: the
   * devices of these nodes are local, so only pods on these nodes could release devices.
   */
  without(shape: string): Set<HostId> {
    let nodes = this.#without.get(shape)
    if (nodes === undefined) {
      nodes = new Set()
      this.#without.set(shape, nodes)
    }
    return nodes
  }

  /** Keys of claims whose devices are released because all their pods are leaving. */
  get freed(): ReadonlySet<string> {
    this.#freed ??= new Set(
      this.allocated.filter(({ pods }) => pods?.isSubsetOf(this.leaving) === true).map(({ key }) => key),
    )
    return this.#freed
  }

  /** Returns the claims that are reserved for the pod, except claims that are also reserved for something other than a pod. */
  heldFor(uid: string): readonly AllocatedClaim[] {
    if (this.#byPod === undefined) {
      this.#byPod = new Map()
      for (const claim of this.allocated) {
        for (const pod of claim.pods ?? []) {
          const same = this.#byPod.get(pod)
          if (same === undefined) this.#byPod.set(pod, [claim])
          else same.push(claim)
        }
      }
    }
    return this.#byPod.get(uid) ?? []
  }

  /** The amounts of devices, capacities and counters that claims occupy. Does not include released claims. */
  get taken(): ReadonlyMap<string, bigint> {
    if (this.#taken === undefined) {
      this.#taken = new Map()
      for (const claim of this.allocated) {
        if (this.freed.has(claim.key)) continue
        for (const [resource, amount] of this.usesOf(claim)) {
          this.#taken.set(resource, (this.#taken.get(resource) ?? 0n) + amount)
        }
      }
    }
    return this.#taken
  }

  /**
   * Returns the amounts that one claim occupies. For a shared device, this is the consumed capacity. For any other device, it is the whole
   * device with its counters. A claim with admin access occupies nothing.
   */
  usesOf({ results }: AllocatedClaim): readonly (readonly [resource: string, amount: bigint])[] {
    return results.flatMap(({ driver, pool, device: name, adminAccess, consumedCapacity }) => {
      if (adminAccess === true) return []
      const key = deviceKey(driver, pool, name)
      const device = this.pools.devices.get(key)
      return [
        ...(device?.uses ?? [wholeDevice(key)]).map(({ resource, amount }) => [resource, amount] as const),
        ...Object.entries(consumedCapacity ?? {}).map(
          ([dimension, text]) => [capacityResource(key, dimension), tryParseQuantity(text) ?? 0n] as const,
        ),
      ]
    })
  }
}

const objectKey = ({ metadata }: KubeObject): string => `${metadata.namespace ?? 'default'}/${metadata.name}`

/** Returns the objects that have a name. */
const named = <T extends KubeObject>(list: readonly T[] | undefined): readonly T[] =>
  listOrEmpty(list).filter((object) => typeof object?.metadata?.name === 'string')

/** Returns the devices of a claim if it is allocated. A claim that cannot be read occupies nothing, and no node can use it. */
const readAllocation = (key: string, { status }: ResourceClaim, rules: LabelRules): AllocatedClaim | undefined => {
  const allocation = status?.allocation
  if (allocation === undefined || allocation === null) return undefined
  const results = listOrEmpty(allocation.devices?.results).filter((result) => typeof result?.device === 'string')
  try {
    const consumers = listOrEmpty(status?.reservedFor)
    const isPodsOnly =
      consumers.length > 0 && consumers.every(({ resource, apiGroup }) => resource === 'pods' && !apiGroup)
    return {
      key,
      results,
      terms: allocation.nodeSelector === undefined ? undefined : readNodeTerms(allocation.nodeSelector, rules),
      pods: isPodsOnly ? new Set(consumers.map(({ uid }) => uid)) : undefined,
    }
  } catch {
    return { key, results, terms: [], pods: undefined }
  }
}
