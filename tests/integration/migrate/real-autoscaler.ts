import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type KubeObject, kinds, type Node } from '@kerf/apis'
import { type Clock, type KubeClient, sleep } from '@kerf/runtime'
import { stringify } from 'yaml'

/** The label with the name of a node's group. The tests configure Cluster Autoscaler's KWOK provider to use it. */
export const GROUP_LABEL = 'kwok-nodegroup'

/** A node group of Cluster Autoscaler's KWOK provider. */
export interface KwokGroup {
  readonly min: number
  readonly max: number
  readonly desired: number
  /** The template of its nodes. */
  readonly template: Node
}

const NAMESPACE = 'default'
const STATUS = { name: 'cluster-autoscaler-status', namespace: 'kube-system' } as const

/** Returns the two ConfigMaps that the KWOK provider reads. */
const providerConfig = (groups: readonly KwokGroup[]): readonly KubeObject[] => {
  const templates = groups.map(({ min, max, desired, template }) => {
    const sizes = { 'min-count': min, 'max-count': max, 'desired-count': desired }
    return {
      ...template,
      metadata: {
        ...template.metadata,
        annotations: {
          ...template.metadata.annotations,
          ...Object.fromEntries(
            Object.entries(sizes).map(([key, value]) => [`cluster-autoscaler.kwok.nodegroup/${key}`, String(value)]),
          ),
        },
      },
      status: { ...template.status, conditions: [] },
    }
  })
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kwok-provider-config', namespace: NAMESPACE },
      ...{
        data: {
          config: stringify({
            apiVersion: 'v1alpha1',
            readNodesFrom: 'configmap',
            nodegroups: { fromNodeLabelKey: GROUP_LABEL },
            nodes: { skipTaint: true },
            configmap: { name: 'kwok-provider-templates' },
          }),
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kwok-provider-templates', namespace: NAMESPACE },
      ...{ data: { templates: stringify({ apiVersion: 'v1', kind: 'List', items: templates }) } },
    },
  ]
}

export interface AutoscalerStart {
  /** The path of the binary, built from kubernetes/autoscaler with the build tag `kwok`. */
  readonly binary: string
  readonly kubeconfig: string
  /** The address of the API server. The KWOK provider needs it, because it expects to run in a pod. */
  readonly server: string
  readonly flags: Readonly<Record<string, string>>
  readonly client: KubeClient
  readonly clock: Clock
}

/** Writes the ConfigMaps that define the node groups. Must be called before Cluster Autoscaler starts. */
export const writeGroups = async (client: KubeClient, groups: readonly KwokGroup[]): Promise<void> => {
  for (const object of providerConfig(groups))
    await client.patch(
      kinds.ConfigMap,
      { name: object.metadata.name, namespace: NAMESPACE },
      { type: 'apply', body: object, force: true },
      { fieldManager: 'test' },
    )
}

/** The real Cluster Autoscaler, running as a process. */
export class RealAutoscaler {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #log = ''

  private constructor({ binary, kubeconfig, server, flags }: AutoscalerStart) {
    const { protocol, hostname, port } = new URL(server)
    this.#child = spawn(
      binary,
      [
        '--cloud-provider=kwok',
        `--kubeconfig=${kubeconfig}`,
        '--leader-elect=false',
        '--namespace=kube-system',
        '--address=127.0.0.1:0',
        '--v=1',
        '--kube-client-qps=100',
        '--kube-client-burst=200',
        ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
      ],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          KUBECONFIG: kubeconfig,
          POD_NAMESPACE: NAMESPACE,
          KWOK_PROVIDER_MODE: 'local',
          KUBERNETES_SERVICE_HOST: `${protocol}//${hostname}`,
          KUBERNETES_SERVICE_PORT: port,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    this.#ended = once(this.#child, 'close')
    this.#child.stderr?.on('data', (text) => {
      this.#log = `${this.#log}${String(text)}`.slice(-20_000)
    })
  }

  /** Starts the process. Resolves when its first loop has written its status. */
  static async start(options: AutoscalerStart): Promise<RealAutoscaler> {
    const { client, clock } = options
    const started = new RealAutoscaler(options)
    for (let tries = 0; ; tries++) {
      const status = await client.get(kinds.ConfigMap, STATUS).catch(() => undefined)
      if (status !== undefined && !(status.data?.['status'] ?? '').includes('Initializing')) return started
      if (tries > 150 || started.#child.exitCode !== null) {
        await started.kill()
        throw new Error(`Cluster Autoscaler does not start:\n${started.#log.slice(-3_000)}`)
      }
      await sleep(clock, 200)
    }
  }

  get log(): string {
    return this.#log
  }

  /** Kills the process, so that it cannot clean up. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops the process gracefully. It cleans up, which includes deleting its status. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal)
    await this.#ended
  }
}
