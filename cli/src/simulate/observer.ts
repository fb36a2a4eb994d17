import { kinds, type Pod } from '@kerf/apis'
import type { Clock, Milliseconds } from '@kerf/runtime'
import type { ApiCall, SandboxCluster, SimulatedCloud } from '@kerf/sandbox'
import { type Sample, type SimulationResult, waitsOf } from './result.ts'

const HOUR = 3_600_000
const MOST_WORKLOADS = 10

/** `default/web`: what made the pod, as people know it. */
const workloadOf = (pod: Pod): string => {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)
  const hash = pod.metadata.labels?.['pod-template-hash']
  const name = owner?.name ?? pod.metadata.name ?? ''
  return `${pod.metadata.namespace}/${hash !== undefined && name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name}`
}

/** Watches a simulated cluster and keeps its accounts. */
export class Observer {
  readonly #clock: Clock
  readonly #cluster: SandboxCluster
  readonly #cloud: SimulatedCloud
  readonly #born = new Map<string, Milliseconds>()
  readonly #waits: Milliseconds[] = []
  readonly #workloads = new Map<string, { pods: number; evictions: number }>()
  readonly #samples: Sample[] = []
  #pods = 0
  #evictions = 0
  #interruptions = 0
  #nodeTime = 0
  /** When the accounts began, and what had been spent and launched until then. */
  #began: { readonly at: Milliseconds; readonly cost: number; readonly launches: number } = {
    at: 0,
    cost: 0,
    launches: 0,
  }

  constructor(clock: Clock, cluster: SandboxCluster, cloud: SimulatedCloud) {
    this.#clock = clock
    this.#cluster = cluster
    this.#cloud = cloud
    cluster.informers.of(kinds.Pod).onChange(({ before, after }) => this.#podChanged(before, after))
    cloud.onEvent(({ kind }) => {
      if (kind === 'interruption') this.#interruptions++
    })
  }

  /** The accounts begin now: what there is already counts, what happened before does not. */
  begin(): void {
    this.#began = { at: this.#clock.monotonic(), cost: this.#cloud.totalCost(), launches: this.#cloud.launches }
    const pods = [...this.#cluster.informers.of(kinds.Pod).values()]
    this.#waits.length = 0
    this.#workloads.clear()
    this.#evictions = 0
    this.#interruptions = 0
    this.#pods = pods.length
    for (const pod of pods) this.#workload(pod).pods++
  }

  /** A call of Kerf has succeeded. */
  acted({ verb, ref }: ApiCall): void {
    if (verb !== 'evict' || ref === undefined) return
    this.#evictions++
    const pod = this.#cluster.informers.of(kinds.Pod).get(`${ref.namespace}/${ref.name}`)
    if (pod !== undefined) this.#workload(pod).evictions++
  }

  sample(): Sample {
    const at = this.#clock.monotonic() - this.#began.at
    const nodes = this.#cloud.instances().length
    this.#nodeTime += nodes * (at - (this.#samples.at(-1)?.at ?? at))
    let pods = 0
    let waiting = 0
    for (const { status } of this.#cluster.informers.of(kinds.Pod).values()) {
      if (status?.phase === 'Running') pods++
      else if (status?.phase === undefined || status.phase === 'Pending') waiting++
    }
    const sample = { at, nodes, hourlyCost: this.#cloud.hourlyCost(), pods, waiting }
    this.#samples.push(sample)
    return sample
  }

  result(name: string, seed: number, refused: readonly string[]): SimulationResult {
    const last = this.#samples.at(-1)
    return {
      name,
      seed,
      span: this.#clock.monotonic() - this.#began.at,
      cost: this.#cloud.totalCost() - this.#began.cost,
      nodeHours: this.#nodeTime / HOUR,
      launches: this.#cloud.launches - this.#began.launches,
      interruptions: this.#interruptions,
      pods: this.#pods,
      waits: waitsOf(this.#waits),
      evictions: this.#evictions,
      disruptionsPerPod: this.#pods === 0 ? 0 : this.#evictions / this.#pods,
      mostDisrupted: [...this.#workloads]
        .map(([workload, counts]) => ({ workload, ...counts }))
        .filter(({ evictions }) => evictions > 0)
        .sort((a, b) => b.evictions - a.evictions || (a.workload < b.workload ? -1 : 1))
        .slice(0, MOST_WORKLOADS),
      waitingAtEnd: last?.waiting ?? 0,
      samples: this.#samples,
      refused,
    }
  }

  #podChanged(before: Pod | undefined, after: Pod | undefined): void {
    const uid = (after ?? before)?.metadata.uid ?? ''
    if (after === undefined) {
      this.#born.delete(uid)
      return
    }
    if (before === undefined) {
      this.#pods++
      this.#workload(after).pods++
      this.#born.set(uid, this.#clock.monotonic())
    }
    const born = this.#born.get(uid)
    if (born === undefined || after.status?.phase !== 'Running') return
    this.#waits.push(this.#clock.monotonic() - born)
    this.#born.delete(uid)
  }

  #workload(pod: Pod): { pods: number; evictions: number } {
    const name = workloadOf(pod)
    let counts = this.#workloads.get(name)
    if (counts === undefined) {
      counts = { pods: 0, evictions: 0 }
      this.#workloads.set(name, counts)
    }
    return counts
  }
}
