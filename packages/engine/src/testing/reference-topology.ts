import { coreVocabulary, type Pod, type Toleration, toleratesTaints } from '@kerf/apis'
import { simulatedKeys, templateLabels } from '../instance-types/template-reader.ts'
import type { PodPreferences } from '../model/preferences.ts'
import type { PodSelection, TopologyTerm } from '../model/topology-term.ts'
import { requirementAlternatives } from '../pods/node-requirements.ts'
import { podNamespace } from '../pods/pod-name.ts'
import { podPreferences } from '../pods/relaxation.ts'
import { LabelRules, labels } from '../requirements/label-rules.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import type { ClusterSnapshot, NodeState, PoolOption } from '../snapshot.ts'
import { affinityTerm, affinityTermsTogether, spreadTerm } from '../topology/term.ts'

export const rules = new LabelRules(coreVocabulary)

export interface ReferencePlacement {
  readonly pod: Pod
  /** For each term, the domains in which the pod counted when it was placed. Later narrowing does not change them. */
  readonly counted: Map<string, readonly string[]>
}

/** The pods that are counted for topology terms: those of the cluster, and those placed so far. */
export interface ReferenceBoard {
  readonly snapshot: ClusterSnapshot
  readonly batch: readonly Pod[]
  readonly pools: readonly PoolOption[]
  readonly nodes: readonly NodeState[]
  readonly onNodes: ReadonlyMap<NodeState, readonly ReferencePlacement[]>
  readonly claims: readonly { readonly id: number; readonly pods: readonly ReferencePlacement[] }[]
}

export const termIdentity = (term: TopologyTerm): string =>
  JSON.stringify([
    term.type,
    term.key,
    term.namespaces ?? null,
    term.query.matchesNothing,
    term.query.identity,
    term.others.map(({ namespaces, query }) => [namespaces ?? null, query.matchesNothing, query.identity]),
    term.maxSkew,
    term.minDomains ?? null,
    'filter' in term ? term.filter : '',
  ])

const selects = (term: TopologyTerm, pod: Pod): boolean =>
  [term, ...term.others].every((selection) => isSelected(selection, pod))

const isSelected = (term: PodSelection, pod: Pod): boolean =>
  (term.namespaces === undefined || term.namespaces.includes(podNamespace(pod))) &&
  term.query.matches(pod.metadata.labels ?? {})

/** A direct implementation of spread and affinity. It counts all pods again each time it needs a count. */
export class ReferenceTopology {
  readonly board: ReferenceBoard

  constructor(board: ReferenceBoard) {
    this.board = board
  }

  termsOf(pod: Pod, preferences: PodPreferences): readonly TopologyTerm[] {
    const { namespaces } = this.board.snapshot
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
    return [
      ...preferences.spread.map((constraint) => this.withFilter(pod, spreadTerm(pod, constraint, rules))),
      ...affinityTermsTogether(
        (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) =>
          affinityTerm('affinity', pod, term, true, namespaces, rules),
        ),
      ),
      ...(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) =>
        affinityTerm('anti-affinity', pod, term, true, namespaces, rules),
      ),
      ...preferences.preferredAffinity.map((term) => affinityTerm('affinity', pod, term, false, namespaces, rules)),
      ...preferences.preferredAntiAffinity.map((term) =>
        affinityTerm('anti-affinity', pod, term, false, namespaces, rules),
      ),
    ]
  }

  /** Spread constraints that count different nodes are different terms. */
  withFilter(pod: Pod, term: TopologyTerm): TopologyTerm {
    const filter = {
      alternatives: requirementAlternatives(pod, rules),
      tolerations: pod.spec.tolerations ?? [],
    }
    const text = JSON.stringify([
      term.honorsAffinity ? filter.alternatives.map(({ identity }) => identity).sort() : 0,
      term.honorsTaints ? filter.tolerations : 0,
    ])
    const own = { ...term, filter: text }
    this.filters.set(termIdentity(own), filter)
    return own
  }

  readonly filters = new Map<string, { alternatives: readonly Requirements[]; tolerations: readonly Toleration[] }>()
  #all: readonly TopologyTerm[] | undefined

  /** Returns every term of every pod of the batch and the cluster, including preferences. */
  allTerms(): readonly TopologyTerm[] {
    this.#all ??= [...this.board.batch, ...this.board.nodes.flatMap(({ pods }) => pods)].flatMap((pod) =>
      this.termsOf(pod, podPreferences(pod)),
    )
    return this.#all
  }

  keysInOrder(_pod: Pod): readonly string[] {
    return [...new Set(this.allTerms().map(({ key }) => key))].filter((key) => key !== labels.hostname).sort()
  }

  countsOn(term: TopologyTerm, node: Requirements, taints: NodeState['taints']): boolean {
    const filter = this.filters.get(termIdentity(term))
    if (term.type !== 'spread' || filter === undefined) return true
    if (term.honorsAffinity && !filter.alternatives.some((wanted) => node.accepts(wanted))) return false
    return (
      !term.honorsTaints ||
      toleratesTaints(
        taints.filter(({ effect }) => effect !== 'PreferNoSchedule'),
        filter.tolerations,
      )
    )
  }

  /** Returns the pod's own terms, and anti-affinity terms of other pods that exclude it. */
  relevant(pod: Pod, preferences: PodPreferences): readonly TopologyTerm[] {
    return [...this.termsOf(pod, preferences), ...this.against(pod)]
  }

  against(pod: Pod): readonly TopologyTerm[] {
    return [...this.board.batch, ...this.board.nodes.flatMap(({ pods }) => pods)].flatMap((owner) =>
      this.termsOf(owner, { ...podPreferences(owner), preferredAntiAffinity: [] })
        .filter((term) => term.type === 'anti-affinity' && selects(term, pod))
        .map((term) => ({ ...term, inverse: true })),
    )
  }

  mustPin(pod: Pod, key: string): boolean {
    if (
      this.termsOf(pod, podPreferences(pod)).some(
        (term) => term.required && term.type === 'anti-affinity' && term.key === key,
      )
    )
      return true
    return this.board.batch.some((owner) =>
      this.termsOf(owner, podPreferences(owner)).some(
        (term) => term.required && term.type !== 'spread' && term.key === key && selects(term, pod),
      ),
    )
  }

  universe(key: string): ReadonlySet<string> {
    const found = new Set<string>()
    for (const { nodePool, instanceTypes } of this.board.pools) {
      const own = rules
        .requirements(nodePool.spec.template.spec.requirements)
        .merge(rules.ofLabels(templateLabels(nodePool)))
      const wanted = own.byKey.get(key)
      if (wanted !== undefined && !wanted.complement) for (const value of wanted.values) found.add(value)
      for (const type of instanceTypes) {
        const offered = rules.requirements(type.requirements)
        if (!offered.intersects(own)) continue
        const values = offered.byKey.get(key)
        if (values !== undefined && !values.complement)
          for (const value of values.values) if (own.get(key).has(value)) found.add(value)
      }
    }
    for (const node of this.board.nodes) if (node.labels[key] !== undefined) found.add(node.labels[key] ?? '')
    return found
  }

  registered(term: TopologyTerm): ReadonlySet<string> {
    const filter = this.filters.get(termIdentity(term))
    const found = new Set<string>()
    for (const { nodePool, instanceTypes } of this.board.pools) {
      const own = rules
        .requirements(nodePool.spec.template.spec.requirements)
        .merge(rules.ofLabels(templateLabels(nodePool)))
        .merge(Requirements.of(simulatedKeys.map((key) => Requirement.in(key, ['true']))))
      const taints = (nodePool.spec.template.spec.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule')
      if (term.type === 'spread' && term.honorsTaints && !toleratesTaints(taints, filter?.tolerations)) continue
      const wanted: readonly (Requirements | undefined)[] =
        term.type === 'spread' && term.honorsAffinity
          ? (filter?.alternatives ?? []).filter((each) => own.accepts(each, rules.isWellKnown))
          : [undefined]
      for (const alternative of wanted) {
        const admits = (value: string) => alternative?.byKey.get(term.key)?.has(value) !== false
        const listed = own.byKey.get(term.key)
        if (listed !== undefined && !listed.complement)
          for (const value of listed.values) if (admits(value)) found.add(value)
        for (const type of instanceTypes) {
          const offered = rules.requirements(type.requirements)
          if (!offered.intersects(own) || (alternative !== undefined && !offered.intersects(alternative))) continue
          const values = offered.byKey.get(term.key)
          if (values === undefined || values.complement) continue
          for (const value of values.values) if (own.get(term.key).has(value) && admits(value)) found.add(value)
        }
      }
    }
    for (const node of this.board.nodes) {
      const value = node.labels[term.key]
      if (value === undefined || !node.hasNode) continue
      if (this.countsOn(term, Requirements.ofLabels({ [labels.hostname]: node.hostName, ...node.labels }), node.taints))
        found.add(value)
    }
    return found
  }

  /** Returns the number of pods that count for a term in a domain: pods that it selects or, for an inverse term, pods that have it. */
  count(term: TopologyTerm, domain: string): number {
    const inverse = 'inverse' in term
    const has = (pod: Pod): boolean =>
      inverse
        ? this.termsOf(pod, { ...podPreferences(pod), preferredAntiAffinity: [] }).some(
            (own) => termIdentity(own) === termIdentity(term),
          )
        : selects(term, pod)
    let count = 0
    for (const node of this.board.nodes) {
      const own = Requirements.ofLabels({ [labels.hostname]: node.hostName, ...node.labels })
      if ((own.byKey.get(term.key)?.any() ?? '') !== domain || (!inverse && !this.countsOn(term, own, node.taints)))
        continue
      count += node.pods.filter(has).length
    }
    for (const { pod, counted } of [
      ...this.board.onNodes.values(),
      ...this.board.claims.map(({ pods }) => pods),
    ].flat()) {
      const domains = counted.get(termIdentity(term))
      if (domains?.includes(domain) === true && has(pod)) count++
    }
    return count
  }

  isOpening(pod: Pod, strict: Requirements, term: TopologyTerm, left: readonly string[]): boolean {
    return (
      term.type === 'affinity' &&
      selects(term, pod) &&
      left.length > 0 &&
      left.every((domain) => this.count(term, domain) === 0) &&
      !this.isOccupied(pod, strict, term)
    )
  }

  /**
   * Returns whether a counted pod prevents another pod from being the first of its affinity group. For required affinity, a counted pod in
   * any domain prevents it.
   */
  isOccupied(pod: Pod, strict: Requirements, term: TopologyTerm): boolean {
    const required = this.termsOf(pod, podPreferences(pod)).filter((own) => own.type === 'affinity' && own.required)
    return required.some((own) => termIdentity(own) === termIdentity(term))
      ? required.some((own) => this.isOccupiedWithin(Requirements.none, own))
      : this.isOccupiedWithin(strict, term)
  }

  isOccupiedWithin(strict: Requirements, term: TopologyTerm): boolean {
    const wanted = strict.get(term.key)
    const hosts = [
      ...this.board.nodes.map(({ hostName }) => hostName),
      ...this.board.claims.map(({ id }) => `claim ${id}`),
    ]
    const domains = term.key === labels.hostname ? hosts : [...this.universe(term.key)]
    return domains.some(
      (domain) => (term.key === labels.hostname || wanted.has(domain)) && this.count(term, domain) > 0,
    )
  }

  /** Returns the domains in `open` that a term allows. */
  left(pod: Pod, strict: Requirements, term: TopologyTerm, open: readonly string[], host: string): string[] {
    const wanted = strict.get(term.key)
    const isHost = term.key === labels.hostname
    if (isHost) {
      const count = this.count(term, host)
      if (term.type === 'anti-affinity') return count === 0 ? [host] : []
      if (term.type === 'spread') return count + (selects(term, pod) ? 1 : 0) <= term.maxSkew ? [host] : []
      return count > 0 || (selects(term, pod) && !this.isOccupied(pod, strict, term)) ? [host] : []
    }
    const registered = 'inverse' in term ? this.universe(term.key) : this.registered(term)
    if (term.type === 'anti-affinity') {
      return open.filter((domain) => wanted.has(domain) && this.count(term, domain) === 0)
    }
    if (term.type === 'spread') {
      const counts = [...registered].filter((domain) => wanted.has(domain)).map((domain) => this.count(term, domain))
      const fewest =
        term.minDomains !== undefined && counts.length < term.minDomains
          ? 0
          : counts.length === 0
            ? Number.MAX_SAFE_INTEGER
            : Math.min(...counts)
      return open.filter(
        (domain) =>
          registered.has(domain) && this.count(term, domain) + (selects(term, pod) ? 1 : 0) - fewest <= term.maxSkew,
      )
    }
    const joined = open.filter((domain) => wanted.has(domain) && this.count(term, domain) > 0)
    if (joined.length > 0) return joined
    if (!selects(term, pod) || this.isOccupied(pod, strict, term)) return []
    return open.filter((domain) => registered.has(domain) && wanted.has(domain))
  }
}
