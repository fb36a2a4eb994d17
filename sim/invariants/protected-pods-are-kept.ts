import { annotations, kinds, matchesLabelSelector, type Pod, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'
import { podOfCall } from './pod-of-call.ts'

/** How much later Kerf may learn of a change. */
const KNOWN_AFTER = 60_000

const isActive = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase === 'Running'

/**
 * Kerf disrupts no node with a pod that must not be disrupted, or whose PodDisruptionBudget allows no eviction, and it evicts
 * no such pod. Claims with a terminationGracePeriod are left out.
 */
export const protectedPodsAreKept: MakeInvariant = (environment, report) => {
  const since = new Map<string, number>()
  let tainted: ReadonlySet<string> = new Set()
  const isProtected = (pod: Pod): boolean =>
    pod.metadata.annotations?.[annotations.doNotDisrupt] === 'true' && isActive(pod)
  const isKnown = (key: string): boolean =>
    environment.clock.monotonic() - (since.get(key) ?? Number.POSITIVE_INFINITY) > KNOWN_AFTER
  const isGuarded = (pod: Pod): boolean =>
    isActive(pod) &&
    environment
      .list(kinds.PodDisruptionBudget)
      .some(
        ({ metadata, spec }) =>
          spec.maxUnavailable === 0 &&
          isKnown(`pdb ${metadata.name}`) &&
          matchesLabelSelector(spec.selector, pod.metadata.labels),
      )
  const note = (): void => {
    const now = environment.clock.monotonic()
    const present = new Set<string>()
    for (const { metadata, spec } of environment.list(kinds.PodDisruptionBudget))
      if (spec.maxUnavailable === 0) present.add(`pdb ${metadata.name}`)
    for (const pod of environment.pods()) if (isActive(pod)) present.add(`pod ${pod.metadata.uid}`)
    for (const key of since.keys()) if (!present.has(key)) since.delete(key)
    for (const key of present) if (!since.has(key)) since.set(key, now)
    tainted = new Set(
      environment
        .nodes()
        .flatMap(({ metadata, spec }) =>
          spec.taints?.some(({ key }) => key === taints.disrupted.key) ? [metadata.name ?? ''] : [],
        ),
    )
  }
  return {
    name: 'protected-pods-are-kept',
    always: () => {
      note()
      return []
    },
    acts: (call) => {
      if (call.verb !== 'evict' || call.kind?.kind !== kinds.Pod.kind) return
      if (environment.clockSkews.near(environment.clock.monotonic())) return
      const pod = podOfCall(environment, call)
      if (pod !== undefined && isProtected(pod))
        report(`pod ${pod.metadata.name} must not be disrupted, and was evicted`)
    },
    acted: ({ verb, kind, ref }) => {
      if (verb !== 'patch' || kind?.kind !== kinds.Node.kind || ref === undefined || tainted.has(ref.name)) return
      const node = environment.nodes().find(({ metadata }) => metadata.name === ref.name)
      const claim = environment.claims().find(({ status }) => status?.providerID === node?.spec.providerID)
      if (node === undefined || claim === undefined || claim.spec.terminationGracePeriod !== undefined) return
      if (node.metadata.deletionTimestamp !== undefined || claim.metadata.deletionTimestamp !== undefined) return
      if (!node.spec.taints?.some(({ key }) => key === taints.disrupted.key)) return
      for (const pod of environment.pods()) {
        if (pod.spec.nodeName !== ref.name || !isKnown(`pod ${pod.metadata.uid}`)) continue
        if (isProtected(pod))
          report(`node ${ref.name} is disrupted with pod ${pod.metadata.name} on it, which must not be disrupted`)
        else if (isGuarded(pod))
          report(
            `node ${ref.name} is disrupted with pod ${pod.metadata.name} on it, whose PodDisruptionBudget allows no eviction`,
          )
      }
    },
  }
}
