import type { Pod } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { runsOnNode } from '../instance-types/daemons.ts'
import type { Daemon } from '../model/daemon.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { HostPort } from '../model/host-port.ts'
import { oncePerObject } from '../once-per-object.ts'
import { podHostPorts } from '../pods/host-ports.ts'
import { cachedRequests } from '../pods/pod-form.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { Requirements } from '../requirements/requirements.ts'
import { amountEntries } from '../resources/amount-entries.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { NodeState } from '../snapshot.ts'
import type { Storage } from '../volumes/storage.ts'

const isOwnedByDaemonSet = (pod: Pod): boolean =>
  pod.metadata.ownerReferences?.some(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'DaemonSet') ===
  true

const nodeStateLabelValues = (state: NodeState, rules: LabelRules): Map<string, string> => {
  const values = new Map<string, string>()
  for (const key in state.labels) {
    const value = state.labels[key]
    if (value === undefined) continue
    const canonical = rules.keyOf(key)
    if (canonical === key || !Object.hasOwn(state.labels, canonical)) values.set(canonical, rules.valueOf(key, value))
  }
  // Without the label, the name of the node is the hostname (`docs/spec/scheduling.md#counting-existing-pods`).
  if (!values.has(labels.hostname)) values.set(labels.hostname, state.hostName)
  return values
}

interface ReadLabels {
  readonly rules: LabelRules
  readonly hostName: string
  readonly labelValues: Map<string, string>
  readonly requirements: Requirements
}

const readLabels = new WeakMap<NodeState['labels'], ReadLabels>()

/** Returns the label values and requirements of a node. Label objects never change after they are read, so the result is cached. */
const nodeStateMeaning = (state: NodeState, rules: LabelRules): ReadLabels => {
  const known = readLabels.get(state.labels)
  if (known?.rules === rules && known.hostName === state.hostName) return known
  const labelValues = nodeStateLabelValues(state, rules)
  const requirements = Requirements.ofLabels(Object.fromEntries(labelValues))
  const read = { rules, hostName: state.hostName, labelValues, requirements }
  readLabels.set(state.labels, read)
  return read
}

const safeRequests = (pod: Pod): Amounts => {
  try {
    return cachedRequests(pod)
  } catch {
    // The pod is running although its requests cannot be read. So it counts only as one unit of the resource `pods`.
    return new Map([['pods', 1_000_000_000n]])
  }
}

/** The resources and host ports that pods use on a node. Volumes are not included, because they depend on other objects. */
interface Load {
  readonly used: Amounts
  /** The part of `used` that daemons use. */
  readonly usedByDaemons: Amounts
  readonly ports: readonly HostPort[]
  readonly withVolumes: readonly Pod[]
}

const addTo = (sum: Map<string, bigint>, amounts: Iterable<readonly [string, bigint]>): void => {
  for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0n) + amount)
}

const podLoad = (pods: readonly Pod[]): Load => {
  const used = new Map<string, bigint>()
  const usedByDaemons = new Map<string, bigint>()
  const ports: HostPort[] = []
  for (const pod of pods) {
    const requests = safeRequests(pod)
    addTo(used, requests)
    if (isOwnedByDaemonSet(pod)) addTo(usedByDaemons, requests)
    for (const port of podHostPorts(pod)) ports.push(port)
  }
  return { used, usedByDaemons, ports, withVolumes: pods.filter(({ spec }) => spec.volumes !== undefined) }
}

/** As long as the pods of a node do not change, its list of pods is the same object. So most loads are cached between decisions. */
const cachedLoad = oncePerObject(podLoad)

/** Returns a node with the pods that run on it, except those in `leaving`. */
export const readExistingNode = (
  state: NodeState,
  daemons: readonly Daemon[],
  storage: Storage,
  rules: LabelRules,
  leaving: ReadonlySet<Pod>,
): ExistingNode => {
  const { labelValues, requirements } = nodeStateMeaning(state, rules)
  const { pods } = state
  const isLeft = leaving.size > 0 && pods.some((pod) => leaving.has(pod))
  const load = isLeft ? podLoad(pods.filter((pod) => !leaving.has(pod))) : cachedLoad(pods)
  const free = new Map<string, bigint>(amountEntries(state.allocatable))
  for (const [name, amount] of load.used) free.set(name, (free.get(name) ?? 0n) - amount)
  const reserve = new Map<string, bigint>()
  for (const daemon of daemons) {
    if (runsOnNode(daemon, requirements, state.taints)) addTo(reserve, daemon.requests)
  }
  for (const [name, amount] of load.usedByDaemons) reserve.set(name, (reserve.get(name) ?? 0n) - amount)
  const volumes = new Map<string, Set<string>>()
  for (const pod of load.withVolumes) {
    for (const { driver, claim } of storage.volumeUseOf(pod)) {
      const claims = volumes.get(driver)
      if (claims === undefined) volumes.set(driver, new Set([claim]))
      else claims.add(claim)
    }
  }
  for (const [name, amount] of reserve) if (amount > 0n) free.set(name, (free.get(name) ?? 0n) - amount)
  return {
    state,
    labelValues,
    requirements,
    taints: state.taints,
    hasNode: state.hasNode,
    free,
    isOverfull: [...free].some(
      ([name, amount]) => amount < 0n && (ownValue(state.allocatable, name) !== undefined || name === 'pods'),
    ),
    ports: load.ports,
    volumes,
    volumeLimits: state.nodeName === undefined ? undefined : storage.limitsOf(state.nodeName),
  }
}

/** Compares nodes by rank: initialized nodes first, then by name. */
export const byRank = (a: NodeState, b: NodeState): number =>
  a.initialized === b.initialized ? (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) : a.initialized ? -1 : 1
