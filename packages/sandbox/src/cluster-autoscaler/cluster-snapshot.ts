import { type DaemonSet, isActive, kinds, type Node, type Pod } from '@kerf/apis'
import { matchesNodeAffinity } from '../objects/node-affinity.ts'
import { SCHEDULING_EFFECTS, untolerated } from '../objects/taints.ts'
import { podFromTemplate } from '../workloads/pod-from-template.ts'
import { isReadyNode } from './cluster-health.ts'
import type { NodeDeletions } from './node-deletions.ts'
import { Packing } from './packing.ts'
import type { TemplateNode } from './scale-up.ts'
import type { ScaledGroup } from './scaled-group.ts'

/** Returns the pod that a DaemonSet would create on a new node. */
const daemonPod = (daemonSet: DaemonSet): Pod => {
  const { name, namespace = 'default' } = daemonSet.metadata
  const made = podFromTemplate(daemonSet.spec.template, { kind: kinds.DaemonSet, object: daemonSet }, { name })
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...made.metadata, name, namespace }, spec: made.spec }
}

/** Returns a template of the group's nodes with the pods that DaemonSets would run on each of them. */
export const templateNode = ({ template }: ScaledGroup, daemonSets: Iterable<DaemonSet>): TemplateNode => {
  const node = (name: string): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...template.labels, 'kubernetes.io/hostname': name } },
    spec: { taints: [...template.taints] },
    status: { capacity: template.capacity, allocatable: template.allocatable },
  })
  const empty = node('template')
  const daemonPods = [...daemonSets]
    .map(daemonPod)
    .filter(
      (pod) =>
        matchesNodeAffinity(pod.spec, empty) &&
        untolerated(empty.spec?.taints, pod.spec.tolerations, SCHEDULING_EFFECTS) === undefined,
    )
  return { node, daemonPods: [...(template.pods ?? []), ...daemonPods] }
}

export interface Snapshot {
  readonly packing: Packing
  /** Names of upcoming nodes, which are not ready or not registered yet. */
  readonly upcoming: ReadonlySet<string>
}

export interface SnapshotInput {
  readonly nodes: readonly Node[]
  readonly pods: Iterable<Pod>
  readonly groups: readonly ScaledGroup[]
  readonly deletions: NodeDeletions
  readonly priorityCutoff: number
  readonly templateFor: (group: ScaledGroup) => TemplateNode
}

/** Returns the cluster as it will be when all requested instances are running. */
export const takeSnapshot = ({
  nodes,
  pods,
  groups,
  deletions,
  priorityCutoff,
  templateFor,
}: SnapshotInput): Snapshot => {
  const packing = new Packing()
  const upcoming = new Set<string>()
  const byNode = new Map<string, Pod[]>()
  for (const pod of pods) {
    if (!isActive(pod) || (pod.spec.priority ?? 0) < priorityCutoff) continue
    const name = pod.spec.nodeName ?? pod.status?.nominatedNodeName
    if (name === undefined || name === '') continue
    const there = byNode.get(name)
    if (there === undefined) byNode.set(name, [pod])
    else there.push(pod)
  }
  const started = new Map<ScaledGroup, number>()
  for (const node of nodes) {
    const { name } = node.metadata
    const group = groups.find((each) => each.isOwn(node))
    if (group !== undefined && !deletions.has(name)) {
      if (!isReadyNode(node)) {
        upcoming.add(name)
        continue
      }
      started.set(group, (started.get(group) ?? 0) + 1)
    }
    packing.add(node, byNode.get(name) ?? [])
  }
  for (const group of groups) {
    const deleting = deletions.of(group)
    const missing = group.size - (started.get(group) ?? 0) - deleting
    const template = templateFor(group)
    for (let index = 0; index < missing; index++) {
      const name = `upcoming ${group.name} ${index}`
      packing.add(template.node(name), template.daemonPods)
      upcoming.add(name)
    }
  }
  return { packing, upcoming }
}
