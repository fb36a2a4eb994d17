import { karpenterKinds, kinds, labels, type Pod, type UsdPerHour } from '@kerf/apis'
import { defaultControllerSettings } from '@kerf/controllers'
import { type InstanceType, nodePrice } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { PrometheusMetrics, SeededRandom, SystemClock, silentLogger } from '@kerf/runtime'
import type { Candidate } from '../../../packages/controllers/src/disruption/candidates/candidate.ts'
import type { Command } from '../../../packages/controllers/src/disruption/commands/command.ts'
import { DisruptionEvents } from '../../../packages/controllers/src/disruption/commands/disruption-events.ts'
import { DisruptionMetrics } from '../../../packages/controllers/src/disruption/commands/disruption-metrics.ts'
import type { MethodTools } from '../../../packages/controllers/src/disruption/methods/method.ts'
import { singleNode } from '../../../packages/controllers/src/disruption/methods/single-node.ts'
import type { DisruptionPass } from '../../../packages/controllers/src/disruption/passes/disruption-pass.ts'
import { DisruptionPasses } from '../../../packages/controllers/src/disruption/passes/disruption-passes.ts'
import { TargetNodes } from '../../../packages/controllers/src/disruption/target/target-nodes.ts'
import { ClusterState } from '../../../packages/controllers/src/state/cluster-state.ts'
import { Snapshots } from '../../../packages/controllers/src/state/snapshot.ts'
import { ManualInformers } from '../../../packages/controllers/src/testing/by-hand/manual-informers.ts'
import { refusingClient } from '../../../packages/controllers/src/testing/by-hand/refusing-client.ts'
import { noCloud } from '../no-cloud.ts'
import { benchCluster, nodeObjects } from './cluster.ts'

/** Returns the instance types that a NodePool for Linux on amd64 can use: 36 types in four zones. */
export const benchTypes = async (): Promise<readonly InstanceType[]> => {
  const has = (type: InstanceType, key: string, value: string): boolean =>
    type.requirements.some((requirement) => requirement.key === key && requirement.values?.includes(value))
  return (await loadInstanceTypes()).filter((type) => has(type, labels.os, 'linux') && has(type, labels.arch, 'amd64'))
}

/**
 * Kerf's own cluster state, disruption passes and disruption methods, on a cluster in memory. Commands take effect immediately, because the
 * benchmark only measures decisions and their results.
 */
export class BenchEnvironment {
  readonly #informers = new ManualInformers()
  readonly #clock = new SystemClock()
  readonly #types: readonly InstanceType[]
  readonly #state: ClusterState
  readonly #passes: DisruptionPasses
  readonly tools: MethodTools
  #launched = 0

  constructor(count: number, types: readonly InstanceType[], seed: number) {
    this.#types = types
    const provider = noCloud(types)
    const events = { publish: () => {} }
    const metrics = new PrometheusMetrics()
    const deps = {
      client: refusingClient(),
      clock: this.#clock,
      informers: this.#informers,
      random: new SeededRandom(seed),
      events,
      log: silentLogger,
      metrics,
      provider,
      settings: defaultControllerSettings,
    }
    this.#state = new ClusterState(deps)
    this.#state.follow()
    this.#passes = new DisruptionPasses({
      ...deps,
      state: this.#state,
      snapshots: new Snapshots(deps, this.#state),
      isQueued: () => false,
    })
    this.tools = {
      state: this.#state,
      events: new DisruptionEvents(events),
      metrics: new DisruptionMetrics(metrics),
      targets: { together: new TargetNodes(), alone: new TargetNodes() },
    }
    const { pools, nodes, claims, pods } = benchCluster(count, types, seed)
    this.#informers.put(karpenterKinds.NodePool, ...pools)
    for (const pod of pods) this.#informers.put(kinds.Pod, pod)
    for (const claim of claims) this.#informers.put(karpenterKinds.NodeClaim, claim)
    for (const node of nodes) this.#informers.put(kinds.Node, node)
  }

  /** Reports a pod as changed, so that Kerf must discard its cached results about the cluster. */
  change(): void {
    const [pod] = this.#informers.of(kinds.Pod).values()
    if (pod !== undefined) this.#informers.put(kinds.Pod, { ...pod })
  }

  async pass(): Promise<DisruptionPass> {
    return await this.#passes.begin(new AbortController().signal)
  }

  candidates(pass: DisruptionPass): readonly Candidate[] {
    return pass
      .candidates('graceful')
      .filter((candidate) => singleNode.eligibility(candidate, this.#state).length === 0)
  }

  /** Returns the cost of all nodes. */
  cost(pass: DisruptionPass): UsdPerHour {
    return pass.assessments.reduce((sum, { candidate }) => sum + (candidate?.price ?? 0), 0)
  }

  /** Applies a command. Returns the number of evicted pods, and the saved cost of nodes. */
  apply({ candidates, replacements, placements }: Command): {
    readonly evictions: number
    readonly saving: UsdPerHour
  } {
    const homes = new Map<Pod, string>()
    let saving = candidates.reduce((sum, { price = 0 }) => sum + price, 0)
    for (const { node, pods } of placements) for (const pod of pods) homes.set(pod, node)
    for (const replacement of replacements) {
      if (replacement.kind !== 'planned') throw new Error('consolidation launches what was planned')
      const { instanceType, zone, capacityType } = replacement.claim.cheapest
      const type = this.#types.find(({ name }) => name === instanceType)
      if (type === undefined) throw new Error(`there is no ${instanceType} to launch`)
      const name = `new-${this.#launched++}`
      const made = nodeObjects({ name, pool: replacement.pool, type, zone, capacityType })
      this.#informers.put(karpenterKinds.NodeClaim, made.claim)
      this.#informers.put(kinds.Node, made.node)
      saving -= nodePrice(type, made.node.metadata.labels ?? {}) ?? 0
      for (const pod of replacement.claim.pods) homes.set(pod, name)
    }
    let evictions = 0
    for (const candidate of candidates) {
      for (const pod of candidate.reschedulable) {
        const home = homes.get(pod)
        if (home === undefined) throw new Error(`pod ${pod.metadata.name} has no place`)
        this.#informers.put(kinds.Pod, { ...pod, spec: { ...pod.spec, nodeName: home } })
        evictions++
      }
    }
    for (const { name, claim } of candidates) {
      this.#informers.delete(kinds.Node, name)
      this.#informers.delete(karpenterKinds.NodeClaim, claim.metadata.name)
    }
    return { evictions, saving }
  }
}
