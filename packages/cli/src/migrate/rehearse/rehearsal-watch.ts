import { controllerOwner, kinds, type Milliseconds, type Pod, parseTime } from '@kerf/apis'
import type { Clock, RecordedEvent } from '@kerf/runtime'
import type { SandboxCluster, SimulatedCloud } from '@kerf/sandbox'

/** The state of the cluster at one point in time. */
export interface RehearsalSample {
  readonly at: Milliseconds
  readonly hourlyCost: number
  readonly nodes: number
  readonly waiting: number
}

/** What happened in one section of a rehearsal. */
export interface RehearsalCounts {
  /** Number of pods that Cluster Autoscaler evicted. */
  readonly evictedByAutoscaler: number
  readonly evictedByKerf: number
  readonly evictedByPlan: number
  /** Number of scale-ups by Cluster Autoscaler that happened within a minute of the creation of a NodeClaim. */
  readonly boughtTwice: number
  /** Workloads that lost pods to evictions by both Cluster Autoscaler and Kerf. */
  readonly foughtOver: readonly string[]
  /** PodDisruptionBudgets that had fewer healthy pods than they require, in the form `namespace/name`. */
  readonly violated: readonly string[]
  /** Longest time that a pod waited for a node. */
  readonly longestWait: Milliseconds
}

const MINUTE = 60_000

const podWorkload = (pod: Pod): string => {
  const owner = controllerOwner(pod)
  const hash = pod.metadata.labels?.['pod-template-hash']
  const name = owner?.name ?? pod.metadata.name
  return `${pod.metadata.namespace}/${hash !== undefined && name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name}`
}

export type Who = 'autoscaler' | 'kerf' | 'plan'

/** Observes a rehearsal. `take` returns what happened since its previous call. */
export class RehearsalWatch {
  readonly #clock: Clock
  readonly #cluster: SandboxCluster
  readonly #cloud: SimulatedCloud
  readonly samples: RehearsalSample[] = []
  readonly #waitingSince = new Map<string, Milliseconds>()
  #evicted: { readonly who: Who; readonly workload: string }[] = []
  #scaledUp: Milliseconds[] = []
  #claims: Milliseconds[] = []
  #violated = new Set<string>()
  #longestWait: Milliseconds = 0

  constructor(clock: Clock, cluster: SandboxCluster, cloud: SimulatedCloud) {
    this.#clock = clock
    this.#cluster = cluster
    this.#cloud = cloud
    cluster.informers.of(kinds.Pod).onChange(({ after, before }) => this.#podChanged(before, after))
    cluster.informers.of(kinds.PodDisruptionBudget).onChange(({ after }) => {
      const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = after?.status ?? {}
      if (after !== undefined && expectedPods > 0 && currentHealthy < desiredHealthy)
        this.#violated.add(`${after.metadata.namespace}/${after.metadata.name}`)
    })
  }

  evicted(who: Who, namespace: string, name: string): void {
    const pod = this.#cluster.informers.of(kinds.Pod).get(`${namespace}/${name}`)
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return
    this.#evicted.push({ who, workload: podWorkload(pod) })
  }

  claimed(): void {
    this.#claims.push(this.#clock.now())
  }

  /** Counts a scale-up. Cluster Autoscaler publishes two events for each scale-up; only the first of them is counted. */
  published({ reason, message }: RecordedEvent): void {
    if (reason === 'ScaledUpGroup' && message.includes('setting group')) this.#scaledUp.push(this.#clock.now())
  }

  sample(): RehearsalSample {
    const waiting = [...this.#cluster.informers.of(kinds.Pod).values()].filter(
      ({ status, spec }) => status?.phase === 'Pending' && (spec.nodeName ?? '') === '',
    )
    const sample = {
      at: this.#clock.now(),
      hourlyCost: this.#cloud.hourlyCost(),
      nodes: this.#cloud.instances().length,
      waiting: waiting.length,
    }
    this.samples.push(sample)
    return sample
  }

  /** Returns the counts since the previous call, and resets them. */
  take(): RehearsalCounts {
    const now = this.#clock.now()
    for (const since of this.#waitingSince.values()) this.#longestWait = Math.max(this.#longestWait, now - since)
    const by = (who: Who): readonly string[] =>
      this.#evicted.filter((each) => each.who === who).map(({ workload }) => workload)
    const both = new Set(by('kerf'))
    const counts: RehearsalCounts = {
      evictedByAutoscaler: by('autoscaler').length,
      evictedByKerf: by('kerf').length,
      evictedByPlan: by('plan').length,
      boughtTwice: this.#scaledUp.filter((at) => this.#claims.some((claim) => Math.abs(claim - at) <= MINUTE)).length,
      foughtOver: [...new Set(by('autoscaler'))].filter((workload) => both.has(workload)).sort(),
      violated: [...this.#violated].sort(),
      longestWait: this.#longestWait,
    }
    this.#evicted = []
    this.#scaledUp = []
    this.#claims = []
    this.#violated = new Set()
    this.#longestWait = 0
    return counts
  }

  #podChanged(before: Pod | undefined, after: Pod | undefined): void {
    const uid = (after ?? before)?.metadata.uid ?? ''
    if (after !== undefined && (after.spec.nodeName ?? '') === '' && after.metadata.deletionTimestamp === undefined) {
      if (!this.#waitingSince.has(uid))
        this.#waitingSince.set(uid, parseTime(after.metadata.creationTimestamp) ?? this.#clock.now())
      return
    }
    const since = this.#waitingSince.get(uid)
    if (since === undefined) return
    this.#longestWait = Math.max(this.#longestWait, this.#clock.now() - since)
    this.#waitingSince.delete(uid)
  }
}
