import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '@kerf/apis'
import type { Problem } from './documents.ts'
import { type Harness, podName } from './harness.ts'
import { podSelects, presentName, selectorMatches, withPodKeys } from './label-sets.ts'
import { nodeLabels } from './new-node.ts'
import type { Place } from './placement.ts'
import { untolerated } from './taint-check.ts'

/** Returns a cache for the results of a pure function of `key`. */
const kept = <T>(): ((key: string, make: () => T) => T) => {
  const answers = new Map<string, T>()
  return (key, make) => {
    const known = answers.get(key)
    if (known !== undefined) return known
    const made = make()
    answers.set(key, made)
    return made
  }
}

const allPods = (place: Place): readonly Pod[] => [...place.running, ...place.coming]
const podLabels = (pod: Pod) => pod.metadata.labels ?? {}
const podNamespace = (pod: Pod): string => pod.metadata.namespace ?? 'default'

/** Returns the number of matching pods in each domain of a spread constraint, including domains without pods. */
const spreadCounts = (
  places: readonly Place[],
  reachable: ReadonlySet<string>,
  pod: Pod,
  constraint: TopologySpreadConstraint,
): ReadonlyMap<string, number> => {
  const {
    topologyKey,
    labelSelector,
    matchLabelKeys,
    nodeAffinityPolicy = 'Honor',
    nodeTaintsPolicy = 'Ignore',
  } = constraint
  const selector = withPodKeys(labelSelector, podLabels(pod), matchLabelKeys)
  const counts = new Map<string, number>()
  for (const domain of reachable) counts.set(domain, 0)
  for (const place of places) {
    const domain = place.labels[presentName(topologyKey)]
    if (domain === undefined) continue
    if (nodeAffinityPolicy === 'Honor' && !podSelects(pod, place.labels, place.name)) continue
    if (nodeTaintsPolicy === 'Honor' && untolerated(pod, place.taints).length > 0) continue
    const matching = allPods(place).filter(
      (other) => podNamespace(other) === podNamespace(pod) && selectorMatches(selector, podLabels(other)),
    )
    counts.set(domain, (counts.get(domain) ?? 0) + matching.length)
  }
  return counts
}

/** Returns the domains in which a NodePool could launch a node for the pod. Before such nodes exist, these domains count as empty. */
const reachableDomains = (harness: Harness, pod: Pod, topologyKey: string): ReadonlySet<string> => {
  const key = presentName(topologyKey)
  const domains = new Set<string>()
  if (key === 'kubernetes.io/hostname') return domains
  for (const pool of harness.pools.values()) {
    if (pool.spec.replicas !== undefined || untolerated(pod, pool.spec.template.spec.taints ?? []).length > 0) continue
    const labelsOfNode = nodeLabels(harness, pool, [pod], '')
    for (const type of harness.typesOf(pool).values()) {
      for (const offering of type.offerings) {
        for (const labels of labelsOfNode(type, offering)) {
          const domain = labels[key]
          if (domain !== undefined) domains.add(domain)
        }
      }
    }
  }
  return domains
}

/**
 * Returns the hard spread constraints of new pods that are broken after the plan. Counts like kube-scheduler: over the domains of eligible
 * nodes, or from zero while there are fewer than `minDomains`. It is stricter in one point: a domain that the pod could reach on a new node
 * counts as empty, so a plan that uses only one domain does not pass.
 */
export const spreadProblems = (harness: Harness, places: readonly Place[]): readonly Problem[] => {
  const counted = kept<ReadonlyMap<string, number>>()
  return places.flatMap((place) =>
    place.coming.flatMap((pod) =>
      (pod.spec.topologySpreadConstraints ?? [])
        .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
        .flatMap((constraint): readonly Problem[] => {
          const { topologyKey, maxSkew, minDomains = 1, matchLabelKeys = [] } = constraint
          const domain = place.labels[presentName(topologyKey)]
          if (domain === undefined) {
            return [{ code: 'spread', subject: podName(pod), text: `${place.name} has no ${topologyKey}` }]
          }
          const { nodeSelector, affinity, tolerations } = pod.spec
          const own = matchLabelKeys.map((key) => podLabels(pod)[key])
          const key = JSON.stringify([
            podNamespace(pod),
            constraint,
            own,
            nodeSelector,
            affinity?.nodeAffinity,
            tolerations,
          ])
          const counts = counted(key, () =>
            spreadCounts(places, reachableDomains(harness, pod, topologyKey), pod, constraint),
          )
          const least = counts.size < minDomains ? 0 : Math.min(...counts.values())
          const here = counts.get(domain) ?? 0
          if (here - least <= maxSkew) return []
          return [
            {
              code: 'spread',
              subject: podName(pod),
              text: `${here} pods in ${topologyKey}=${domain}, ${least} in the emptiest, maxSkew ${maxSkew}`,
            },
          ]
        }),
    ),
  )
}

/** Returns a function that determines which pods a pod affinity term selects. The result depends only on the content of its key. */
const termReach = (harness: Harness, pod: Pod, term: PodAffinityTerm) => {
  const { namespaces = [], namespaceSelector, labelSelector, matchLabelKeys, mismatchLabelKeys } = term
  const selected =
    namespaceSelector === undefined
      ? []
      : [...harness.namespaces].filter(([, labels]) => selectorMatches(namespaceSelector, labels)).map(([name]) => name)
  const reached =
    namespaces.length === 0 && namespaceSelector === undefined ? [podNamespace(pod)] : [...namespaces, ...selected]
  const selector = withPodKeys(labelSelector, podLabels(pod), matchLabelKeys, mismatchLabelKeys)
  const set = new Set(reached)
  return {
    key: JSON.stringify([[...set].sort(), selector, term.topologyKey]),
    matches: (other: Pod): boolean => set.has(podNamespace(other)) && selectorMatches(selector, podLabels(other)),
  }
}

const antiTerms = (pod: Pod): readonly PodAffinityTerm[] =>
  pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
const affinityTerms = (pod: Pod): readonly PodAffinityTerm[] =>
  pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []

/**
 * Returns the pairs of pods that share a domain although an anti-affinity of either forbids it. Considers only pairs in which the plan
 * placed at least one pod.
 */
export const antiAffinityProblems = (harness: Harness, places: readonly Place[]): readonly Problem[] => {
  const problems: Problem[] = []
  const members = kept<ReadonlyMap<string, readonly Pod[]>>()
  const coming = new Set(places.flatMap((place) => place.coming))
  for (const place of places) {
    for (const pod of allPods(place)) {
      for (const term of antiTerms(pod)) {
        const topologyKey = presentName(term.topologyKey)
        const domain = place.labels[topologyKey]
        if (domain === undefined) continue
        const { key, matches } = termReach(harness, pod, term)
        const byDomain = members(key, () => {
          const found = new Map<string, Pod[]>()
          for (const other of places) {
            const where = other.labels[topologyKey]
            if (where !== undefined) found.set(where, [...(found.get(where) ?? []), ...allPods(other).filter(matches)])
          }
          return found
        })
        const offender = byDomain.get(domain)?.find((other) => other !== pod && (coming.has(other) || coming.has(pod)))
        if (offender === undefined) continue
        problems.push({
          code: 'anti-affinity',
          subject: podName(pod),
          text: `shares ${topologyKey}=${domain} with ${podName(offender)}`,
        })
      }
    }
  }
  return problems
}

/**
 * Returns the pods whose required affinity cannot be satisfied, in whatever order the pods are bound. A pod that matches its own term may
 * be bound first if no other pod matches the term anywhere.
 */
export const affinityProblems = (harness: Harness, places: readonly Place[]): readonly Problem[] => {
  type Waiting = {
    readonly pod: Pod
    readonly place: Place
    readonly terms: readonly ReturnType<typeof termReach>[]
    readonly keys: readonly string[]
  }
  const bound: { readonly pod: Pod; readonly place: Place }[] = []
  let waiting: Waiting[] = []
  for (const place of places) {
    for (const pod of place.running) bound.push({ pod, place })
    for (const pod of place.coming) {
      const terms = affinityTerms(pod)
      if (terms.length === 0) bound.push({ pod, place })
      else
        waiting.push({
          pod,
          place,
          terms: terms.map((term) => termReach(harness, pod, term)),
          keys: terms.map(({ topologyKey }) => presentName(topologyKey)),
        })
    }
  }
  const isFulfilled = ({ place, terms, keys }: Waiting): boolean =>
    terms.every(({ matches }, index) => {
      const key = keys[index] ?? ''
      const domain = place.labels[key]
      return domain !== undefined && bound.some((other) => other.place.labels[key] === domain && matches(other.pod))
    })
  const mayBeFirst = ({ pod, place, terms, keys }: Waiting): boolean =>
    keys.every((key) => place.labels[key] !== undefined) &&
    terms.every(({ matches }) => matches(pod)) &&
    !terms.some(({ matches }) => bound.some((other) => matches(other.pod)))
  for (;;) {
    const ready = waiting.filter(isFulfilled)
    const next = ready.length > 0 ? ready : waiting.filter(mayBeFirst).slice(0, 1)
    if (next.length === 0) break
    bound.push(...next)
    const gone = new Set(next)
    waiting = waiting.filter((each) => !gone.has(each))
  }
  return waiting.map(({ pod, place }) => ({
    code: 'affinity',
    subject: podName(pod),
    text: `no pod that it must be with is near ${place.name}`,
  }))
}
