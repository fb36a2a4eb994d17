import { type HostPort, portsConflict } from '../pods/host-ports.ts'
import type { PodClass, Variant } from '../pods/pod-class.ts'
import type { BatchPod, World } from '../solve/world.ts'
import type { TopologyCounts } from '../topology/counts.ts'
import type { VolumeUse } from '../volumes/storage.ts'
import type { ExistingNode } from './existing-node.ts'

const NO_NODE = -1

/** The nodes of a snapshot while pods are placed on them: the first in rank that takes a pod gets it (`spec/scheduling.md` 3.4). */
export class ExistingNodes {
  readonly size: number
  /** Pods placed in this decision, by node. */
  readonly pods: BatchPod[][]
  readonly #world: World
  readonly #counts: TopologyCounts
  readonly #width: number
  readonly #room: Float64Array
  readonly #ports: (readonly HostPort[])[]
  readonly #volumes: ReadonlyMap<string, ReadonlySet<string>>[]
  /** Nodes that requirements and taints let a variant on, by both their numbers. */
  readonly #admitted = new Map<string, Int32Array>()
  #steps = 0

  constructor(world: World, counts: TopologyCounts) {
    const { nodes, table } = world
    this.#world = world
    this.#counts = counts
    this.size = nodes.length
    this.#width = table.width
    this.pods = nodes.map(() => [])
    this.#room = new Float64Array(nodes.length * table.width)
    for (const [index, { room }] of nodes.entries()) this.#room.set(table.roomRow(room), index * table.width)
    this.#ports = nodes.map(({ ports }) => ports)
    this.#volumes = nodes.map(({ volumes }) => volumes)
  }

  takeSteps(): number {
    const steps = this.#steps
    this.#steps = 0
    return steps
  }

  /** The first node that takes the pod; -1 if none does. */
  find(podClass: PodClass, variant: Variant): number {
    if (this.size === 0) return NO_NODE
    const { row } = podClass
    const width = this.#width
    const room = this.#room
    for (const node of this.#admittedTo(variant)) {
      this.#steps++
      const start = node * width
      let column = 0
      while (column < width && (row[column] ?? 0) <= (room[start + column] ?? 0)) column++
      if (column === width && this.#takes(node, podClass, variant)) return node
    }
    return NO_NODE
  }

  #takes(index: number, podClass: PodClass, variant: Variant): boolean {
    const node = this.#world.nodes[index]
    if (node === undefined) return false
    if (podClass.avoidsSettling && node.state.underConsolidateAfter === true) return false
    if (podClass.ports.length > 0 && portsConflict(podClass.ports, this.#ports[index] ?? [])) return false
    if (podClass.volumes.length > 0 && !this.#attaches(index, node, podClass.volumes)) return false
    const { volumeAlternatives } = podClass
    if (volumeAlternatives.length > 0 && !volumeAlternatives.some((wanted) => node.requirements.accepts(wanted))) {
      return false
    }
    return this.#counts.allowsHost(variant, podClass, index) && this.#counts.allowsNode(variant, podClass, node)
  }

  #attaches(index: number, node: ExistingNode, volumes: readonly VolumeUse[]): boolean {
    if (node.volumeLimits === undefined) return true
    const attached = this.#volumes[index]
    for (const [driver, limit] of node.volumeLimits) {
      const own = attached?.get(driver)
      const more = new Set(volumes.filter((volume) => volume.driver === driver).map(({ claim }) => claim))
      if (own !== undefined) for (const claim of own) more.add(claim)
      if (more.size > limit) return false
    }
    return true
  }

  #admittedTo(variant: Variant): Int32Array {
    const key = `${variant.requirements}|${variant.tolerations}`
    let admitted = this.#admitted.get(key)
    if (admitted === undefined) {
      const { nodes, states } = this.#world
      const wanted = states.requirementSet(variant.requirements)
      const found: number[] = []
      for (const [index, node] of nodes.entries()) {
        this.#steps++
        if (node.state.markedForDeletion || node.isOverfull) continue
        if (!this.#world.tolerates(variant.tolerations, node.taints)) continue
        if (node.requirements.accepts(wanted)) found.push(index)
      }
      admitted = Int32Array.from(found)
      this.#admitted.set(key, admitted)
    }
    return admitted
  }

  place(index: number, pod: BatchPod): void {
    const { podClass } = pod
    const node = this.#world.nodes[index]
    if (node === undefined) return
    this.pods[index]?.push(pod)
    const start = index * this.#width
    for (let column = 0; column < this.#width; column++) {
      this.#room[start + column] = (this.#room[start + column] ?? 0) - (podClass.row[column] ?? 0)
    }
    if (podClass.ports.length > 0) this.#ports[index] = [...(this.#ports[index] ?? []), ...podClass.ports]
    if (podClass.volumes.length > 0) this.#volumes[index] = withVolumes(this.#volumes[index], podClass.volumes)
    this.#counts.recordOnNode(podClass, index, node)
  }
}

const withVolumes = (
  attached: ReadonlyMap<string, ReadonlySet<string>> | undefined,
  volumes: readonly VolumeUse[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = new Map<string, Set<string>>()
  for (const [driver, claims] of attached ?? []) all.set(driver, new Set(claims))
  for (const { driver, claim } of volumes) {
    const claims = all.get(driver)
    if (claims === undefined) all.set(driver, new Set([claim]))
    else claims.add(claim)
  }
  return all
}
