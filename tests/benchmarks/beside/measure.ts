import { karpenterKinds, kinds } from '@kerf/apis'
import type { AutoscalerWrites } from './audit.ts'
import type { BenchCluster, Running, Used } from './bench-cluster.ts'
import type { Sight } from './observer.ts'
import type { Program } from './program.ts'
import type { Course } from './timeline.ts'
import { DRIFT, NAMESPACE, type PodMix, replicasFor } from './workload.ts'

export interface RunOptions {
  readonly podMix: PodMix
  readonly from: number
  readonly to: number
  /** After this many seconds without any change, the cluster counts as settled. */
  readonly quiet: number
  /** After this many seconds, the benchmark reduces the number of pods, even if the cluster is still changing. */
  readonly cutAfter: number
  /** The maximum duration of the second phase in seconds. */
  readonly timeout: number
  /** Whether to make every node drift at the end. */
  readonly drift: boolean
  /** How many seconds the autoscaler runs before the first pods arrive. The default is 0, so the autoscaler and the pods start together. */
  readonly startFirst?: number
  /** Whether the autoscalers of a pair ran at the same time. By default, they run one after the other. */
  readonly sideBySide?: boolean
}

/** One phase of a run: the times until all pods ran and until the last change, and the state of the cluster at the end. */
export interface Phase extends Sight, Course {
  /** Seconds until exactly the requested number of pods ran. */
  readonly runningAfter: number
  /** Seconds until the last change, after which the cluster counted as settled. */
  readonly settledAfter: number
  readonly hasSettled: boolean
  /** The largest number of requested pods that did not run at the same time. */
  readonly mostDown: number
  /** The autoscaler's requests that changed objects. */
  readonly writes: AutoscalerWrites
  /** The resources that the autoscaler's process had used by the end of the phase, including its start and earlier phases. */
  readonly used: Used
  /** The processor time of this phase alone, in seconds. Older runs do not contain it. */
  readonly cpuSeconds?: number
}

export interface Run {
  readonly autoscaler: string
  /** The measured program. Absent in the sandbox, which runs no program, and in older runs, which started Kerf from its sources. */
  readonly program?: Program
  readonly up: Phase
  readonly down: Phase
  readonly drifted: Phase | undefined
  readonly used: Used
}

const scaleTo = async (cluster: BenchCluster, podMix: PodMix, pods: number): Promise<void> => {
  for (const { name, replicas } of replicasFor(podMix, pods)) {
    const ref = { namespace: NAMESPACE, name }
    await cluster.client.patch(kinds.Deployment, ref, { type: 'merge', body: { spec: { replicas } } })
  }
}

const phase = async (
  cluster: BenchCluster,
  autoscaler: Running,
  { pods, begin }: { readonly pods: number; readonly begin: () => Promise<unknown> },
  limits: { readonly quiet: number; readonly timeout: number },
  progress: (line: string) => void,
): Promise<Phase> => {
  const { observer, timeline, clock } = cluster
  const began = clock.monotonic()
  const beganAt = clock.now()
  const seconds = (): number => (clock.monotonic() - began) / 1000
  const before = await autoscaler.used()
  observer.mark()
  timeline.mark()
  await begin()
  let mostDown = 0
  let runningAfter: number | undefined
  let reported = 0
  for (;;) {
    const sight = observer.sight()
    mostDown = Math.max(mostDown, pods - sight.running)
    const isThere = sight.running === pods && sight.pods === pods
    if (isThere) runningAfter ??= seconds()
    if (seconds() - reported >= 10) {
      reported = seconds()
      progress(
        `${seconds().toFixed(0)} s: ${sight.running} of ${sight.pods} pods, ${sight.nodes} nodes, $${sight.hourlyCost.toFixed(3)}/h, ${sight.evictions} evictions`,
      )
    }
    const hasSettled = isThere && observer.quietFor >= limits.quiet * 1000
    if (autoscaler.hasEnded) throw new Error('the autoscaler ended; see its log')
    if (hasSettled || seconds() > limits.timeout) {
      const used = await autoscaler.used()
      return {
        ...sight,
        ...timeline.course(),
        writes: cluster.writes(beganAt),
        used,
        cpuSeconds: used.cpuSeconds - before.cpuSeconds,
        hasSettled,
        mostDown,
        runningAfter: runningAfter ?? Number.NaN,
        settledAfter: hasSettled ? sight.lastChange / 1000 : Number.NaN,
      }
    }
    await cluster.pass(100)
  }
}

/**
 * Measures one autoscaler on its own cluster. Scales pods up, waits until the cluster settles, reduces the number of pods, and waits again.
 * If requested, it then replaces all nodes and waits again. At the end, stops the autoscaler and the cluster.
 */
export const measure = async <Cluster extends BenchCluster>(
  name: string,
  options: RunOptions,
  cluster: Cluster,
  start: (cluster: Cluster) => Running,
  progress: (line: string) => void,
): Promise<Run> => {
  try {
    const running = start(cluster)
    try {
      const comeAt = cluster.clock.monotonic() + (options.startFirst ?? 0) * 1000
      while (cluster.clock.monotonic() < comeAt) await cluster.pass(100)
      const scaling = (pods: number) => ({ pods, begin: () => scaleTo(cluster, options.podMix, pods) })
      const limits = { ...options, timeout: options.cutAfter }
      const up = await phase(cluster, running, scaling(options.from), limits, progress)
      const down = await phase(cluster, running, scaling(options.to), options, progress)
      const drifting = {
        pods: options.to,
        begin: () => cluster.client.patch(karpenterKinds.NodePool, { name: 'default' }, { type: 'merge', body: DRIFT }),
      }
      const drifted = options.drift ? await phase(cluster, running, drifting, options, progress) : undefined
      return { autoscaler: name, up, down, drifted, used: await running.used() }
    } finally {
      await running.stop()
    }
  } finally {
    await cluster.close()
  }
}
