import {
  isConditionTrue,
  isSameTaint,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type PodDisruptionBudget,
  taints,
} from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { isAlreadyExists, isNotFound } from '@kerf/runtime'
import { nodePool } from '@kerf/testing'
import { expect } from 'vitest'
import { follow } from './follow.ts'
import { sumSamples } from './metrics-text.ts'
import type { StoryCluster } from './story-cluster.ts'

/** The label and taint that isolate the nodes and pods of one story, so that stories can share a cluster. */
const STORY = 'example.com/story'

export interface PoolTraits {
  readonly types?: readonly string[]
  readonly disruption?: NodePool['spec']['disruption']
  readonly template?: Partial<NodePool['spec']['template']['spec']>
  readonly replicas?: number
}

export interface PodTraits {
  readonly cpu?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly terminationGracePeriodSeconds?: number
  readonly spec?: Partial<Pod['spec']>
}

/** The default disruption settings of a story: without consolidation. */
const QUIET: NonNullable<NodePool['spec']['disruption']> = {
  consolidateAfter: 'Never',
  budgets: [{ nodes: '100%' }],
}

const isAtWork = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.phase === 'Running' &&
  status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true

/** How often a story with this name was opened on each cluster. A retry after a failure opens the story again. */
const opened = new WeakMap<StoryCluster, Map<string, number>>()

/** One NodePool, one namespace and one Deployment with the same name, and the queries of a story. */
export class PoolStory {
  readonly cluster: StoryCluster
  readonly name: string

  private constructor(cluster: StoryCluster, name: string) {
    this.cluster = cluster
    this.name = name
  }

  /** Opens a story. If the name was used earlier, the objects of the earlier story are removed first. */
  static async open(cluster: StoryCluster, title: string, traits: PoolTraits = {}): Promise<PoolStory> {
    const times = opened.get(cluster) ?? new Map<string, number>()
    opened.set(cluster, times)
    const time = (times.get(title) ?? 0) + 1
    times.set(title, time)
    const nameOf = (attempt: number): string => (attempt === 1 ? title : `${title}-${attempt}`)
    if (time > 1) await new PoolStory(cluster, nameOf(time - 1)).#abandon()
    const name = nameOf(time)
    const story = new PoolStory(cluster, name)
    const { types = ['c-4x-amd64-linux'], disruption = QUIET, template = {}, replicas } = traits
    const { client } = cluster
    await story.#create(() => client.create(kwokNodeClassKind, kwokNodeClass('default')))
    await story.#create(() =>
      client.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    )
    await story.#create(() =>
      client.create(
        karpenterKinds.NodePool,
        nodePool(name, {
          replicas,
          disruption,
          requirements: [
            { key: labels.instanceType, operator: 'In', values: [...types] },
            { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
          ],
          templateMetadata: { labels: { [STORY]: name } },
          templateSpec: { taints: [{ key: STORY, value: name, effect: 'NoSchedule' }], ...template },
        }),
      ),
    )
    return story
  }

  async #abandon(): Promise<void> {
    const { client } = this.cluster
    const ends = [
      client.delete(kinds.Namespace, { name: this.name }),
      client.delete(karpenterKinds.NodePool, { name: this.name }),
    ]
    for (const end of ends) {
      await end.catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
    }
  }

  /** Creates an object. Retries while a new kind is not served yet, and accepts a node class that another story created. */
  async #create(create: () => Promise<unknown>): Promise<void> {
    let failure: unknown
    await this.cluster.until(`the first object of ${this.name}`, async () => {
      try {
        await create()
        return true
      } catch (error) {
        if (isAlreadyExists(error)) return true
        failure = error
        if (isNotFound(error)) return false
        throw failure
      }
    })
  }

  /** Changes the NodePool. */
  async patch(spec: object): Promise<void> {
    const { client } = this.cluster
    await client.patch(karpenterKinds.NodePool, { name: this.name }, { type: 'merge', body: { spec } })
  }

  async deploy(replicas: number, traits: PodTraits = {}): Promise<void> {
    await this.#deploy(this.name, replicas, traits)
  }

  /** Creates another Deployment with one pod, in the same namespace and on the same nodes. */
  async deployBeside(app: string, traits: PodTraits = {}): Promise<void> {
    await this.#deploy(app, 1, traits)
  }

  async #deploy(app: string, replicas: number, traits: PodTraits): Promise<void> {
    await this.cluster.client.create(kinds.Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: app, namespace: this.name },
      spec: { replicas, selector: { matchLabels: { app } }, template: this.#template(app, traits) },
    })
  }

  /** Creates a DaemonSet whose pods run on the story's nodes. */
  async deployDaemon(app: string): Promise<void> {
    await this.cluster.client.create(kinds.DaemonSet, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: app, namespace: this.name },
      spec: { selector: { matchLabels: { app } }, template: this.#template(app, { cpu: '100m' }) },
    })
  }

  #template(app: string, traits: PodTraits) {
    const { cpu = '500m', annotations, terminationGracePeriodSeconds = 1, spec } = traits
    return {
      metadata: { labels: { app }, ...(annotations === undefined ? {} : { annotations }) },
      spec: {
        terminationGracePeriodSeconds,
        nodeSelector: { [STORY]: this.name },
        tolerations: [{ key: STORY, operator: 'Exists' as const, effect: 'NoSchedule' as const }],
        containers: [{ name: 'app', image: 'app', resources: { requests: { cpu, memory: '16Mi' } } }],
        ...spec,
      },
    }
  }

  async scale(replicas: number): Promise<void> {
    const ref = { name: this.name, namespace: this.name }
    await this.cluster.client.patch(kinds.Deployment, ref, { type: 'merge', body: { spec: { replicas } } })
  }

  /**
   * Marks pods, spread evenly over the nodes, as the last to be deleted when the Deployment shrinks. Without the mark, the
   * ReplicaSet controller uses the logarithm of the time since they became ready, so that the speed of the machine would decide
   * whether nodes become empty or half full.
   */
  async markToStay(count: number): Promise<void> {
    const perNode = Map.groupBy(await this.running(), ({ spec }) => spec.nodeName ?? '')
    const rounds = [...perNode.values()].flatMap((pods) => pods.map((pod, round) => ({ pod, round })))
    const staying = rounds.toSorted((a, b) => a.round - b.round).slice(0, count)
    const body = { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '1000' } } }
    for (const { pod } of staying) {
      const ref = { name: pod.metadata.name, namespace: this.name }
      await this.cluster.client.patch(kinds.Pod, ref, { type: 'merge', body })
    }
  }

  async protect(name: string, spec: PodDisruptionBudget['spec']): Promise<void> {
    await this.cluster.client.create(kinds.PodDisruptionBudget, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: this.name },
      spec: { selector: { matchLabels: { app: this.name } }, ...spec },
    })
    const ref = { name, namespace: this.name }
    await this.cluster.until(`the disruption controller to have seen ${name}`, async () => {
      const { status } = await this.cluster.client.get(kinds.PodDisruptionBudget, ref)
      return status?.observedGeneration !== undefined
    })
  }

  async unprotect(name: string): Promise<void> {
    await this.cluster.client.delete(kinds.PodDisruptionBudget, { name, namespace: this.name })
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.cluster.client.list(kinds.Pod, { namespace: this.name })).items
  }

  async running(): Promise<readonly Pod[]> {
    return (await this.pods()).filter(isAtWork)
  }

  async nodes(): Promise<readonly Node[]> {
    return (await this.cluster.client.list(kinds.Node, { labelSelector: `${labels.nodePool}=${this.name}` })).items
  }

  async claims(): Promise<readonly NodeClaim[]> {
    const labelSelector = `${labels.nodePool}=${this.name}`
    return (await this.cluster.client.list(karpenterKinds.NodeClaim, { labelSelector })).items
  }

  async claimNames(): Promise<readonly string[]> {
    return (await this.claims()).map(({ metadata }) => metadata.name)
  }

  /** Records the nominated nodes of the story's pending pods, from now on until `stop`. */
  async nominations(): Promise<{ readonly nodes: ReadonlySet<string>; stop(): Promise<void> }> {
    const nodes = new Set<string>()
    const { stop } = await follow(this.cluster.client, kinds.Pod, { namespace: this.name }, ({ status }) => {
      if (status?.nominatedNodeName !== undefined) nodes.add(status.nominatedNodeName)
    })
    return { nodes, stop }
  }

  /** Records the story's nodes that Kerf taints for disruption, in order, from now on until `stop`. */
  async closings(): Promise<{ readonly nodes: ReadonlySet<string>; stop(): Promise<void> }> {
    const nodes = new Set<string>()
    const labelSelector = `${labels.nodePool}=${this.name}`
    const { stop } = await follow(this.cluster.client, kinds.Node, { labelSelector }, ({ metadata, spec }) => {
      if (spec.taints?.some((taint) => isSameTaint(taint, taints.disrupted)) === true) nodes.add(metadata.name)
    })
    return { nodes, stop }
  }

  /** Waits until exactly this many pods run, and NodeClaims and nodes match one to one and are ready. */
  async settledAt(replicas: number): Promise<void> {
    await this.cluster.until(
      `${replicas} pods of ${this.name} running and nothing else`,
      async () => {
        const pods = await this.pods()
        return pods.length === replicas && pods.every(isAtWork)
      },
      300,
    )
    await this.cluster.until(`every claim of ${this.name} Ready`, async () => {
      const claims = await this.claims()
      return claims.every((claim) => isConditionTrue(claim, 'Ready') && claim.metadata.deletionTimestamp === undefined)
    })
    const claims = (await this.claims()).map(({ status }) => status?.providerID ?? '')
    const nodes = (await this.nodes()).map(({ spec }) => spec.providerID ?? '')
    expect(claims.toSorted(), 'claims and instances are one to one').toEqual(nodes.toSorted())
  }

  /** Returns the messages of events with this reason about the story's NodePool, NodeClaims, nodes and pods. */
  async events(reason: string, kind?: string): Promise<readonly string[]> {
    // Events of cluster-scoped objects are in the namespace default. The API server has no index of events, so a list of the
    // whole cluster would also read the hundreds of events of all other stories.
    const lists = [this.name, 'default'].map((namespace) =>
      this.cluster.client.list(kinds.Event, { namespace, fieldSelector: `reason=${reason}` }),
    )
    const items = (await Promise.all(lists)).flatMap((list) => list.items)
    const isOurs = (name: string, namespace: string | undefined): boolean =>
      namespace === this.name || name === this.name || name.includes(`${this.name}-`)
    return items
      .filter((event) => kind === undefined || event.involvedObject.kind === kind)
      .filter(({ involvedObject }) => isOurs(involvedObject.name ?? '', involvedObject.namespace))
      .map(({ message }) => message ?? '')
  }

  /** Waits for an event about the story's objects whose message contains `text`. */
  async toldBy(reason: string, text: string, kind?: string): Promise<void> {
    let told: readonly string[] = []
    await this.cluster
      .until(`an event ${reason} of ${this.name} with "${text}"`, async () => {
        told = await this.events(reason, kind)
        return told.some((message) => message.includes(text))
      })
      .catch((error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : error}; told was: ${told.join(' | ')}`)
      })
  }

  /** Returns the sum of a metric's samples of this NodePool. */
  async metric(name: string, wanted: Readonly<Record<string, string>> = {}): Promise<number> {
    return sumSamples(await this.cluster.metrics(), name, { nodepool: this.name, ...wanted })
  }

  /** Waits until the metric of this NodePool has the value. Gauges are refreshed every few seconds. */
  async measured(name: string, wanted: Readonly<Record<string, string>>, value: number): Promise<void> {
    let last = Number.NaN
    await this.cluster
      .until(`${name} of ${this.name} at ${value}`, async () => {
        last = await this.metric(name, wanted)
        return last === value
      })
      .catch((error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : error}; it is ${last}`)
      })
  }

  /** Reports whether a node has the disruption taint, or one of these NodeClaims is gone. */
  async isDisturbed(before: readonly string[]): Promise<boolean> {
    const names = await this.claimNames()
    if (before.some((name) => !names.includes(name))) return true
    const nodes = await this.nodes()
    return nodes.some(({ spec }) => spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') ?? false)
  }

  /** Waits until all NodeClaims are new, and the pods run. */
  async replaced(before: readonly string[], replicas: number, seconds = 300): Promise<void> {
    const old = new Set(before)
    await this.cluster.until(
      `every node of ${this.name} to be a new one`,
      async () => {
        const names = await this.claimNames()
        return names.length > 0 && names.every((name) => !old.has(name))
      },
      seconds,
    )
    await this.settledAt(replicas)
  }

  /**
   * Changes a label of the NodePool's template, so that every node drifts, and waits until all earlier NodeClaims have the condition
   * Drifted. Some may have been replaced by then.
   */
  async drift(value: string): Promise<void> {
    const before = new Set(await this.claimNames())
    await this.patch({ template: { metadata: { labels: { 'example.com/team': value } } } })
    await this.cluster.until(`every claim of ${this.name} to have drifted`, async () =>
      (await this.claims()).every((claim) => !before.has(claim.metadata.name) || isConditionTrue(claim, 'Drifted')),
    )
  }
}
