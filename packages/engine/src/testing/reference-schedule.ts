import { type Pod, parseQuantity, parseTime, podRequests, toleratesTaints } from '@kerf/apis'
import type { InstanceType } from '../instance-type.ts'
import { daemonsOfPool, runsOn, runsOnNode, toDaemon } from '../instance-types/daemons.ts'
import { simulatedKeys, templateLabels } from '../instance-types/template-reader.ts'
import type { PodPreferences } from '../model/preferences.ts'
import { fullRequirements, strictRequirements } from '../pods/node-requirements.ts'
import { podPreferences, relax } from '../pods/relaxation.ts'
import { labels } from '../requirements/label-rules.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import type { ClusterSnapshot, NodeState, PoolOption } from '../snapshot.ts'
import {
  byCheapest,
  byPrice,
  fits,
  openDomains,
  type ReferenceClaim,
  referenceOfferings,
  total,
} from './reference-offers.ts'
import {
  type ReferenceBoard,
  type ReferencePlacement,
  ReferenceTopology,
  rules,
  termIdentity,
} from './reference-topology.ts'

/**
 * This file is a direct implementation of `docs/spec/scheduling.md` for tests. It uses names instead of numbers, and has no indexes and no
 * caches. It sorts claims before every attempt, and counts the pods of domains again each time it needs the counts. It leaves out volumes,
 * host ports, reservations and minValues, because other tests cover them.
 */

export interface ReferencePlan {
  readonly claims: readonly {
    readonly pool: string
    readonly pods: readonly string[]
    readonly types: readonly string[]
  }[]
  readonly placements: readonly { readonly node: string; readonly pods: readonly string[] }[]
  readonly unschedulable: readonly string[]
}

const podName = (pod: Pod): string => pod.metadata.name
const amount = (pod: Pod, name: string): bigint => podRequests(pod).get(name) ?? 0n

export const referenceSchedule = (snapshot: ClusterSnapshot, batch: readonly Pod[]): ReferencePlan =>
  new Reference(snapshot, batch).solve()

class Reference implements ReferenceBoard {
  readonly snapshot: ClusterSnapshot
  readonly batch: readonly Pod[]
  readonly pools: readonly PoolOption[]
  readonly nodes: readonly NodeState[]
  claims: ReferenceClaim[] = []
  readonly onNodes = new Map<NodeState, ReferencePlacement[]>()
  nextClaim = 0
  readonly topology: ReferenceTopology

  constructor(snapshot: ClusterSnapshot, batch: readonly Pod[]) {
    this.snapshot = snapshot
    this.batch = batch
    const weight = (option: PoolOption) => option.nodePool.spec.weight ?? 0
    const name = (option: PoolOption) => option.nodePool.metadata.name
    this.pools = snapshot.pools.toSorted((a, b) => weight(b) - weight(a) || (name(a) < name(b) ? 1 : -1))
    this.nodes = snapshot.nodes.toSorted((a, b) =>
      a.initialized === b.initialized ? (a.name < b.name ? -1 : 1) : a.initialized ? -1 : 1,
    )
    this.topology = new ReferenceTopology(this)
  }

  solve(): ReferencePlan {
    const order = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)
    const queue = this.batch.toSorted(
      (a, b) =>
        order(amount(a, 'cpu'), amount(b, 'cpu')) ||
        order(amount(a, 'memory'), amount(b, 'memory')) ||
        (parseTime(a.metadata.creationTimestamp) ?? 0) - (parseTime(b.metadata.creationTimestamp) ?? 0) ||
        ((a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1),
    )
    const lastLength = new Map<Pod, number>()
    for (let pod = queue[0]; pod !== undefined && lastLength.get(pod) !== queue.length; pod = queue[0]) {
      queue.shift()
      if (this.try(pod)) continue
      queue.push(pod)
      lastLength.set(pod, queue.length)
    }
    this.sortClaims()
    return {
      claims: this.claims.map((claim) => ({
        pool: claim.option.nodePool.metadata.name,
        pods: claim.pods.map(({ pod }) => podName(pod)),
        types: this.typesOf(
          claim,
          claim.requirements,
          claim.pods.map(({ pod }) => pod),
        )
          .map(({ name }) => name)
          .sort(),
      })),
      placements: [...this.onNodes].map(([node, placed]) => ({
        node: node.name,
        pods: placed.map(({ pod }) => podName(pod)),
      })),
      unschedulable: queue.map(podName),
    }
  }

  sortClaims(): void {
    this.claims = this.claims.toSorted((a, b) => a.pods.length - b.pods.length)
  }

  try(pod: Pod): boolean {
    const hasSoftTaints = this.pools.some(({ nodePool }) =>
      nodePool.spec.template.spec.taints?.some(({ effect }) => effect === 'PreferNoSchedule'),
    )
    for (
      let preferences: PodPreferences | undefined = podPreferences(pod);
      preferences !== undefined;
      preferences = relax(preferences, hasSoftTaints)
    ) {
      if (this.place(pod, preferences)) return true
    }
    return false
  }

  place(pod: Pod, preferences: PodPreferences): boolean {
    const { requiredNodeTerms } = preferences
    const alternatives = (requiredNodeTerms.length === 0 ? [[]] : requiredNodeTerms.map((term) => [term])).map(
      (terms) => {
        const own = { ...preferences, requiredNodeTerms: terms }
        const strict = strictRequirements(pod, own, rules)
        return { own, strict, full: fullRequirements(strict, own, rules) }
      },
    )
    for (const node of this.nodes) {
      for (const { own, strict, full } of alternatives) if (this.placeOnNode(pod, own, strict, full, node)) return true
    }
    this.sortClaims()
    const weightOf = ({ own, strict, full }: (typeof alternatives)[number]): number => {
      const option = this.pools.find((pool) => {
        const claim = this.open(pool)
        return (
          claim !== undefined &&
          this.narrow(pod, own, strict, full, claim, `claim ${claim.id}`).some(
            (requirements) => this.typesOf(claim, requirements, [pod]).length > 0,
          )
        )
      })
      return option === undefined ? -1 : (option.nodePool.spec.weight ?? 0)
    }
    const inOrder = alternatives.toSorted((a, b) => weightOf(b) - weightOf(a))
    return inOrder.some(({ own, strict, full }) => this.placeOnClaim(pod, own, strict, full))
  }

  placeOnClaim(pod: Pod, own: PodPreferences, strict: Requirements, full: Requirements): boolean {
    for (const claim of this.claims) {
      const to = this.narrow(pod, own, strict, full, claim, `claim ${claim.id}`).find(
        (requirements) =>
          this.leastType(claim, requirements, [...claim.pods.map((placed) => placed.pod), pod]) !== undefined,
      )
      // An open claim is tried only with the best choice of domains.
      const [best] = this.narrow(pod, own, strict, full, claim, `claim ${claim.id}`)
      if (to === undefined || (to !== best && to.identity !== best?.identity)) continue
      this.record(claim, pod, to)
      return true
    }
    for (const option of this.pools) {
      const claim = this.open(option)
      if (claim === undefined) continue
      const to = this.narrow(pod, own, strict, full, claim, `claim ${claim.id}`).find(
        (requirements) => this.typesOf(claim, requirements, [pod]).length > 0,
      )
      if (to === undefined) continue
      this.nextClaim++
      this.claims.push(claim)
      this.record(claim, pod, to)
      return true
    }
    return false
  }

  placeOnNode(
    pod: Pod,
    preferences: PodPreferences,
    strict: Requirements,
    full: Requirements,
    node: NodeState,
  ): boolean {
    const requirements = Requirements.ofLabels({ [labels.hostname]: node.hostName, ...node.labels })
    if (node.markedForDeletion || !toleratesTaints(node.taints, preferences.tolerations) || !requirements.accepts(full))
      return false
    const own = this.onNodes.get(node) ?? []
    const free = new Map<string, bigint>(Object.entries(node.allocatable))
    for (const [name, value] of total([...node.pods, ...own.map((placed) => placed.pod)])) {
      free.set(name, (free.get(name) ?? 0n) - value)
    }
    for (const daemon of this.snapshot.daemonPods.map((each) => toDaemon(each, rules))) {
      if (!runsOnNode(daemon, requirements, node.taints)) continue
      for (const [name, value] of daemon.requests) free.set(name, (free.get(name) ?? 0n) - value)
    }
    if (!fits(total([pod]), free)) return false
    for (const term of this.topology.relevant(pod, preferences)) {
      const domain = requirements.byKey.get(term.key)?.any() ?? ''
      if (domain === '' && term.type === 'anti-affinity') continue
      const open = domain === '' ? [] : [domain]
      if (this.topology.left(pod, strict, term, open, node.hostName).length === 0) return false
    }
    const counted = new Map<string, readonly string[]>()
    for (const term of this.topology.allTerms()) {
      const domain = requirements.byKey.get(term.key)?.any() ?? ''
      if (domain !== '' && this.topology.countsOn(term, requirements, node.taints))
        counted.set(termIdentity(term), [domain])
    }
    this.onNodes.set(node, [...own, { pod, counted }])
    return true
  }

  open(option: PoolOption): ReferenceClaim | undefined {
    const { nodePool, instanceTypes } = option
    let allowed = new Set(instanceTypes.map(({ name }) => name))
    for (const [name, text] of Object.entries(nodePool.spec.limits ?? {})) {
      const own = this.claims.filter((claim) => claim.option === option)
      const existing = this.nodes.filter((node) => node.nodePool === nodePool.metadata.name && !node.markedForDeletion)
      let left: bigint = parseQuantity(text)
      if (name === 'nodes') {
        if (left < BigInt(own.length + existing.length + 1) * 1_000_000_000n) return undefined
        continue
      }
      for (const node of existing) left -= node.capacity[name] ?? 0n
      for (const claim of own) left -= this.held.get(claim)?.capacity[name] ?? 0n
      allowed = new Set(
        [...allowed].filter((type) => (instanceTypes.find((each) => each.name === type)?.capacity[name] ?? 0n) <= left),
      )
    }
    const requirements = rules
      .requirements(nodePool.spec.template.spec.requirements)
      .merge(rules.ofLabels(templateLabels(nodePool)))
      .merge(Requirements.of(simulatedKeys.map((key) => Requirement.in(key, ['true']))))
    return { id: this.nextClaim, option, requirements, allowed, pods: [] }
  }

  /** For each claim, the one type that must stay in its list, even if all other types are removed. */
  readonly held = new Map<ReferenceClaim, InstanceType>()

  /** Returns the smallest instance type within the limits that is sufficient for a claim with these pods. */
  leastType(claim: ReferenceClaim, requirements: Requirements, pods: readonly Pod[]): InstanceType | undefined {
    const types = this.typesOf(claim, requirements, pods)
    const limits = Object.entries(claim.option.nodePool.spec.limits ?? {}).filter(([name]) => name !== 'nodes')
    if (limits.length === 0) return types[0]
    const before = this.held.get(claim)
    if (before !== undefined && types.includes(before)) return before
    const instanceTypeShare = ({ capacity }: InstanceType): number =>
      Math.max(
        0,
        ...limits.map(([name, text]) => {
          const amount = capacity[name] ?? 0n
          return amount === 0n ? 0 : Number(amount) / Number(parseQuantity(text))
        }),
      )
    const existing = this.nodes.filter(
      (node) => node.nodePool === claim.option.nodePool.metadata.name && !node.markedForDeletion,
    )
    const leftOf = (name: string, text: string | number): bigint => {
      let left: bigint = parseQuantity(text)
      for (const node of existing) left -= node.capacity[name] ?? 0n
      for (const other of this.claims)
        if (other.option === claim.option && other !== claim) left -= this.held.get(other)?.capacity[name] ?? 0n
      return left
    }
    const cheapest = byCheapest(claim, types, requirements, pods)
    return types
      .toSorted(
        (a, b) => instanceTypeShare(a) - instanceTypeShare(b) || cheapest.indexOf(a.name) - cheapest.indexOf(b.name),
      )
      .find(({ capacity }) => limits.every(([name, text]) => (capacity[name] ?? 0n) <= leftOf(name, text)))
  }

  record(claim: ReferenceClaim, pod: Pod, to: Requirements): void {
    const counted = new Map<string, readonly string[]>()
    for (const term of this.topology.allTerms()) {
      const taints = claim.option.nodePool.spec.template.spec.taints ?? []
      if (!this.topology.countsOn(term, to, taints)) continue
      const open =
        term.key === labels.hostname ? [`claim ${claim.id}`] : openDomains(claim, to, term.key, this.topology)
      if (term.type === 'anti-affinity' || open.length === 1) counted.set(termIdentity(term), open)
    }
    claim.requirements = to
    claim.pods.push({ pod, counted })
    const least = this.leastType(
      claim,
      to,
      claim.pods.map((placed) => placed.pod),
    )
    if (least !== undefined) this.held.set(claim, least)
  }

  typesOf(claim: ReferenceClaim, requirements: Requirements, pods: readonly Pod[]): readonly InstanceType[] {
    const { nodePool, instanceTypes } = claim.option
    const taints = nodePool.spec.template.spec.taints ?? []
    const fresh = this.open(claim.option)?.requirements ?? requirements
    const daemons = daemonsOfPool(
      this.snapshot.daemonPods.map((each) => toDaemon(each, rules)),
      taints,
    )
    return instanceTypes.filter((type) => {
      const here = daemons.filter((daemon) => runsOn(daemon, fresh, rules.requirements(type.requirements), rules))
      const requests = total([...pods, ...here.map((daemon) => daemon.pod)])
      if (pods.length === 0) return false
      return referenceOfferings(claim, type, requirements).some(({ free }) => fits(requests, free))
    })
  }

  /** Returns the requirements of the claim with the pod for each choice of domains, best first. */
  narrow(
    pod: Pod,
    preferences: PodPreferences,
    strict: Requirements,
    full: Requirements,
    claim: ReferenceClaim,
    host: string,
  ): Requirements[] {
    const taints = claim.option.nodePool.spec.template.spec.taints ?? []
    if (!toleratesTaints(taints, preferences.tolerations) || !claim.requirements.accepts(full, rules.isWellKnown))
      return []
    const base = claim.requirements.merge(full)
    const terms = this.topology.relevant(pod, preferences)
    for (const term of terms) {
      if (term.key === labels.hostname && this.topology.left(pod, strict, term, [host], host).length === 0) return []
    }
    let reached = [base]
    for (const key of this.topology.keysInOrder(pod)) {
      const own = terms.filter((term) => term.key === key)
      const mustPin = this.topology.mustPin(pod, key)
      if (own.length === 0 && !mustPin) continue
      const open = openDomains(claim, base, key, this.topology)
      const onlyAvoids = own.every(({ type }) => type === 'anti-affinity')
      if (open.length === 0 && onlyAvoids) continue
      let left = [...open]
      let isSingle = false
      for (const term of own) {
        left = this.topology.left(pod, strict, term, left, host)
        if (term.type === 'spread' || this.topology.isOpening(pod, strict, term, left)) isSingle = true
      }
      if (left.length === 0) return []
      let choices: string[][]
      const spreads = own.filter(({ type }) => type === 'spread')
      if (isSingle || spreads.length > 0) {
        left.sort((a, b) => {
          for (const term of spreads) {
            const difference = this.topology.count(term, a) - this.topology.count(term, b)
            if (difference !== 0) return difference
          }
          return a < b ? -1 : 1
        })
        choices = left.map((domain) => [domain])
      } else if (mustPin) choices = byPrice(claim, base, key, left).map((domain) => [domain])
      else choices = [left]
      reached = reached.flatMap((requirements) =>
        choices.flatMap((domains) => {
          if (domains.length === open.length && choices.length === 1 && !isSingle && spreads.length === 0 && !mustPin) {
            return [requirements]
          }
          const pin = Requirements.of([Requirement.in(key, domains)])
          return requirements.accepts(pin, rules.isWellKnown) ? [requirements.merge(pin)] : []
        }),
      )
    }
    return reached
  }
}
