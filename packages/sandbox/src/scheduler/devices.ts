import {
  type Device,
  type DeviceClass,
  deviceValue,
  InvariantError,
  kinds,
  type Node,
  type NodeSelector,
  type Pod,
  type ResourceClaim,
  type ResourceSlice,
  RuleError,
} from '@kerf/apis'
import { type Informer, type InformerFactory, informerKey, type KubeClient } from '@kerf/runtime'
import { selectorMatches } from '../objects/node-affinity.ts'
import { namespacedRef } from '../objects/object-key.ts'
import { type FoundDevices, findDevices, type OfferedDevice } from './device-search.ts'
import type { NodeRow } from './node-table.ts'
import type { VolumeCheck } from './volumes.ts'

const CANNOT_ALLOCATE = 'cannot allocate all claims'
const ELSEWHERE = 'resourceclaim not available on the node'

/** Returns the names of a pod's claims. The entry is `undefined` if the claim has not been created from its template yet. */
const podDeviceClaims = ({ spec, status }: Pod): readonly (string | undefined)[] =>
  (spec.resourceClaims ?? []).flatMap(({ name, resourceClaimName, resourceClaimTemplateName }) => {
    if (resourceClaimName !== undefined) return [resourceClaimName]
    const made = status?.resourceClaimStatuses?.find((each) => each.name === name)
    // A status entry without a claim name means that the pod needs no claim for this entry.
    return made !== undefined && made.resourceClaimName === undefined
      ? []
      : [made?.resourceClaimName ?? (resourceClaimTemplateName === undefined ? name : undefined)]
  })

const usableOn = (node: Node, where: Pick<Device, 'nodeName' | 'nodeSelector' | 'allNodes'>): boolean => {
  if (where.nodeName !== undefined) return where.nodeName === node.metadata.name
  if (where.nodeSelector !== undefined) return selectorMatches(where.nodeSelector, node)
  return where.allNodes === true
}

/**
 * Ties a claim to one node. The default scheduler is less strict: a claim to network devices can be used on every node on which the devices
 * are available.
 */
const nodeOnly = (name: string): NodeSelector => ({
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
})

/** Tracks which devices pods may use on which nodes. Uses the informers and this scheduler's own recent allocations. */
export class Devices {
  readonly #claims: Informer<ResourceClaim>
  readonly #classes: Informer<DeviceClass>
  readonly #slices: Informer<ResourceSlice>
  readonly #client: KubeClient
  /** Resource claims, by uid, that this scheduler has just written and that the informer might not show yet. */
  readonly #written = new Map<string, ResourceClaim>()

  constructor(informers: InformerFactory, client: KubeClient) {
    this.#claims = informers.of(kinds.ResourceClaim)
    this.#classes = informers.of(kinds.DeviceClass)
    this.#slices = informers.of(kinds.ResourceSlice)
    this.#client = client
    this.#claims.onChange(({ before, after }) => this.#written.delete((after ?? before)?.metadata.uid ?? ''))
  }

  /** Combines the check of a pod's device claims with the check of its volumes. */
  check(pod: Pod, volumes: VolumeCheck): VolumeCheck {
    if (volumes.kind === 'refused') return volumes
    const claims: ResourceClaim[] = []
    for (const name of podDeviceClaims(pod)) {
      if (name === undefined) {
        return { kind: 'refused', message: `pod "${informerKey(pod)}": ResourceClaim not created yet` }
      }
      const claim = this.#claim(`${pod.metadata.namespace}/${name}`)
      if (claim === undefined) return { kind: 'refused', message: `resourceclaim.resource.k8s.io "${name}" not found` }
      claims.push(claim)
    }
    return {
      ...volumes,
      against: (row) => volumes.against(row) ?? (row.node === undefined ? undefined : this.#against(row, claims)),
    }
  }

  #against({ node }: NodeRow, claims: readonly ResourceClaim[]): string | undefined {
    if (node === undefined) return undefined
    for (const { status } of claims) {
      const selector = status?.allocation?.nodeSelector
      if (selector !== undefined && !selectorMatches(selector, node)) return ELSEWHERE
    }
    return this.#find(node, claims) === undefined ? CANNOT_ALLOCATE : undefined
  }

  #claim(key: string): ResourceClaim | undefined {
    const claim = this.#claims.get(key)
    return claim === undefined ? undefined : (this.#written.get(claim.metadata.uid ?? '') ?? claim)
  }

  #find(node: Node, claims: readonly ResourceClaim[]): FoundDevices | undefined {
    const waiting = claims.filter(({ status }) => status?.allocation === undefined)
    if (waiting.length === 0) return []
    try {
      return findDevices(waiting, (name) => this.#classes.get(name), this.#offeredOn(node))
    } catch (error) {
      // A selector that does not compile matches no device.
      if (error instanceof RuleError) return undefined
      throw error
    }
  }

  /** Returns the node's free whole devices. Ignores pools that are not complete. */
  #offeredOn(node: Node): readonly OfferedDevice[] {
    const held = new Set<string>()
    for (const mirrored of this.#claims.values()) {
      const { status } = this.#written.get(mirrored.metadata.uid ?? '') ?? mirrored
      for (const { driver, pool, device, adminAccess } of status?.allocation?.devices?.results ?? []) {
        if (adminAccess !== true) held.add(`${driver}/${pool}/${device}`)
      }
    }
    const pools = Map.groupBy(this.#slices.values(), ({ spec }) => `${spec.driver}/${spec.pool.name}`)
    return [...pools]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, slices]) => {
        const newest = Math.max(...slices.map(({ spec }) => spec.pool.generation ?? 0))
        const current = slices.filter(({ spec }) => (spec.pool.generation ?? 0) === newest)
        if (current.length !== (current[0]?.spec.pool.resourceSliceCount ?? 1)) return []
        return current.flatMap(({ spec: { driver, pool, devices = [], ...where } }) =>
          devices
            .filter((device) => usableOn(node, where.perDeviceNodeSelection === true ? device : where))
            .filter(({ name }) => !held.has(`${key}/${name}`))
            .filter(
              ({ allowMultipleAllocations, consumesCounters, taints = [] }) =>
                allowMultipleAllocations !== true && consumesCounters === undefined && taints.length === 0,
            )
            .map((device) => ({
              key: `${key}/${device.name}`,
              driver,
              pool: pool.name,
              device: device.name,
              attributes: device.attributes ?? {},
              value: deviceValue(driver, device),
            })),
        )
      })
  }

  /** Writes the devices that the pod gets on the node to its claims. Must complete before the pod is bound there. */
  async reserve(pod: Pod, node: Node): Promise<void> {
    const claims = podDeviceClaims(pod).flatMap((name) => this.#claim(`${pod.metadata.namespace}/${name ?? ''}`) ?? [])
    const found = [...(this.#find(node, claims) ?? [])]
    for (const claim of claims) {
      const { resourceVersion, name = '', uid = '' } = claim.metadata
      const consumer = { resource: 'pods', name: pod.metadata.name, uid: pod.metadata.uid ?? '' }
      const reserved = claim.status?.reservedFor ?? []
      const isNew = claim.status?.allocation === undefined
      if (!isNew && reserved.some((each) => each.uid === consumer.uid)) continue
      const results = isNew ? found.shift() : undefined
      if (isNew && results === undefined) throw new InvariantError(`the devices of claim ${name} are gone`)
      const status = {
        reservedFor: [...reserved, consumer],
        ...(results === undefined
          ? {}
          : { allocation: { devices: { results }, nodeSelector: nodeOnly(node.metadata.name) } }),
      }
      const written = await this.#client.patch(
        kinds.ResourceClaim,
        namespacedRef(informerKey(claim)),
        { type: 'merge', body: { metadata: { resourceVersion }, status } },
        { subresource: 'status' },
      )
      // Keep an entry only if the informer still shows the earlier version of the claim. The entry is removed when the informer shows a
      // later one.
      if (this.#claims.get(informerKey(claim))?.metadata.resourceVersion === resourceVersion)
        this.#written.set(uid, written)
    }
  }
}
