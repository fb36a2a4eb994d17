import type { EquivalenceGroup } from '../model/equivalence-group.ts'
import type { NodeId } from '../model/ids.ts'
import type { Problem } from '../problem/problem.ts'
import { labels } from '../requirements/label-rules.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'

/** The maximum number of places to try for one equivalence group. */
const MOST_PLACES = 24
/** The maximum number of existing nodes, and of pools, to try for pods that must share a host. */
const MOST_HOSTS = 8

/** Returns whether the requirements and volumes of a pod allow a node in the given place. */
export const mayBeAt = ({ nodeAlternatives, volumeAlternatives }: EquivalenceGroup, place: Requirements): boolean =>
  nodeAlternatives.some((alternative) => alternative.intersects(place)) &&
  (volumeAlternatives.length === 0 || volumeAlternatives.some((alternative) => alternative.intersects(place)))

/**
 * Returns the keys of a pod's required affinity. If the hostname is among them, it is the only key returned, because it
 * determines all others.
 */
export const affinityKeys = ({ affinity }: EquivalenceGroup): ReadonlySet<string> =>
  new Set(affinity.some(({ isHost }) => isHost) ? [labels.hostname] : affinity.map(({ key }) => key))

/**
 * Returns the places in which to try a pod together with the pods that it must be near, as requirements on the keys of its required
 * affinity. A place is a combination of domains. The cheapest place comes first. For the hostname key, a place is an existing node or a
 * pool.
 */
export const affinityPlaces = (problem: Problem, equivalenceGroup: EquivalenceGroup): readonly Requirements[] => {
  const keys = affinityKeys(equivalenceGroup)
  if (keys.has(labels.hostname)) return hostsFor(problem, equivalenceGroup)
  let places: readonly Requirements[] = [Requirements.none]
  for (const key of keys) {
    const ofKey = domainsByPrice(problem, key).map((name) => Requirements.of([Requirement.in(key, [name])]))
    places = places
      .flatMap((place) => ofKey.map((one) => place.merge(one)))
      .filter((place) => mayBeAt(equivalenceGroup, place))
      .slice(0, MOST_PLACES)
  }
  return places
}

/** Returns all domains of a key: first the domains that pools offer, the cheapest first, then those of existing nodes only. */
const domainsByPrice = ({ domains, constraintsTable, templates }: Problem, key: string): readonly string[] => {
  const number = domains.keys.indexOf(key)
  const names = domains.names[number] ?? []
  const found = new Set<string>()
  for (const { index } of templates) {
    const root = constraintsTable.root(index)
    if (root < 0) continue
    for (const domain of constraintsTable.openDomains(root, number).byPrice) found.add(names[domain] ?? '')
  }
  for (const name of names) found.add(name)
  return [...found]
}

const hostsFor = (
  { nodes, templates, variants, nodeTable }: Problem,
  equivalenceGroup: EquivalenceGroup,
): readonly Requirements[] => {
  const first = variants.alternatives(equivalenceGroup, 0) ?? []
  const admitted = [...new Set(first.flatMap((variant) => Array.from(nodeTable.admittedTo(variant).nodes)))].sort(
    (a, b) => a - b,
  )
  const nodeHost = (node: number): string => nodes[node]?.labelValues.get(labels.hostname) ?? ''
  const existing = admitted
    .filter((node) => nodeTable.hasCapacityFor(node as NodeId, equivalenceGroup.row))
    .slice(0, MOST_HOSTS)
    .map((node) => Requirements.of([Requirement.in(labels.hostname, [nodeHost(node)])]))
  const noNode = new Requirement(labels.hostname, true, new Set(nodes.map((_, node) => nodeHost(node))))
  const pools = templates
    .filter(({ commitment }) => commitment === undefined)
    .slice(0, MOST_HOSTS)
    .map(({ name }) => Requirements.of([noNode, Requirement.in(labels.nodePool, [name])]))
  return [...existing, ...pools].filter((place) => mayBeAt(equivalenceGroup, place))
}
