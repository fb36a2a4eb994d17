import { toleratesTaints } from '@kerf/apis'
import { entryAt } from '../column.ts'
import type { DeviceAlternative, DeviceDemand, NodeTerm } from '../model/device-claims.ts'
import { detailTexts } from '../reasons/detail-texts.ts'
import type { Requirements } from '../requirements/requirements.ts'
import { deviceConsumption } from './consumption.ts'
import type { DeviceAccess, PooledDevice, ResourceUse } from './device.ts'
import { type MatchedDevice, MOST_DEVICES, matching } from './device-demand.ts'
import type { DevicePool } from './device-pools.ts'
import type { TemplateDevices } from './device-templates.ts'
import { MatchAttribute } from './match-attribute.ts'

/** The maximum number of devices to try for one pod on one node. Karpenter limits the search to five seconds instead. */
const MOST_TRIES = 100_000

/** The devices of a node, or of one instance type of a node to launch, and how much of them is in use. */
export interface SearchSpace {
  /** The name of the node; `undefined` for a node to launch. */
  readonly node: string | undefined
  readonly pools: readonly DevicePool[]
  readonly promised: TemplateDevices
  /** Returns the amount of a device, a capacity or a counter that is already taken. */
  used(resource: string, isTemplate: boolean): bigint
  /** Returns whether the node can have these labels in addition to its present requirements. */
  admits(current: Requirements, wanted: Requirements): boolean
}

export interface PickedDevice {
  /** The index of the claim in the list of claims for which devices are searched. */
  readonly claim: number
  /** `request`, or `request/sub-request`. */
  readonly request: string
  readonly device: PooledDevice
  /** The amounts that the device consumes. Empty for a request with admin access. */
  readonly uses: readonly ResourceUse[]
  /** The alternative of the device's node selector that was used; `undefined` if the device has no node selector. */
  readonly term: NodeTerm | undefined
}

export interface FoundDevices {
  readonly picks: readonly PickedDevice[]
  /** The requirements that the devices add to the node, merged with the earlier ones. */
  readonly requirements: Requirements
}

/** The reason why the search found no devices: the last request that it reached and could not satisfy. */
export interface SearchShortage {
  readonly claim: number
  readonly request: string
  readonly problem: string
}

export type SearchResult = FoundDevices | SearchShortage

/**
 * Finds devices for claims by backtracking (`docs/spec/scheduling.md#devices`). Goes through claims, requests, alternatives and devices. If
 * a choice leaves no device for a later request, the search tries the next choice. Published devices are tried before promised ones.
 */
export const searchDevices = (
  demands: readonly DeviceDemand[],
  space: SearchSpace,
  requirements: Requirements,
): SearchResult => new Search(demands, space, requirements).run()

class Search {
  readonly #demands: readonly DeviceDemand[]
  readonly #space: SearchSpace
  readonly #constraints: readonly (readonly MatchAttribute[])[]
  readonly #picks: PickedDevice[] = []
  readonly #local = new Map<string, bigint>()
  readonly #counts: number[]
  #requirements: Requirements
  #tries = 0
  #isOver = false
  #shortage: SearchShortage = { claim: 0, request: '', problem: '' }
  #depth = -1

  constructor(demands: readonly DeviceDemand[], space: SearchSpace, requirements: Requirements) {
    this.#demands = demands
    this.#space = space
    this.#requirements = requirements
    this.#counts = demands.map(() => 0)
    this.#constraints = demands.map(({ constraints }) =>
      constraints.map(({ attribute, requests }) => new MatchAttribute(attribute, requests)),
    )
  }

  run(): SearchResult {
    return this.#request(0, 0) ? { picks: this.#picks, requirements: this.#requirements } : this.#shortage
  }

  #request(claim: number, request: number): boolean {
    const demand = this.#demands[claim]
    if (demand === undefined) return true
    const wanted = demand.requests[request]
    if (wanted === undefined) return this.#request(claim + 1, 0)
    for (const alternative of wanted.alternatives) {
      const found =
        alternative.count === 'All'
          ? this.#all(claim, request, alternative)
          : this.#some(claim, request, alternative, alternative.count)
      if (found) return true
      if (this.#isOver) return false
    }
    return false
  }

  #fail(claim: number, alternative: DeviceAlternative, problem: string, isFinal = false): false {
    if (isFinal || (!this.#isOver && this.#picks.length > this.#depth)) {
      this.#depth = this.#picks.length
      this.#shortage = { claim, request: alternative.name, problem }
    }
    if (isFinal) this.#isOver = true
    return false
  }

  #some(claim: number, request: number, alternative: DeviceAlternative, count: number): boolean {
    const matched: MatchedDevice[] = []
    for (const { devices, isIncomplete, problem } of this.#space.pools) {
      if (!isIncomplete && problem === undefined) matched.push(...matching(alternative, devices))
    }
    matched.push(...matching(alternative, this.#space.promised.devices))
    // If a device cannot be used on its own, it cannot be used together with other devices either.
    const candidates = matched.filter(
      ({ device, problem }) => problem !== undefined || this.#usesOf(alternative, device),
    )
    if (candidates.length < count && !candidates.some(({ problem }) => problem !== undefined)) {
      return this.#fail(claim, alternative, shortageText(alternative, matched.length))
    }
    return this.#slot(claim, request, alternative, candidates, count, 0)
  }

  /** Returns the amounts that a device would consume; `undefined` if the device is not available at this point. */
  #usesOf(alternative: DeviceAlternative, device: PooledDevice): readonly ResourceUse[] | undefined {
    if (!toleratesTaints(blocking(device), alternative.tolerations)) return undefined
    const own = deviceConsumption(device, alternative.capacity)
    if (own === undefined) return undefined
    const uses = alternative.isAdmin ? [] : [...device.uses, ...own]
    for (const { resource, amount, total } of uses) {
      const taken = this.#space.used(resource, device.isTemplate) + (this.#local.get(resource) ?? 0n)
      if (taken + amount > total) return undefined
    }
    return uses
  }

  #slot(
    claim: number,
    request: number,
    alternative: DeviceAlternative,
    candidates: readonly MatchedDevice[],
    left: number,
    from: number,
  ): boolean {
    if (left === 0) return this.#request(claim, request + 1)
    for (let place = from; place < candidates.length; place++) {
      const candidate = candidates[place]
      if (candidate === undefined || !this.#reaches(candidate.device.access)) continue
      if (candidate.problem !== undefined) return this.#fail(claim, alternative, candidate.problem, true)
      const before = this.#requirements
      if (!this.#take(claim, request, alternative, candidate.device)) {
        if (this.#isOver) return false
        continue
      }
      // The slots of a request are interchangeable, so the search tries each set of devices in only one order. As in kube-scheduler, the
      // devices of a request must differ from one another, even if they can be shared.
      if (this.#slot(claim, request, alternative, candidates, left - 1, place + 1)) return true
      this.#giveBack(before)
      if (this.#isOver) return false
    }
    return this.#fail(claim, alternative, shortageText(alternative, candidates.length))
  }

  #all(claim: number, request: number, alternative: DeviceAlternative): boolean {
    const wanted: PooledDevice[] = []
    const collect = (found: readonly MatchedDevice[]): string | undefined => {
      for (const { device, problem } of found) {
        if (!this.#reaches(device.access)) continue
        if (problem !== undefined) return problem
        wanted.push(device)
      }
      return undefined
    }
    for (const pool of this.#space.pools) {
      if (!pool.access.some((access) => this.#reaches(access))) continue
      if (pool.problem !== undefined)
        return this.#fail(claim, alternative, `pool ${pool.key} is invalid: ${pool.problem}`)
      if (pool.isIncomplete) return this.#fail(claim, alternative, `pool ${pool.key} is incomplete`)
      const problem = collect(matching(alternative, pool.devices))
      if (problem !== undefined) return this.#fail(claim, alternative, problem, true)
    }
    const problem = collect(matching(alternative, this.#space.promised.devices))
    if (problem !== undefined) return this.#fail(claim, alternative, problem, true)
    if (wanted.length === 0) return this.#fail(claim, alternative, shortageText(alternative, 0))
    const before = this.#requirements
    let taken = 0
    for (const device of wanted) {
      if (!this.#take(claim, request, alternative, device)) break
      taken++
    }
    if (taken === wanted.length && this.#request(claim, request + 1)) return true
    if (taken < wanted.length) this.#fail(claim, alternative, shortageText(alternative, wanted.length))
    for (; taken > 0; taken--) this.#giveBack(before)
    return false
  }

  #reaches(access: DeviceAccess): boolean {
    switch (access.kind) {
      case 'everywhere':
        return true
      case 'node':
        return access.node === this.#space.node
      case 'selector':
        return this.#termOf(access) !== undefined
    }
  }

  /** Returns the first alternative of a node selector that the node can satisfy in addition to its present requirements. */
  #termOf(access: DeviceAccess): NodeTerm | undefined {
    if (access.kind !== 'selector') return undefined
    const { node } = this.#space
    return access.terms.find(
      ({ requirements, nodes }) =>
        (nodes === undefined || (node !== undefined && nodes.has(node))) &&
        this.#space.admits(this.#requirements, requirements),
    )
  }

  #take(claim: number, request: number, alternative: DeviceAlternative, device: PooledDevice): boolean {
    if (++this.#tries > MOST_TRIES) {
      return this.#fail(claim, alternative, `no devices found after ${MOST_TRIES} tries`, true)
    }
    if (entryAt(this.#counts, claim) >= MOST_DEVICES) return false
    const uses = this.#usesOf(alternative, device)
    if (uses === undefined) return false
    const term = this.#termOf(device.access)
    if (device.access.kind === 'selector' && term === undefined) return false
    if (!this.#constrain(claim, request, alternative, device)) return false
    if (term !== undefined) this.#requirements = this.#requirements.merge(term.requirements)
    for (const { resource, amount } of uses) this.#local.set(resource, (this.#local.get(resource) ?? 0n) + amount)
    this.#counts[claim] = entryAt(this.#counts, claim) + 1
    this.#picks.push({ claim, request: alternative.name, device, uses, term })
    return true
  }

  #constraintsOn(claim: number, request: string, alternative: string): readonly MatchAttribute[] {
    return (this.#constraints[claim] ?? []).filter((constraint) => constraint.appliesTo(request, alternative))
  }

  #constrain(claim: number, request: number, alternative: DeviceAlternative, device: PooledDevice): boolean {
    const name = this.#demands[claim]?.requests[request]?.name ?? ''
    const met: MatchAttribute[] = []
    for (const constraint of this.#constraintsOn(claim, name, alternative.name)) {
      if (!constraint.add(device, this.#space.promised)) {
        for (const each of met) each.removeLast()
        return false
      }
      met.push(constraint)
    }
    return true
  }

  /** Undoes the last `#take`. */
  #giveBack(requirements: Requirements): void {
    const pick = this.#picks.pop()
    if (pick === undefined) return
    this.#requirements = requirements
    this.#counts[pick.claim] = entryAt(this.#counts, pick.claim) - 1
    for (const { resource, amount } of pick.uses) this.#local.set(resource, (this.#local.get(resource) ?? 0n) - amount)
    const [name = ''] = pick.request.split('/')
    for (const constraint of this.#constraintsOn(pick.claim, name, pick.request)) constraint.removeLast()
  }
}

/** Returns the taints of a device that prevent its allocation. */
const blocking = ({ taints }: PooledDevice) =>
  taints.flatMap(({ key, value, effect }) =>
    effect === 'NoSchedule' || effect === 'NoExecute'
      ? [{ key, effect, ...(value === undefined ? {} : { value }) } as const]
      : [],
  )

const shortageText = ({ count, deviceClass }: DeviceAlternative, matched: number): string =>
  detailTexts.tooFewDevices(count, deviceClass, matched)
