import {
  isConditionTrue,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
} from '@kerf/apis'
import { type ClusterAPINodeClass, clusterApiNodeClassKind } from '@kerf/provider-cluster-api/node-class'
import { clusterApiNodeClass } from '@kerf/provider-cluster-api/testing/node-class'
import { nodePool } from '@kerf/testing'
import { expect } from 'vitest'
import type { ClusterApiHarness } from './harness.ts'
import { clusterApiKinds, type Machine, type MachineDeployment } from './kinds.ts'
import type { WorkersOptions } from './workload-cluster.ts'

/** The label of all objects of a story. Its value is the name of the story. */
const STORY = 'example.com/story'
const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/'
const UID = 'kerf.sh/nodeclaim-uid'
const CLAIMED_MACHINE = 'cluster.x-k8s.io/machine'

/** The options of a MachineDeployment of a story. */
export interface DeploymentTraits extends Partial<Pick<WorkersOptions, 'replicas' | 'strategy' | 'startup'>> {
  readonly cpu?: string
  /** US dollars per hour. */
  readonly price?: string
  /** Additional annotations. They override the annotations for capacity and price if the keys are equal. */
  readonly annotations?: Readonly<Record<string, string>>
}

export interface StoryTraits {
  /** The MachineDeployments by name. The default is one MachineDeployment with the name of the story. */
  readonly deployments?: Readonly<Record<string, DeploymentTraits>>
  readonly disruption?: NodePool['spec']['disruption']
}

/** Prevents disruption until the story changes the setting. */
const QUIET: NonNullable<NodePool['spec']['disruption']> = { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] }
/** Deletes a node as soon as it runs no pods. */
export const EMPTY_GO: NonNullable<NodePool['spec']['disruption']> = {
  consolidationPolicy: 'WhenEmpty',
  consolidateAfter: '0s',
  budgets: [{ nodes: '100%' }],
}

const machineName = ({ metadata }: Machine): string => `${metadata.namespace}/${metadata.name}`

const isAtWork = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase === 'Running'

const uidOf = ({ metadata }: { readonly metadata: { readonly uid?: string } }): string => metadata.uid ?? ''

/** Adds a MachineDeployment as the guide describes it, with the label of the story. */
const addStoryDeployment = async (
  { workload }: ClusterApiHarness,
  story: string,
  name: string,
  { cpu = '4', price = '0.1', replicas = 0, strategy = 'OnDelete', startup, annotations }: DeploymentTraits,
): Promise<void> => {
  const nodeLabels = { [labels.instanceType]: name }
  const described = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', ...nodeLabels }
  await workload.addWorkers({
    ...{ name, replicas, strategy, nodeLabels },
    ...(startup !== undefined && { startup }),
    labels: { [STORY]: story },
    annotations: {
      [`${CAPACITY}cpu`]: cpu,
      [`${CAPACITY}memory`]: '8Gi',
      [`${CAPACITY}labels`]: Object.entries(described)
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
      'kerf.sh/hourly-price': price,
      ...annotations,
    },
    taints: [{ key: 'karpenter.sh/unregistered', value: 'true', effect: 'NoExecute' }],
  })
}

/** A story: one ClusterAPINodeClass, NodePool, namespace and Deployment with the same name, and the MachineDeployments of the class. */
export class ClusterApiStory {
  readonly harness: ClusterApiHarness
  readonly name: string
  readonly #deployments: readonly string[]

  private constructor(harness: ClusterApiHarness, name: string, deployments: readonly string[]) {
    this.harness = harness
    this.name = name
    this.#deployments = deployments
  }

  static async open(harness: ClusterApiHarness, name: string, traits: StoryTraits = {}): Promise<ClusterApiStory> {
    const { deployments = { [name]: {} }, disruption = QUIET } = traits
    const story = new ClusterApiStory(harness, name, Object.keys(deployments))
    for (const [each, wanted] of Object.entries(deployments)) await addStoryDeployment(harness, name, each, wanted)
    await harness.nodes.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await story.addClass(name)
    const { group, kind } = clusterApiNodeClassKind
    await harness.nodes.create(
      karpenterKinds.NodePool,
      nodePool(name, {
        disruption,
        requirements: [{ key: labels.capacityType, operator: 'In', values: ['on-demand'] }],
        templateMetadata: { labels: { [STORY]: name } },
        templateSpec: { nodeClassRef: { group, kind, name } },
      }),
    )
    return story
  }

  /** Adds another node class that selects the MachineDeployments of this story. */
  async addClass(name: string): Promise<void> {
    const spec = { scalableResourceSelector: { matchLabels: { [STORY]: this.name } } }
    await this.harness.nodes.create(clusterApiNodeClassKind, clusterApiNodeClass(name, { spec }))
  }

  /** Patches the NodePool, as a user would with `kubectl patch nodepool`. */
  async patchPool(spec: object): Promise<void> {
    await this.harness.nodes.patch(karpenterKinds.NodePool, { name: this.name }, { type: 'merge', body: { spec } })
  }

  /** Creates a Deployment of pods with this request that run only on nodes of the story. */
  async deploy(replicas: number, cpu = '1500m'): Promise<void> {
    await this.harness.nodes.create(kinds.Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: this.name, namespace: this.name },
      spec: {
        replicas,
        selector: { matchLabels: { app: this.name } },
        template: {
          metadata: { labels: { app: this.name } },
          spec: {
            terminationGracePeriodSeconds: 1,
            nodeSelector: { [STORY]: this.name },
            containers: [{ name: 'app', image: 'app', resources: { requests: { cpu, memory: '16Mi' } } }],
          },
        },
      },
    })
  }

  async scale(replicas: number): Promise<void> {
    const ref = { name: this.name, namespace: this.name }
    await this.harness.nodes.patch(kinds.Deployment, ref, { type: 'merge', body: { spec: { replicas } } })
  }

  /** Marks the pods on these nodes to be deleted first when the Deployment is scaled down. */
  async markToGo(nodes: ReadonlySet<string>): Promise<void> {
    for (const { metadata, spec } of await this.pods()) {
      const cost = nodes.has(spec.nodeName ?? '') ? '-1000' : '1000'
      const body = { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } } }
      await this.harness.nodes.patch(kinds.Pod, { name: metadata.name, namespace: this.name }, { type: 'merge', body })
    }
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.harness.nodes.list(kinds.Pod, { namespace: this.name })).items
  }

  async nodes(): Promise<readonly Node[]> {
    return (await this.harness.nodes.list(kinds.Node, { labelSelector: `${STORY}=${this.name}` })).items
  }

  async claims(): Promise<readonly NodeClaim[]> {
    const labelSelector = `${labels.nodePool}=${this.name}`
    return (await this.harness.nodes.list(karpenterKinds.NodeClaim, { labelSelector })).items
  }

  /** Returns the Machines of all MachineDeployments of the story. */
  async machines(): Promise<readonly Machine[]> {
    return (await Promise.all(this.#deployments.map((name) => this.harness.machines(name)))).flat()
  }

  async deployment(name = this.name): Promise<MachineDeployment> {
    const { namespace } = this.harness.workload
    return await this.harness.client.get(clusterApiKinds.MachineDeployment, { namespace, name })
  }

  async nodeClass(name = this.name): Promise<ClusterAPINodeClass> {
    return await this.harness.nodes.get(clusterApiNodeClassKind, { name })
  }

  /** Returns `TYPE=STATUS REASON: message` of each condition. */
  async conditions(name = this.name): Promise<readonly string[]> {
    const { status } = await this.nodeClass(name)
    return (status?.conditions ?? []).map(
      ({ type, status: is, reason = '', message = '' }) => `${type}=${is} ${reason}: ${message}`,
    )
  }

  /** Waits until a condition of the node class contains all texts and, if it reports a problem, until an event contains them as well. */
  async reports(condition: string, texts: readonly string[], options: ReportOptions = {}): Promise<void> {
    const { name = this.name, event = true } = options
    const says = (line: string): boolean => texts.every((text) => line.includes(text))
    await this.harness.until(
      `${condition} of ${name} with ${texts.join(' … ')}`,
      async () => {
        const conditions = await this.conditions(name)
        if (!conditions.some((line) => line.startsWith(condition) && says(line))) return false
        return !event || (await this.#events(name)).some(says)
      },
      async () => (await this.conditions(name)).join('\n'),
    )
  }

  async #events(name: string): Promise<readonly string[]> {
    const fieldSelector = `involvedObject.kind=ClusterAPINodeClass,involvedObject.name=${name}`
    const { items } = await this.harness.nodes.list(kinds.Event, { namespace: 'default', fieldSelector })
    return items.map(({ reason, message = '' }) => `${reason}: ${message}`)
  }

  /**
   * Waits until exactly these pods run, and every NodeClaim is ready and has a Machine. This also waits until the pods and the NodeClaim of
   * a deleted Machine are gone, because they look healthy for some seconds.
   */
  async settledAt(pods: number): Promise<void> {
    await this.until(`${pods} pods of ${this.name} at work, and every claim ready`, async () => {
      const [found, claims, machines] = [await this.pods(), await this.claims(), await this.machines()]
      const there = new Set(
        machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(machineName),
      )
      return (
        found.length === pods &&
        found.every(isAtWork) &&
        claims.every(
          (claim) =>
            isConditionTrue(claim, 'Ready') &&
            claim.metadata.deletionTimestamp === undefined &&
            there.has(claim.metadata.annotations?.[CLAIMED_MACHINE] ?? ''),
        )
      )
    })
  }

  /** Waits until no Machine is being deleted and there are `count` Machines. */
  async machinesSettledAt(count: number): Promise<void> {
    await this.until(`${count} machines of ${this.name}`, async () => {
      const machines = await this.machines()
      return machines.length === count && machines.every(({ metadata }) => metadata.deletionTimestamp === undefined)
    })
  }

  /** Waits until a MachineDeployment has this number of replicas, which changes a few seconds after a deletion. */
  async replicasAt(count: number, name = this.name): Promise<void> {
    await this.until(`${count} replicas of ${name}`, async () => (await this.deployment(name)).spec.replicas === count)
  }

  /** Waits as `ClusterApiHarness.until` does. If the wait fails, the error contains the state of the story. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    await this.harness.until(what, isSo, () => this.#standing())
  }

  async #standing(): Promise<string> {
    const told = (object: { readonly status?: { readonly conditions?: readonly object[] | null } }): string =>
      JSON.stringify(object.status?.conditions ?? [])
    const claims = (await this.claims()).map((claim) => `claim ${claim.metadata.name}: ${told(claim)}`)
    const machines = (await this.machines()).map(
      ({ metadata, status }) =>
        `machine ${metadata.name} ${status?.phase} ${metadata.annotations?.[UID] ?? 'free'} ${metadata.deletionTimestamp ?? ''}`,
    )
    const pods = (await this.pods()).map(
      ({ metadata, spec, status }) => `pod ${metadata.name} on ${spec.nodeName ?? 'no node'}: ${status?.phase}`,
    )
    return [...claims, ...machines, ...pods, ...(await this.conditions())].join('\n')
  }

  /**
   * Returns the bound Machines, sorted by name. Asserts that every NodeClaim has exactly one Machine, that each refers to the other, and
   * that the other Machines are free.
   */
  async bound(): Promise<readonly Machine[]> {
    const [claims, machines] = [await this.claims(), await this.machines()]
    const held = machines.filter(({ metadata }) => metadata.annotations?.[UID] !== undefined)
    const of = (machine: Machine) => ({
      claim: machine.metadata.annotations?.[UID],
      machine: machineName(machine),
      providerID: machine.spec.providerID,
    })
    const claimed = claims.map(({ metadata, status }) => ({
      claim: metadata.uid,
      machine: metadata.annotations?.[CLAIMED_MACHINE],
      providerID: status?.providerID,
    }))
    const byClaim = (a: { readonly claim?: string | undefined }, b: typeof a): number =>
      (a.claim ?? '') < (b.claim ?? '') ? -1 : 1
    expect(claimed.toSorted(byClaim)).toEqual(held.map(of).toSorted(byClaim))
    for (const { metadata } of held) expect(metadata.labels?.['node.cluster.x-k8s.io/karpenter-member']).toBe('')
    return held.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  }

  /** Returns the uids of the current objects for later comparison. */
  async uids(): Promise<{ readonly machines: readonly string[]; readonly claims: readonly string[] }> {
    const sorted = (items: readonly { readonly metadata: { readonly uid?: string } }[]) => items.map(uidOf).toSorted()
    return { machines: sorted(await this.machines()), claims: sorted(await this.claims()) }
  }
}

interface ReportOptions {
  /** The name of the node class. The default is the story's name. */
  readonly name?: string
  readonly event?: boolean
}
