import type { Toleration } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { PodLabels } from '../model/pod-labels.ts'
import type { NodeFilter, PodQuery, TopologyGroup } from '../model/topology-group.ts'
import type { NamespaceScope, TopologyTerm } from '../model/topology-term.ts'
import type { DemandForm } from '../pods/pod-form.ts'
import { labels } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import { selectionIdentity } from './term.ts'

const NO_LABELS = {}
const NO_GROUPS: readonly TopologyGroup[] = []

/** Gives each combination of namespace and labels one numbered object, so that pods with equal labels share it. */
export class PodLabelSets {
  readonly list: PodLabels[] = []
  readonly #byText = new Map<string, PodLabels>()
  readonly #byForm = new Map<DemandForm, PodLabels>()

  /** Does the same as `of`, but looks up each form only once, because all pods of a form have the same labels. */
  ofForm(
    form: DemandForm | undefined,
    namespace: string,
    podLabels: Readonly<Record<string, string>> | undefined,
  ): PodLabels {
    if (form === undefined) return this.of(namespace, podLabels)
    let set = this.#byForm.get(form)
    if (set === undefined) {
      set = this.of(namespace, podLabels)
      this.#byForm.set(form, set)
    }
    return set
  }

  of(namespace: string, podLabels: Readonly<Record<string, string>> = NO_LABELS): PodLabels {
    let text = namespace
    for (const key of Object.keys(podLabels).sort()) text += `\u0000${key}\u0001${ownValue(podLabels, key)}`
    let set = this.#byText.get(text)
    if (set === undefined) {
      set = { id: this.list.length, namespace, labels: podLabels }
      this.#byText.set(text, set)
      this.list.push(set)
    }
    return set
  }
}

/** Returns whether a group counts pods with these labels. */
export const selects = (group: TopologyGroup, pod: PodLabels): boolean =>
  isSelected(group, pod) && group.others.every((other) => isSelected(other, pod))

const isSelected = ({ namespaces, query }: PodQuery, { namespace, labels: podLabels }: PodLabels): boolean =>
  (namespaces === undefined || namespaces.has(namespace)) && query.matches(podLabels)

const namespaceSet = (scope: NamespaceScope): ReadonlySet<string> | undefined =>
  scope === undefined ? undefined : new Set(scope)

const createGroup = (
  id: number,
  { type, key, namespaces, query, others, maxSkew, minDomains }: TopologyTerm,
  keyNumber: number,
  filter: NodeFilter | undefined,
  isInverse: boolean,
): TopologyGroup => ({
  id,
  type,
  isInverse,
  key,
  isHost: key === labels.hostname,
  keyNumber,
  namespaces: namespaceSet(namespaces),
  query,
  others: others.map((other) => ({ namespaces: namespaceSet(other.namespaces), query: other.query })),
  maxSkew,
  minDomains,
  filter,
})

/** All topology groups of a decision, in order of creation. They can be found by term, and by the pods that they select. */
export class TopologyGroups {
  readonly list: TopologyGroup[] = []
  readonly keys: string[] = []
  readonly #byIdentity = new Map<string, TopologyGroup>()
  /** Groups without a node filter, by their term. Inverse groups have a separate map. */
  readonly #byTerm = { inverse: new Map<TopologyTerm, TopologyGroup>(), others: new Map<TopologyTerm, TopologyGroup>() }
  readonly #byPair = new Map<string, TopologyGroup[]>()
  readonly #unpaired: TopologyGroup[] = []
  readonly #selecting = new Map<number, readonly TopologyGroup[]>()

  /**
   * Returns the group of a term. Unlike in Karpenter, terms with different node filters or different `minDomains` have different groups.
   * The node filter is built from everything that the pod requires, so relaxing preferences does not change it.
   */
  of(
    term: TopologyTerm,
    isInverse: boolean,
    alternatives: readonly Requirements[],
    tolerations: readonly Toleration[],
  ): TopologyGroup {
    if (term.honorsAffinity || term.honorsTaints)
      return this.#find(term, isInverse, nodeFilter(term, alternatives, tolerations))
    const known = isInverse ? this.#byTerm.inverse : this.#byTerm.others
    let group = known.get(term)
    if (group === undefined) {
      group = this.#find(term, isInverse, undefined)
      known.set(term, group)
    }
    return group
  }

  #find(term: TopologyTerm, isInverse: boolean, filter: NodeFilter | undefined): TopologyGroup {
    const identity = JSON.stringify([
      term.type,
      isInverse,
      term.key,
      term.namespaces ?? null,
      term.query.matchesNothing,
      term.query.identity,
      term.others.map(selectionIdentity),
      term.maxSkew,
      term.minDomains ?? null,
      filter?.identity ?? '',
    ])
    let group = this.#byIdentity.get(identity)
    if (group === undefined) {
      group = createGroup(this.list.length, term, this.#keyNumber(term.key), filter, isInverse)
      this.#byIdentity.set(identity, group)
      this.list.push(group)
      const pair = term.query.requiredPair
      if (pair === undefined) this.#unpaired.push(group)
      else {
        const paired = this.#byPair.get(pair)
        if (paired === undefined) this.#byPair.set(pair, [group])
        else paired.push(group)
      }
    }
    return group
  }

  #keyNumber(key: string): number {
    if (key === labels.hostname) return -1
    const known = this.keys.indexOf(key)
    return known >= 0 ? known : this.keys.push(key) - 1
  }

  /** Returns the groups that count pods with these labels, in order of creation. Call it only after all groups exist. */
  selecting(pod: PodLabels): readonly TopologyGroup[] {
    let groups = this.#selecting.get(pod.id)
    if (groups === undefined) {
      const candidates = [...this.#unpaired]
      for (const key in pod.labels) {
        for (const group of this.#byPair.get(`${key}=${pod.labels[key]}`) ?? []) candidates.push(group)
      }
      groups =
        candidates.length === 0
          ? NO_GROUPS
          : candidates.filter((group) => selects(group, pod)).sort((a, b) => a.id - b.id)
      this.#selecting.set(pod.id, groups)
    }
    return groups
  }
}

const nodeFilter = (
  term: TopologyTerm,
  alternatives: readonly Requirements[],
  tolerations: readonly Toleration[],
): NodeFilter | undefined => {
  const demanded = term.honorsAffinity ? alternatives : undefined
  const identities = demanded?.map(({ identity }) => identity).sort(byText)
  const restricts = demanded?.some(({ byKey }) => byKey.size === 0) === false
  if (!restricts && !term.honorsTaints) return undefined
  return {
    identity: JSON.stringify([restricts ? identities : null, term.honorsTaints ? tolerations : null]),
    alternatives: restricts ? demanded : undefined,
    tolerations: term.honorsTaints ? tolerations : undefined,
  }
}
