import { type Taint, toleratesTaints } from '@kerf/apis'
import type { DomainNames } from '../model/domain-names.ts'
import type { PlacedNode } from '../model/existing-node.ts'
import type { InstanceTypeOptions } from '../model/instance-type-options.ts'
import type { NodeFilter, TopologyGroup } from '../model/topology-group.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'

/** A pool, with the properties that determine the domains of its nodes. */
export interface ReachablePool {
  readonly requirements: Requirements
  readonly taints: readonly Taint[]
  readonly typeOptions: Pick<InstanceTypeOptions, 'reachable'>
}

// A PreferNoSchedule taint does not exclude a pod permanently, so it does not exclude any domain.
const hardTaints = (taints: readonly Taint[]): readonly Taint[] =>
  taints.filter(({ effect }) => effect !== 'PreferNoSchedule')

const toleratedBy = (filter: NodeFilter | undefined, taints: readonly Taint[]): boolean =>
  filter?.tolerations === undefined || toleratesTaints(hardTaints(taints), filter.tolerations)

/**
 * Returns whether a group counts the pods of a node (or of a claim, described by its requirements). A label whose value is not decided yet
 * does not match.
 */
export const passesFilter = (filter: NodeFilter | undefined, node: Requirements, taints: readonly Taint[]): boolean =>
  filter === undefined ||
  ((filter.alternatives === undefined || filter.alternatives.some((wanted) => node.accepts(wanted))) &&
    toleratedBy(filter, taints))

/**
 * The names of all domains of each topology key: domains that pools can reach, and domains of nodes (`docs/spec/scheduling.md#domains`).
 */
export class Domains implements DomainNames {
  readonly keys: readonly string[]
  readonly names: readonly (readonly string[])[]
  readonly #numbers: readonly ReadonlyMap<string, number>[]
  readonly #pools: readonly ReachablePool[]
  readonly #rules: LabelRules
  readonly #reachable = new Map<string, ReadonlySet<string>>()

  constructor(
    keys: readonly string[],
    pools: readonly ReachablePool[],
    nodes: readonly PlacedNode[],
    rules: LabelRules,
  ) {
    this.keys = keys
    this.#pools = pools
    this.#rules = rules
    this.names = keys.map((key) => {
      const names = new Set(this.reachable(key, undefined))
      for (const { labelValues } of nodes) {
        const value = labelValues.get(key)
        if (value !== undefined) names.add(value)
      }
      return [...names].sort(byText)
    })
    this.#numbers = this.names.map((names) => new Map(names.map((name, number) => [name, number])))
  }

  numberOf(key: number, name: string): number | undefined {
    return this.#numbers[key]?.get(name)
  }

  /**
   * Returns the domains that new nodes can be in. With a filter, returns only the domains that the pod's own requirements allow. A zone
   * that none of the pod's pools can reach therefore does not limit the skew. Karpenter does count this zone.
   */
  reachable(key: string, filter: NodeFilter | undefined): ReadonlySet<string> {
    const text = `${key}|${filter?.identity ?? ''}`
    const known = this.#reachable.get(text)
    if (known !== undefined) return known
    const found = new Set<string>()
    // Pools with the same instance types, the same requirement on the label and the same alternatives reach the same domains.
    const seen = new Map<ReachablePool['typeOptions'], Set<string>>()
    const alternatives: readonly (Requirements | undefined)[] = filter?.alternatives ?? [undefined]
    for (const pool of this.#pools) {
      if (!toleratedBy(filter, pool.taints)) continue
      const wanted = alternatives.filter(
        (alternative) => alternative === undefined || pool.requirements.accepts(alternative, this.#rules.isWellKnown),
      )
      if (wanted.length === 0) continue
      const place = `${wanted.map((alternative) => alternatives.indexOf(alternative)).join()}|${pool.requirements.byKey.get(key)?.identity ?? ''}`
      let places = seen.get(pool.typeOptions)
      if (places === undefined) {
        places = new Set()
        seen.set(pool.typeOptions, places)
      }
      if (places.has(place)) continue
      places.add(place)
      this.#addReachable(found, key, pool, wanted)
    }
    this.#reachable.set(text, found)
    return found
  }

  #addReachable(
    found: Set<string>,
    key: string,
    pool: ReachablePool,
    wanted: readonly (Requirements | undefined)[],
  ): void {
    const own = pool.requirements.byKey.get(key)
    const admits = (value: string) => wanted.some((alternative) => alternative?.byKey.get(key)?.has(value) !== false)
    if (own !== undefined && !own.complement) {
      for (const value of own.values) if (admits(value)) found.add(value)
    }
    for (const type of pool.typeOptions.reachable) {
      const offered = type.byKey.get(key)
      if (offered === undefined || offered.complement) continue
      if (!wanted.some((alternative) => alternative === undefined || type.intersects(alternative))) continue
      for (const value of offered.values) if ((own === undefined || own.has(value)) && admits(value)) found.add(value)
    }
  }

  /**
   * Returns, by domain, 1 if the domain is eligible for a group. A domain is eligible if new nodes can be in it, or if it contains a node
   * that passes the group's filter.
   */
  registeredFor(group: TopologyGroup, nodes: readonly PlacedNode[]): Uint8Array<ArrayBuffer> {
    const registered = new Uint8Array(this.names[group.keyNumber]?.length ?? 0)
    const mark = (value: string) => {
      const domain = this.numberOf(group.keyNumber, value)
      if (domain !== undefined) registered[domain] = 1
    }
    for (const value of this.reachable(group.key, group.filter)) mark(value)
    for (const node of nodes) {
      const value = node.labelValues.get(group.key)
      if (value !== undefined && node.hasNode && passesFilter(group.filter, node.requirements, node.taints)) mark(value)
    }
    return registered
  }
}
