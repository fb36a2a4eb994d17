import {
  type Deployment,
  type KubeObject,
  kinds,
  type Milliseconds,
  type Node,
  type Pod,
  type PodSpec,
  type ResourceKind,
  type ResourceList,
} from '@kerf/apis'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { node as buildNode } from '@kerf/testing'
import { SandboxCluster, type SandboxClusterOptions } from '../cluster/sandbox-cluster.ts'

export interface VirtualClusterOptions extends Partial<SandboxClusterOptions> {
  readonly seed?: number | string
  /** Returns options that depend on the cluster's clock. */
  readonly more?: (clock: VirtualClock) => Partial<SandboxClusterOptions>
}

/** A cluster in virtual time, for tests. The default namespace of namespaced objects is `default`. */
export class VirtualCluster implements AsyncDisposable {
  readonly clock = new VirtualClock()
  readonly cluster: SandboxCluster
  readonly client: KubeClient

  private constructor(options: VirtualClusterOptions) {
    const { seed, more, ...rest } = options
    this.cluster = new SandboxCluster({
      clock: this.clock,
      random: new SeededRandom(seed ?? 1),
      ...rest,
      ...more?.(this.clock),
    })
    this.client = this.cluster.client
  }

  static async start(options: VirtualClusterOptions = {}): Promise<VirtualCluster> {
    const cluster = new VirtualCluster(options)
    await cluster.cluster.start()
    return cluster
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.stop()
  }

  /** Creates the objects in the given order. */
  async apply(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const kind = objectKind(object)
      const metadata = kind.namespaced ? { namespace: 'default', ...object.metadata } : object.metadata
      const { status, ...wanted }: KubeObject & { status?: unknown } = { ...object, metadata }
      const made = await this.client.create(kind, wanted)
      if (status === undefined || kind.kind !== 'Node') continue
      await this.client.update(kind, Object.assign({}, made, { status }), { subresource: 'status' })
    }
  }

  /** Waits until the cluster has settled. Throws if this takes longer than `limit`. */
  async settle(limit?: Milliseconds): Promise<void> {
    if (!(await this.cluster.settle(limit))) throw new Error('the cluster does not come to rest')
  }

  async pass(duration: Milliseconds): Promise<void> {
    await this.clock.advance(duration)
  }

  async get<T extends KubeObject>(kind: ResourceKind<T>, name: string, namespace = 'default'): Promise<T> {
    return await this.client.get(kind, kind.namespaced ? { namespace, name } : { name })
  }

  async patch(kind: ResourceKind, name: string, body: object, namespace = 'default'): Promise<void> {
    await this.client.patch(kind, kind.namespaced ? { namespace, name } : { name }, { type: 'merge', body })
  }

  async scale(name: string, replicas: number, kind: ResourceKind = kinds.Deployment): Promise<void> {
    await this.patch(kind, name, { spec: { replicas } })
  }

  list<T extends KubeObject>(kind: ResourceKind<T>): T[] {
    return [...this.cluster.informers.of(kind).values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  }

  pods(): Pod[] {
    return this.list(kinds.Pod)
  }

  /** Returns the number of running pods on each node. */
  perNode(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const pod of this.pods()) {
      const name = pod.spec.nodeName ?? '(none)'
      counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  }
}

const objectKind = (object: KubeObject): ResourceKind => {
  const found = Object.values<ResourceKind>(kinds).find((kind) => kind.kind === object.kind)
  if (found === undefined) throw new Error(`the cluster of this test knows no kind ${object.kind}`)
  return found
}

export const node = (
  name: string,
  resources: ResourceList = {},
  more: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly spec?: Partial<Node['spec']>
  } = {},
): Node => {
  const allocatable = { cpu: '4', memory: '16Gi', pods: '110', ...resources }
  return buildNode(name, {
    labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...more.labels },
    annotations: more.annotations,
    capacity: allocatable,
    spec: more.spec,
  })
}

export const podSpec = (requests: ResourceList, more: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'main', image: 'example/app:1', resources: { requests } }],
  ...more,
})

export const deployment = (
  name: string,
  replicas: number,
  requests: ResourceList,
  more: { readonly spec?: Partial<Deployment['spec']>; readonly pod?: Partial<PodSpec> } = {},
): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: podSpec(requests, more.pod) },
    ...more.spec,
  },
})
