import type { InstanceType } from '../instance-type.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import { fittingTypes } from '../instance-types/fitting-types.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { AllocatedClaim, ClaimView, NodeTerm, PodDevices } from '../model/device-claims.ts'
import { type ConstraintsId, type HostId, hostOfNode, type NodeId } from '../model/ids.ts'
import type { TypeEntry } from '../model/instance-type-options.ts'
import { detailTexts } from '../reasons/detail-texts.ts'
import { labels } from '../requirements/label-rules.ts'
import { Requirements } from '../requirements/requirements.ts'
import type { PoolOption } from '../snapshot.ts'
import type { ClusterDevices } from './cluster-devices.ts'
import { capacityResource, type PooledDevice } from './device.ts'
import { type DeviceProposal, type DeviceShortage, difference, type PlacedClaim } from './device-proposal.ts'
import { type FoundDevices, type SearchResult, type SearchSpace, searchDevices } from './device-search.ts'
import type { Target, TargetType } from './device-target.ts'
import { readTemplateDevices, type TemplateDevices } from './device-templates.ts'
import { DeviceUsage } from './device-usage.ts'

const PUBLISHED: TemplateDevices = { devices: [], areBound: () => false }

/**
 * Tracks which devices are free and which are taken during one decision (`docs/spec/scheduling.md#devices`). The targets of a search are
 * existing nodes and claims to launch. They have the same numbers as hosts: the nodes come first, then the claims.
 */
export class DeviceAllocation {
  readonly #cluster: ClusterDevices
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #gone: ReadonlySet<NodeId>
  readonly #goneNodes: ReadonlySet<string>
  /** Claims whose devices are free because their pods' nodes are removed. */
  readonly #freed = new Set<string>()
  readonly #usage: DeviceUsage
  /** The taken amounts of promised devices, by target and instance type. */
  readonly #promisedTaken = new Map<HostId, Map<string, Map<string, bigint>>>()
  readonly #placed = new Map<string, PlacedClaim>()
  /** For each claim to launch, the instance types for which it has devices. */
  readonly #held = new Map<HostId, Set<string>>()
  readonly #drivers = new Map<HostId, ReadonlySet<string>>()
  /**
   * The planned NodeClaims (with their constraints) that have refused pods, keyed by the shape of the pods' ResourceClaims. A refusal stays
   * valid, because promised devices are never released.
   */
  readonly #refused = new Map<string, Set<string>>()
  readonly #typeOfNode: (pool: string | undefined, name: string | undefined) => InstanceType | undefined
  #proposal: DeviceProposal | undefined
  #shortage: DeviceShortage | undefined

  constructor(
    cluster: ClusterDevices,
    pools: readonly PoolOption[],
    constraintsTable: ClaimConstraintsTable,
    gone: ReadonlySet<NodeId>,
  ) {
    this.#cluster = cluster
    this.#constraintsTable = constraintsTable
    this.#gone = gone
    this.#goneNodes = new Set([...gone].flatMap((index) => cluster.nodes[index]?.state.nodeName ?? []))
    const given = new Map<string, bigint>()
    for (const claim of this.#freedBy(gone)) {
      this.#freed.add(claim.key)
      for (const [resource, amount] of cluster.usesOf(claim)) given.set(resource, (given.get(resource) ?? 0n) + amount)
    }
    this.#usage = new DeviceUsage(cluster.taken, given)
    this.#typeOfNode = (pool, name) =>
      pools
        .find(({ nodePool }) => nodePool.metadata.name === pool)
        ?.instanceTypes.find((instanceType) => instanceType.name === name)
  }

  /**
   * Returns the claims whose devices become free if the pods of these nodes are removed, in addition to the pods that are leaving anyway.
   */
  #freedBy(gone: ReadonlySet<NodeId>): ReadonlySet<AllocatedClaim> {
    const { nodes, leaving, freed } = this.#cluster
    const uids = new Set<string>()
    for (const index of gone) {
      for (const { metadata } of nodes[index]?.state.pods ?? []) if (metadata.uid !== undefined) uids.add(metadata.uid)
    }
    const claims = new Set<AllocatedClaim>()
    for (const uid of uids) {
      for (const claim of this.#cluster.heldFor(uid)) {
        if (freed.has(claim.key) || claim.pods === undefined) continue
        if ([...claim.pods].every((each) => leaving.has(each) || uids.has(each))) claims.add(claim)
      }
    }
    return claims
  }

  #isFreed(claim: string): boolean {
    return this.#cluster.freed.has(claim) || this.#freed.has(claim)
  }

  /** The reason why the last search found no devices for a pod. */
  get shortage(): DeviceShortage | undefined {
    return this.#shortage
  }

  /** Returns whether a node of the snapshot (by number) has the devices. If so, `commit` takes them. */
  fitsNode(node: NodeId, devices: PodDevices): boolean {
    const existing = this.#cluster.nodes[node]
    if (existing === undefined || this.#gone.has(node)) return false
    const host = hostOfNode(node)
    const { state, requirements } = existing
    const type = state.initialized ? undefined : this.#typeOfNode(state.nodePool, state.labels[labels.instanceType])
    if (type !== undefined) this.#noteHeld(host, state.nodeName, type)
    const target: Target = {
      id: host,
      node: state.nodeName,
      isSettled: state.initialized,
      requirements,
      types: [{ name: '', promised: type === undefined ? PUBLISHED : readTemplateDevices(type), admits: () => true }],
      accepts: (current, wanted) => current.accepts(wanted),
    }
    return this.#propose(target, devices) !== undefined
  }

  /**
   * Until a node is initialized, Kerf uses its promised devices instead of its published devices. Claims may already occupy some of its
   * published devices. So this function marks the same amounts of the promised devices with the same names as taken.
   */
  #noteHeld(host: HostId, node: string | undefined, type: InstanceType): void {
    if (node === undefined || this.#promisedTaken.has(host)) return
    const taken = this.#promisedOf(host, '')
    const byName = new Map<string, PooledDevice>()
    for (const device of readTemplateDevices(type).devices) byName.set(`${device.driver}/${device.name}`, device)
    for (const { key, results, terms } of this.#cluster.allocated) {
      if (this.#isFreed(key) || terms?.every(({ nodes }) => nodes?.has(node)) !== true) continue
      for (const { driver, device: name, adminAccess, consumedCapacity } of results) {
        const device = byName.get(`${driver}/${name}`)
        if (device === undefined || adminAccess === true) continue
        for (const { resource, amount } of device.uses) taken.set(resource, (taken.get(resource) ?? 0n) + amount)
        for (const dimension of Object.keys(consumedCapacity ?? {})) {
          const resource = capacityResource(device.id, dimension)
          taken.set(resource, (taken.get(resource) ?? 0n) + (device.capacity.get(dimension)?.value ?? 0n))
        }
      }
    }
  }

  /**
   * Returns the constraints of a claim to launch, restricted to the instance types and domains that can provide the devices, or
   * `NO_CONSTRAINTS` if none can. `total` is the sum of its pods' requests. `isOpen` is true if the claim already has pods.
   */
  narrow(
    target: HostId,
    devices: PodDevices,
    constraintsId: ConstraintsId,
    total: Float64Array,
    isOpen: boolean,
  ): ConstraintsId {
    const shape = isOpen && !this.#cluster.pools.reachesNewNodes ? devices.shape : undefined
    const question = `${target} ${constraintsId}`
    if (shape !== undefined && this.#refused.get(shape)?.has(question) === true) return NO_CONSTRAINTS
    const constraintsTable = this.#constraintsTable
    const constraints = constraintsTable.get(constraintsId)
    const { template } = constraints.index
    const types = fittingTypes(constraints, total)
    const found = this.#propose(
      {
        id: target,
        node: undefined,
        isSettled: false,
        requirements: constraints.requirements,
        types: types.map((entry) => ({
          name: entry.type.name,
          promised: readTemplateDevices(entry.type),
          admits: (requirements) => this.#canHave(constraintsId, requirements, entry, total),
        })),
        accepts: (current, wanted) =>
          !wanted.has(labels.hostname) && current.accepts(wanted, this.#cluster.rules.isWellKnown),
      },
      devices,
    )
    if (found === undefined) {
      if (shape !== undefined) {
        const refused = this.#refused.get(shape)
        if (refused === undefined) this.#refused.set(shape, new Set([question]))
        else refused.add(question)
      }
      return NO_CONSTRAINTS
    }
    const narrowed = constraintsTable.join(constraintsId, constraintsTable.requirementNumber(found.requirements))
    if (narrowed === NO_CONSTRAINTS || found.types.size === types.length) return narrowed
    return constraintsTable.restrict(narrowed, (offering) =>
      found.types.has(template.types[template.offerings[offering]?.type ?? 0]?.type.name ?? ''),
    )
  }

  /**
   * Does the same as `narrow` for a new claim, but treats the devices that this decision has already found for the pod's own claims as
   * free. Used to explain a pod that has already been placed.
   */
  narrowAnew(target: HostId, devices: PodDevices, constraintsId: ConstraintsId, total: Float64Array): ConstraintsId {
    const before = new Map(this.#placed)
    for (const { key } of devices.claims) this.#placed.delete(key)
    const narrowed = this.narrow(target, devices, constraintsId, total, false)
    for (const [key, placed] of before) this.#placed.set(key, placed)
    return narrowed
  }

  #canHave(constraintsId: ConstraintsId, requirements: Requirements, entry: TypeEntry, total: Float64Array): boolean {
    const to = this.#constraintsTable.join(constraintsId, this.#constraintsTable.requirementNumber(requirements))
    return to !== NO_CONSTRAINTS && fittingTypes(this.#constraintsTable.get(to), total).includes(entry)
  }

  #propose(
    target: Target,
    { claims }: PodDevices,
  ): { readonly requirements: Requirements; readonly types: ReadonlySet<string> } | undefined {
    this.#proposal = undefined
    this.#shortage = undefined
    const refuse = (request: string, problem: string): undefined => {
      this.#shortage = { request, problem }
      return undefined
    }
    let { requirements } = target
    // The requirements of the devices that the search found. Some of them may be new for the node.
    let asked = Requirements.none
    const searched: ClaimView[] = []
    const narrow = (wanted: Requirements) => {
      requirements = requirements.merge(wanted)
      asked = asked.merge(wanted)
    }
    for (const claim of claims) {
      const { allocated } = claim
      const placed = this.#placed.get(claim.key)
      if (placed !== undefined) {
        if (placed.isLocal && placed.target !== target.id)
          return refuse(`ResourceClaim ${claim.key}`, detailTexts.onOtherNode)
        if (!target.accepts(requirements, placed.requirements))
          return refuse(`ResourceClaim ${claim.key}`, detailTexts.devicesElsewhere)
        narrow(placed.requirements)
      } else if (allocated !== undefined && !this.#isFreed(claim.key)) {
        const term = this.#termFor(target, requirements, allocated.terms)
        if (term === undefined) return refuse(`ResourceClaim ${claim.key}`, detailTexts.allocatedElsewhere)
        narrow(term)
      } else searched.push(claim)
    }
    const without = this.#knownWithout(target, searched)
    if (without?.has(target.id) === true) return refuse('its claims', detailTexts.noneOnNode)
    const byType = new Map<string, FoundDevices>()
    if (searched.length === 0) {
      for (const { name } of target.types) byType.set(name, { picks: [], requirements })
    }
    for (const type of searched.length === 0 ? [] : target.types) {
      const result = this.#search(target, type, searched, requirements)
      if ('picks' in result) {
        byType.set(type.name, result)
        asked = asked.merge(difference(result.requirements, requirements))
        requirements = result.requirements
      } else {
        const { claim, request, problem } = result
        this.#shortage = { request: `${request} of ResourceClaim ${searched[claim]?.key}`, problem }
      }
    }
    if (byType.size === 0) {
      // Earlier pods of this decision may have caused the shortage. Another decision might not have these pods, so the result is cached
      // only if no pod has devices yet.
      if (this.#placed.size === 0) without?.add(target.id)
      return undefined
    }
    this.#proposal = { target: target.id, searched, byType }
    return { requirements: asked, types: new Set(byType.keys()) }
  }

  /**
   * Returns the nodes that are known to have no devices for these claims, or `undefined` if shared or promised devices could also
   * satisfy them.
   */
  #knownWithout(target: Target, searched: readonly ClaimView[]): Set<HostId> | undefined {
    if (!target.isSettled || searched.length === 0 || this.#cluster.pools.reachesNewNodes) return undefined
    return this.#cluster.without(searched.map(({ shape }) => shape).join('\n'))
  }

  /** Searches for devices. If a device cannot be read, the search ends without a result. */
  #search(target: Target, type: TargetType, claims: readonly ClaimView[], requirements: Requirements): SearchResult {
    try {
      return searchDevices(
        claims.map(({ demand }) => demand),
        this.#spaceOf(target, type),
        requirements,
      )
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      return { claim: 0, request: 'a request', problem: detailTexts.unreadableDevice(problem) }
    }
  }

  #termFor(
    target: Target,
    requirements: Requirements,
    terms: readonly NodeTerm[] | undefined,
  ): Requirements | undefined {
    if (terms === undefined) return Requirements.none
    for (const { requirements: wanted, nodes } of terms) {
      if (nodes !== undefined && (target.node === undefined || !nodes.has(target.node))) continue
      if (target.accepts(requirements, wanted)) return wanted
    }
    return undefined
  }

  #spaceOf(target: Target, type: TargetType): SearchSpace {
    const pools = this.#cluster.pools.near(target.node)
    const promised = this.#promisedTaken.get(target.id)?.get(type.name)
    return {
      node: target.node,
      pools: target.node !== undefined && this.#goneNodes.has(target.node) ? pools.filter(() => false) : pools,
      promised: type.promised,
      used: (resource, isTemplate) =>
        isTemplate ? (promised?.get(resource) ?? 0n) : this.#usage.used(resource, target.id, type.name),
      admits: (current, wanted) =>
        target.accepts(current, wanted) && (wanted.byKey.size === 0 || type.admits(current.merge(wanted))),
    }
  }

  /**
   * Takes the devices that the last call found for `target`, for those instance types that the target may still have (`undefined` for an
   * existing node).
   */
  commit(target: HostId, types: readonly string[] | undefined): void {
    const proposal = this.#proposal
    if (proposal === undefined || proposal.target !== target) return
    this.#proposal = undefined
    const remaining = types === undefined ? undefined : new Set(types)
    const facts = proposal.searched.map(() => ({ isLocal: false, requirements: Requirements.none }))
    let common: Set<string> | undefined
    for (const [type, { picks }] of proposal.byType) {
      if (remaining !== undefined && !remaining.has(type)) continue
      const drivers = new Set<string>()
      for (const { claim, device, uses, term } of picks) {
        const fact = facts[claim]
        if (fact !== undefined) {
          if (device.isTemplate || device.access.kind === 'node' || term?.nodes !== undefined) fact.isLocal = true
          if (term !== undefined) fact.requirements = fact.requirements.merge(term.requirements)
        }
        if (device.isTemplate) {
          drivers.add(device.driver)
          const taken = this.#promisedOf(target, type)
          for (const { resource, amount } of uses) taken.set(resource, (taken.get(resource) ?? 0n) + amount)
        } else this.#usage.take(target, type, uses)
      }
      common = common === undefined ? drivers : common.intersection(drivers)
      if (types !== undefined && picks.length > 0) this.#hold(target, type)
    }
    for (const [place, claim] of proposal.searched.entries()) {
      const fact = facts[place]
      if (fact !== undefined) this.#placed.set(claim.key, { target, ...fact })
    }
    if (types !== undefined && common !== undefined && common.size > 0) {
      this.#drivers.set(target, common.union(this.#drivers.get(target) ?? new Set()))
    }
  }

  #promisedOf(target: HostId, type: string): Map<string, bigint> {
    let byType = this.#promisedTaken.get(target)
    if (byType === undefined) {
      byType = new Map()
      this.#promisedTaken.set(target, byType)
    }
    let taken = byType.get(type)
    if (taken === undefined) {
      taken = new Map()
      byType.set(type, taken)
    }
    return taken
  }

  #hold(target: HostId, type: string): void {
    const held = this.#held.get(target)
    if (held === undefined) this.#held.set(target, new Set([type]))
    else held.add(type)
  }

  /** Returns whether a claim to launch has devices. */
  holds(target: HostId): boolean {
    return this.#held.has(target)
  }

  /** Releases the devices of a claim to launch that belong to instance types it can no longer have. */
  keep(target: HostId, types: readonly string[]): void {
    const held = this.#held.get(target)
    if (held === undefined) return
    const remaining = new Set(types)
    for (const type of held) {
      if (remaining.has(type)) continue
      this.#usage.release(target, type)
      this.#promisedTaken.get(target)?.delete(type)
      held.delete(type)
    }
  }

  /** Returns the drivers of the devices that a pod will have on a claim to launch, for every possible instance type. */
  driversOf({ claims }: PodDevices): readonly string[] {
    return claims.flatMap(({ key }) => {
      const placed = this.#placed.get(key)
      return placed === undefined ? [] : [...(this.#drivers.get(placed.target) ?? [])]
    })
  }
}
