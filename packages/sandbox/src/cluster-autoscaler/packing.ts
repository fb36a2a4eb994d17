import {
  type Node,
  ownValue,
  type Pod,
  type PodAffinityTerm,
  type ResourceList,
  type Taint,
  untoleratedTaint,
} from '@kerf/apis'
import { selecting } from '../objects/label-selector.ts'
import { matchesNodeAffinity } from '../objects/node-affinity.ts'
import { SCHEDULING_EFFECTS, untolerated } from '../objects/taints.ts'
import { hostPorts, portsConflict } from '../scheduler/host-ports.ts'
import { podRequests } from '../scheduler/pod-requests.ts'
import { CPU, MEMORY, ResourceNames } from '../scheduler/quantities.ts'

/** Why a node cannot take a pod, in the wording of kube-scheduler and Cluster Autoscaler. */
export type Refusal =
  | 'had untolerated taint(s)'
  | "didn't match Pod's node affinity/selector"
  | "didn't have free ports for the requested pod ports"
  | "didn't match pod affinity rules"
  | "didn't match pod anti-affinity rules"
  | "didn't match pod topology spread constraints"
  | `Insufficient ${string}`

interface Space {
  readonly node: Node
  readonly free: number[]
  freePods: number
  readonly pods: Set<Pod>
}

const names = new ResourceNames()
const requests = new WeakMap<Pod, readonly number[]>()

const requestsOf = (pod: Pod): readonly number[] => {
  let found = requests.get(pod)
  if (found === undefined) {
    found = podRequests(names, pod).amounts
    requests.set(pod, found)
  }
  return found
}

/** Returns CPU in millicores and memory in bytes. */
export const cpuAndMemory = (pod: Pod): readonly [number, number] => {
  const amounts = requestsOf(pod)
  return [amounts[CPU] ?? 0, amounts[MEMORY] ?? 0]
}

export const cpuAndMemoryIn = (list: ResourceList | undefined): readonly [number, number] => {
  const amounts = names.vector(list)
  return [amounts[CPU] ?? 0, amounts[MEMORY] ?? 0]
}

const termsFor = (pod: Pod, kind: 'podAffinity' | 'podAntiAffinity'): readonly PodAffinityTerm[] =>
  pod.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? []

const selectsPod = (term: PodAffinityTerm, owner: Pod, other: Pod): boolean =>
  (term.namespaces ?? [owner.metadata.namespace ?? '']).includes(other.metadata.namespace ?? '') &&
  selecting(term.labelSelector)(other.metadata.labels)

/** The cluster in Cluster Autoscaler's simulation: nodes with their pods, and which pod fits on which node. Ignores preferences. */
export class Packing {
  readonly #spaces = new Map<string, Space>()

  add(node: Node, pods: readonly Pod[] = []): void {
    const allocatable = node.status?.allocatable
    const space: Space = {
      node,
      free: names.vector(allocatable),
      freePods: Number(allocatable?.['pods'] ?? 110),
      pods: new Set(),
    }
    this.#spaces.set(node.metadata.name, space)
    for (const pod of pods) this.#put(space, pod, 1)
  }

  remove(node: string): void {
    this.#spaces.delete(node)
  }

  podsOn(node: string): readonly Pod[] {
    return [...(this.#spaces.get(node)?.pods ?? [])]
  }

  place(pod: Pod, node: string): void {
    const space = this.#spaces.get(node)
    if (space !== undefined) this.#put(space, pod, 1)
  }

  take(pod: Pod, node: string): void {
    const space = this.#spaces.get(node)
    if (space?.pods.has(pod) === true) this.#put(space, pod, -1)
  }

  /** Places the pod on the first acceptable node that can take it. Returns that node. */
  placeOnAny(pod: Pod, isAcceptable: (node: string) => boolean): string | undefined {
    for (const [name, space] of this.#spaces) {
      if (!isAcceptable(name) || this.#refusal(pod, space) !== undefined) continue
      this.#put(space, pod, 1)
      return name
    }
    return undefined
  }

  /** Returns why the node cannot take the pod, or `undefined` if it can. */
  refusal(pod: Pod, node: string): Refusal | undefined {
    const space = this.#spaces.get(node)
    return space === undefined ? undefined : this.#refusal(pod, space)
  }

  #put(space: Space, pod: Pod, sign: 1 | -1): void {
    for (const [index, amount] of requestsOf(pod).entries())
      space.free[index] = (space.free[index] ?? 0) - sign * amount
    space.freePods -= sign
    if (sign === 1) space.pods.add(pod)
    else space.pods.delete(pod)
  }

  #refusal(pod: Pod, space: Space): Refusal | undefined {
    const { node, free, freePods, pods } = space
    if (node.spec?.unschedulable === true && untoleratedTaint([UNSCHEDULABLE], pod.spec.tolerations) !== undefined)
      return 'had untolerated taint(s)'
    if (untolerated(node.spec?.taints, pod.spec.tolerations, SCHEDULING_EFFECTS) !== undefined)
      return 'had untolerated taint(s)'
    if (!matchesNodeAffinity(pod.spec, node)) return "didn't match Pod's node affinity/selector"
    for (const [index, amount] of requestsOf(pod).entries())
      if (amount > 0 && amount > (free[index] ?? 0)) return `Insufficient ${names.nameOf(index)}`
    if (freePods < 1) return 'Insufficient pods'
    const ports = hostPorts(pod)
    if (
      ports.length > 0 &&
      [...pods].some((other) => hostPorts(other).some((a) => ports.some((b) => portsConflict(a, b))))
    )
      return "didn't have free ports for the requested pod ports"
    return this.#neighbours(pod, space)
  }

  /** Returns why the pod's affinity, anti-affinity or topology spread rules exclude the node, or `undefined`. */
  #neighbours(pod: Pod, { node }: Space): Refusal | undefined {
    const nodeDomain = (each: Node, key: string): string | undefined => ownValue(each.metadata.labels, key)
    const inDomain = (key: string, found: (other: Pod) => boolean): boolean => {
      const domain = nodeDomain(node, key)
      if (domain === undefined) return false
      for (const space of this.#spaces.values())
        if (nodeDomain(space.node, key) === domain) for (const other of space.pods) if (found(other)) return true
      return false
    }
    for (const term of termsFor(pod, 'podAntiAffinity'))
      if (inDomain(term.topologyKey, (other) => selectsPod(term, pod, other)))
        return "didn't match pod anti-affinity rules"
    for (const term of termsFor(pod, 'podAffinity')) {
      const isFirst = selectsPod(term, pod, pod) && !this.#any((other) => selectsPod(term, pod, other))
      if (!isFirst && !inDomain(term.topologyKey, (other) => selectsPod(term, pod, other)))
        return "didn't match pod affinity rules"
    }
    for (const constraint of pod.spec.topologySpreadConstraints ?? []) {
      if (constraint.whenUnsatisfiable !== 'DoNotSchedule') continue
      const { topologyKey, maxSkew } = constraint
      const own = nodeDomain(node, topologyKey)
      if (own === undefined) return "didn't match pod topology spread constraints"
      const counts = new Map<string, number>()
      const selects = selecting(constraint.labelSelector)
      for (const space of this.#spaces.values()) {
        const domain = nodeDomain(space.node, topologyKey)
        if (domain === undefined || !matchesNodeAffinity(pod.spec, space.node)) continue
        let count = counts.get(domain) ?? 0
        for (const other of space.pods)
          if (other.metadata.namespace === pod.metadata.namespace && selects(other.metadata.labels)) count++
        counts.set(domain, count)
      }
      if ((counts.get(own) ?? 0) + 1 - Math.min(...counts.values()) > maxSkew)
        return "didn't match pod topology spread constraints"
    }
    return undefined
  }

  #any(found: (pod: Pod) => boolean): boolean {
    for (const { pods } of this.#spaces.values()) for (const pod of pods) if (found(pod)) return true
    return false
  }
}

const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }
