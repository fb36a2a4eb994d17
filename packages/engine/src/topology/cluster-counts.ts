import { isActive, type Namespace, type Pod } from '@kerf/apis'
import { intAt } from '../column.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import { type HostId, hostOfNode, type NodeId } from '../model/ids.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import { oncePerForms, type PodForm, podForms } from '../pods/pod-form.ts'
import { podNamespace } from '../pods/pod-name.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import { NODES_PER_STEP, type Steps } from '../steps.ts'
import { type Domains, passesFilter } from './domains.ts'
import { HostCounts } from './host-counts.ts'
import { affinityTerm } from './term.ts'
import type { PodLabelSets, TopologyGroups } from './topology-groups.ts'

/**
 * Returns a version of `find` that computes its result only once for all pods with the same form. For a pod without a form, it calls `find`
 * each time.
 */
const forForms = <T>(
  find: (pod: Pod, form: PodForm | undefined) => T,
): ((pod: Pod, form: PodForm | undefined) => T) => {
  const found = new Map<PodForm, T>()
  return (pod, form) => {
    const known = form === undefined ? undefined : found.get(form)
    if (known !== undefined) return known
    const result = find(pod, form)
    if (form !== undefined) found.set(form, result)
    return result
  }
}

/** A list of pods, and the form of each pod in the same order. */
interface FormedPods {
  readonly pods: readonly Pod[]
  readonly forms: readonly (PodForm | undefined)[]
}

const formed = (pods: readonly Pod[]): FormedPods => ({ pods, forms: podForms(pods) })

/** Returns the pods of a node that topology groups count. The pods and their forms stay cached until a pod of the node changes. */
const activePods = oncePerForms(
  (pods: readonly Pod[]): FormedPods => formed(pods.every(isActive) ? pods : pods.filter(isActive)),
)

const requiredAntiAffinity = (pod: Pod) =>
  pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []

/** Returns the pods of a node that have required anti-affinity. Few nodes have such pods. */
const podsWithAntiAffinity = oncePerForms(
  (pods: readonly Pod[]): FormedPods =>
    formed(pods.filter((pod) => isActive(pod) && requiredAntiAffinity(pod).length > 0)),
)

/** Returns the inverse groups that a running pod's own anti-affinity terms create. */
type OwnedGroups = (pod: Pod, form: PodForm | undefined) => ReadonlySet<TopologyGroup>

/**
 * Creates the inverse groups of the required anti-affinity terms of running pods, and returns a function that finds them
 * (`docs/spec/scheduling.md#groups-of-a-pod`).
 */
export function* inverseGroupsOfRunningPods(
  groups: TopologyGroups,
  { nodes, leaving, namespaces, rules }: Omit<CountedPods, 'labelSets'>,
): Steps<OwnedGroups> {
  const ownedBy = forForms(
    (pod): ReadonlySet<TopologyGroup> =>
      // Equal terms of a pod share one group.
      new Set(
        requiredAntiAffinity(pod).map((term) =>
          groups.of(affinityTerm('anti-affinity', pod, term, true, namespaces, rules), true, [], []),
        ),
      ),
  )
  for (const [number, { state }] of nodes.entries()) {
    if (number % NODES_PER_STEP === NODES_PER_STEP - 1) yield
    const { pods, forms } = podsWithAntiAffinity(state.pods)
    for (const [place, pod] of pods.entries()) if (!leaving.has(pod)) ownedBy(pod, forms[place])
  }
  return ownedBy
}

/** The counts before a decision starts, by the number of the topology group. */
export interface ClusterCounts {
  /** 1 for each eligible domain; empty for hostname groups. */
  readonly registered: readonly Uint8Array<ArrayBuffer>[]
  /** The number of pods in each domain; empty for hostname groups. */
  readonly counts: readonly Int32Array<ArrayBuffer>[]
  /** The number of pods on each host; empty for groups of other keys. */
  readonly hosts: readonly HostCounts[]
}

/** The maximum number of node labels that groups may read in one step. */
const VISITS_PER_STEP = 20 * NODES_PER_STEP

const NO_HOSTS = new HostCounts()
const NO_DOMAINS = new Uint8Array(0)
const NO_COUNTS = new Int32Array(0)

/** The running pods, and the data that is needed to count them. */
export interface CountedPods {
  readonly nodes: readonly ExistingNode[]
  /** Pods of the batch that run on a node. They are not counted here, so that no pod is counted twice. */
  readonly leaving: ReadonlySet<Pod>
  readonly namespaces: readonly Namespace[]
  readonly labelSets: PodLabelSets
  readonly rules: LabelRules
}

/**
 * Returns a function that looks up the eligible domains of a group. Groups with the same key that count the same nodes start with equal
 * domains, each with a separate copy.
 */
const registeredOnce = (
  domains: Domains,
  nodes: readonly ExistingNode[],
): ((group: TopologyGroup) => Uint8Array<ArrayBuffer>) => {
  const known = new Map<string, Uint8Array<ArrayBuffer>>()
  return (group) => {
    const text = `${group.key}|${group.filter?.identity ?? ''}`
    const registered = known.get(text) ?? domains.registeredFor(group, nodes)
    known.set(text, registered)
    return registered.slice()
  }
}

/** The groups that count a pod. */
interface CountedBy {
  readonly selecting: readonly TopologyGroup[]
  readonly owned: ReadonlySet<TopologyGroup>
}

const NOWHERE: CountedBy = { selecting: [], owned: new Set() }

/** Counts the running pods in all groups. If a pod is in a domain that its group does not have yet, the domain is added. */
export function* countRunningPods(
  groups: TopologyGroups,
  domains: Domains,
  { nodes, leaving, labelSets }: CountedPods,
  ownedBy: OwnedGroups,
): Steps<ClusterCounts> {
  const registeredFor = registeredOnce(domains, nodes)
  const registered: Uint8Array<ArrayBuffer>[] = []
  let lookedAt = 0
  for (const group of groups.list) {
    registered.push(group.isHost ? NO_DOMAINS : registeredFor(group))
    lookedAt += group.isHost ? 0 : nodes.length
    if (lookedAt < VISITS_PER_STEP) continue
    lookedAt = 0
    yield
  }
  const counts = registered.map((of) => (of === NO_DOMAINS ? NO_COUNTS : new Int32Array(of.length)))
  const hosts = groups.list.map(({ isHost }) => (isHost ? new HostCounts() : NO_HOSTS))
  if (groups.list.length === 0) return { registered, counts, hosts }
  const count = (group: TopologyGroup, node: ExistingNode, host: HostId) => {
    if (group.isHost) {
      hosts[group.id]?.add(host, 1)
      return
    }
    const value = node.labelValues.get(group.key)
    const domain = value === undefined ? undefined : domains.numberOf(group.keyNumber, value)
    const own = counts[group.id]
    const known = registered[group.id]
    if (domain === undefined || own === undefined || known === undefined) return
    known[domain] = 1
    own[domain] = intAt(own, domain, 'pods by domain') + 1
  }
  const countedBy = forForms((pod, form): CountedBy => {
    const selecting = groups
      .selecting(labelSets.ofForm(form?.demand, podNamespace(pod), pod.metadata.labels))
      .filter(({ isInverse }) => !isInverse)
    const owned = ownedBy(pod, form)
    return selecting.length === 0 && owned.size === 0 ? NOWHERE : { selecting, owned }
  })
  const countOn = (node: ExistingNode, host: HostId) => {
    const { pods, forms } = activePods(node.state.pods)
    for (let place = 0; place < pods.length; place++) {
      const pod = pods[place]
      if (pod === undefined || leaving.has(pod)) continue
      const found = countedBy(pod, forms[place])
      if (found === NOWHERE) continue
      for (const group of found.selecting) {
        if (passesFilter(group.filter, node.requirements, node.taints)) count(group, node, host)
      }
      for (const group of found.owned) count(group, node, host)
    }
  }
  for (const [number, node] of nodes.entries()) {
    if (number % NODES_PER_STEP === NODES_PER_STEP - 1) yield
    countOn(node, hostOfNode(number as NodeId))
  }
  return { registered, counts, hosts }
}
