import { type Pod, podRequests, type Taint, toleratesTaints } from '@kerf/apis'
import type { Daemon, DaemonGroup } from '../model/daemon.ts'
import { podHostPorts } from '../pods/host-ports.ts'
import { requirementAlternatives } from '../pods/node-requirements.ts'
import { toleratePreferNoSchedule } from '../pods/tolerations.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'

/** Reads the pod of a DaemonSet. @throws QuantityError if a request is not a valid quantity */
export const toDaemon = (pod: Pod, rules: LabelRules): Daemon => {
  const name = `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`
  const alternatives = requirementAlternatives(pod, rules)
  const requests = podRequests(pod)
  const ports = podHostPorts(pod)
  const identity = JSON.stringify([
    name,
    alternatives.map((wanted) => wanted.identity),
    [...requests].map(([resource, amount]) => `${resource}=${amount}`),
    ports,
    pod.spec.tolerations,
  ])
  return { name, identity, pod, alternatives, requests, ports }
}

/** Returns the daemons of a cluster, by name. If device claims are ignored, daemons with device claims are left out. */
export const readDaemons = (pods: readonly Pod[], rules: LabelRules, ignoresDevices: boolean): readonly Daemon[] => {
  const daemons: Daemon[] = []
  for (const pod of pods) {
    if (ignoresDevices && (pod.spec?.resourceClaims?.length ?? 0) > 0) continue
    try {
      daemons.push(toDaemon(pod, rules))
    } catch {
      // The DaemonSet controller cannot create a pod with invalid requests, so the daemon uses no capacity.
    }
  }
  return daemons.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

const toleratesAll = (daemon: Daemon, taints: readonly Taint[]): boolean =>
  toleratesTaints(taints, [...(daemon.pod.spec.tolerations ?? []), toleratePreferNoSchedule])

/** Returns the daemons that tolerate the taints of a pool. */
export const daemonsOfPool = (daemons: readonly Daemon[], taints: readonly Taint[]): readonly Daemon[] =>
  daemons.filter((daemon) => toleratesAll(daemon, taints))

/**
 * Returns whether a daemon runs on an instance type of a pool: at least one alternative of its node affinity must match both. Tries every
 * alternative for every type. Karpenter drops an alternative after the first type that does not match it.
 */
export const runsOn = (daemon: Daemon, pool: Requirements, type: Requirements, rules: LabelRules): boolean =>
  daemon.alternatives.some((wanted) => pool.accepts(wanted, rules.isWellKnown) && type.intersects(wanted))

/** Returns whether a daemon runs on an existing node. */
export const runsOnNode = (daemon: Daemon, node: Requirements, taints: readonly Taint[]): boolean =>
  toleratesAll(daemon, taints) && daemon.alternatives.some((wanted) => node.accepts(wanted))

/**
 * Returns the daemons that fit at least one of these capacities. kube-scheduler never binds the pods of the other daemons there, so those
 * pods must not reduce the capacity for other pods.
 */
export const fittingDaemons = (daemons: readonly Daemon[], allocatables: readonly Amounts[]): readonly Daemon[] =>
  daemons.filter(
    ({ requests }) => allocatables.length === 0 || allocatables.some((allocatable) => fitsIn(requests, allocatable)),
  )

const fitsIn = (requests: Amounts, allocatable: Amounts): boolean => {
  for (const [name, amount] of requests) if (amount > (allocatable.get(name) ?? 0n) && amount > 0n) return false
  return true
}

export const toDaemonGroup = (daemons: readonly Daemon[]): DaemonGroup => {
  const overhead = new Map<string, bigint>()
  for (const { requests } of daemons) {
    for (const [name, amount] of requests) overhead.set(name, (overhead.get(name) ?? 0n) + amount)
  }
  return { daemons, overhead, ports: daemons.flatMap(({ ports }) => ports) }
}
