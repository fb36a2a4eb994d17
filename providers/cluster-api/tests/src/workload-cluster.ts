import { groupVersion, type KubeObject, type NewObject, type ResourceKind, type Taint } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { clusterApiKinds, secretKind } from './kinds.ts'

/** The Kubernetes version that the in-memory machines report. */
const VERSION = 'v1.36.0'

/** The options of a MachineDeployment of the harness. */
export interface WorkersOptions {
  readonly name: string
  readonly replicas: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  /** The labels of the machines. Cluster API copies those of the node domains to the nodes. */
  readonly machineLabels?: Readonly<Record<string, string>>
  /** The taints with which the kubelet registers its node, from the bootstrap template. */
  readonly taints?: readonly Taint[]
  readonly nodeLabels?: Readonly<Record<string, string>>
  /** The rollout strategy. The default is RollingUpdate, as in Cluster API. */
  readonly strategy?: 'OnDelete' | 'RollingUpdate'
  /** The time from the creation of a machine until it has a provider id, as a duration. The default is `1s`. */
  readonly startup?: string
}

const create = <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  namespace: string,
  name: string,
  body: Readonly<Record<string, unknown>>,
  metadata: Partial<KubeObject['metadata']> = {},
): Promise<T> =>
  client.create(kind, {
    apiVersion: groupVersion(kind),
    kind: kind.kind,
    metadata: { namespace, name, ...metadata },
    ...body,
  } as unknown as NewObject<T>)

const refTo = ({ group, kind }: ResourceKind, name: string): object => ({ apiGroup: group, kind, name })

const startsIn = (duration: string): object => ({ provisioning: { startupDuration: duration, startupJitter: '0' } })

/** A cluster whose machines exist in the memory of the development infrastructure provider. */
export class WorkloadCluster {
  readonly #client: KubeClient
  readonly name: string
  readonly namespace: string

  constructor(client: KubeClient, name: string, namespace = 'default') {
    this.#client = client
    this.name = name
    this.namespace = namespace
  }

  /**
   * Creates the cluster with one control plane machine.
   * @param port the loopback port of its API server
   */
  async create(port: number): Promise<void> {
    const { name, namespace } = this
    const client = this.#client
    // The infrastructure provider writes an annotation without checking the map, and panics if there are no annotations.
    const annotations = { 'kerf.sh/test-bed': '' }
    const endpoint = { host: '127.0.0.1', port }
    const spec = { backend: { inMemory: {} }, controlPlaneEndpoint: endpoint }
    await create(client, clusterApiKinds.DevCluster, namespace, name, { spec }, { annotations })
    await create(client, clusterApiKinds.DevMachineTemplate, namespace, `${name}-control-plane`, {
      spec: {
        template: {
          spec: {
            backend: {
              inMemory: { vm: startsIn('0s'), node: startsIn('0s'), apiServer: startsIn('0s'), etcd: startsIn('0s') },
            },
          },
        },
      },
    })
    await create(client, clusterApiKinds.KubeadmControlPlane, namespace, name, {
      spec: {
        replicas: 1,
        version: VERSION,
        machineTemplate: {
          spec: { infrastructureRef: refTo(clusterApiKinds.DevMachineTemplate, `${name}-control-plane`) },
        },
        kubeadmConfigSpec: { format: 'cloud-config' },
      },
    })
    await create(client, clusterApiKinds.Cluster, namespace, name, {
      spec: {
        clusterNetwork: { services: { cidrBlocks: ['10.128.0.0/12'] }, pods: { cidrBlocks: ['192.168.0.0/16'] } },
        infrastructureRef: refTo(clusterApiKinds.DevCluster, name),
        controlPlaneRef: refTo(clusterApiKinds.KubeadmControlPlane, name),
      },
    })
  }

  /** Adds a MachineDeployment with its templates. */
  async addWorkers(options: WorkersOptions): Promise<void> {
    const { namespace } = this
    const client = this.#client
    const { name, replicas, labels = {}, annotations = {}, machineLabels = {}, startup = '1s' } = options
    await this.#addTemplate(name, startup)
    const nodeLabels = Object.entries(options.nodeLabels ?? {}).map(([key, value]) => `${key}=${value}`)
    await create(client, clusterApiKinds.KubeadmConfigTemplate, namespace, name, {
      spec: {
        template: {
          spec: {
            joinConfiguration: {
              nodeRegistration: {
                // The CRD requires at least one field.
                criSocket: 'unix:///run/containerd/containerd.sock',
                ...(options.taints !== undefined && { taints: options.taints }),
                ...(nodeLabels.length > 0 && {
                  kubeletExtraArgs: [{ name: 'node-labels', value: nodeLabels.join(',') }],
                }),
              },
            },
          },
        },
      },
    })
    await create(
      client,
      clusterApiKinds.MachineDeployment,
      namespace,
      name,
      {
        spec: {
          clusterName: this.name,
          replicas,
          ...(options.strategy !== undefined && { rollout: { strategy: { type: options.strategy } } }),
          template: {
            metadata: { labels: machineLabels },
            spec: {
              clusterName: this.name,
              version: VERSION,
              bootstrap: { configRef: refTo(clusterApiKinds.KubeadmConfigTemplate, name) },
              infrastructureRef: refTo(clusterApiKinds.DevMachineTemplate, name),
            },
          },
        },
      },
      { labels, annotations },
    )
  }

  /**
   * Replaces the machine template of a MachineDeployment, as a user does to change its machines. This works only once for each deployment.
   * @param startup as in `WorkersOptions`
   */
  async newTemplate(name: string, startup = '1s'): Promise<void> {
    await this.#addTemplate(`${name}-2`, startup)
    await this.change(name, { spec: { template: { spec: { infrastructureRef: { name: `${name}-2` } } } } })
  }

  async #addTemplate(name: string, startup: string): Promise<void> {
    await create(this.#client, clusterApiKinds.DevMachineTemplate, this.namespace, name, {
      spec: { template: { spec: { backend: { inMemory: { vm: startsIn(startup), node: startsIn('0s') } } } } },
    })
  }

  async scale(name: string, replicas: number): Promise<void> {
    await this.change(name, { spec: { replicas } })
  }

  /** Patches a MachineDeployment, as a user would with `kubectl patch machinedeployment`. @param body a merge patch */
  async change(name: string, body: object): Promise<void> {
    const ref = { namespace: this.namespace, name }
    await this.#client.patch(clusterApiKinds.MachineDeployment, ref, { type: 'merge', body })
  }

  /** Changes the Kubernetes version in a MachineDeployment's template, so that its machines are not up-to-date. */
  async upgrade(name: string, version: string): Promise<void> {
    await this.change(name, { spec: { template: { spec: { version } } } })
  }

  /** Returns the kubeconfig of the workload cluster, or undefined if it has none yet. */
  async kubeconfig(): Promise<string | undefined> {
    const { items } = await this.#client.list(secretKind, {
      namespace: this.namespace,
      fieldSelector: `metadata.name=${this.name}-kubeconfig`,
    })
    const value = items[0]?.data?.['value']
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString()
  }
}
