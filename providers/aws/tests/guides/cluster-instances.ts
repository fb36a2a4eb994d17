import { kinds, matchesLabelSelector, type Node, type Pod } from '@kerf/apis'
import type { ControlPlane } from '@kerf/control-plane'
import type { KubeClient } from '@kerf/runtime'
import { ControllerPod, type PodWithVariables } from '../../../../tests/integration/guides/controller-pod.ts'
import { ignoreGone, runningPod } from '../../../../tests/integration/kubelets/kubelet-status.ts'
import { NodeReports } from '../../../../tests/integration/kubelets/node-reports.ts'
import type { EksAccount } from './eks-account.ts'

const EVERY_MS = 300
const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const

/** The capacity of every machine in this file, regardless of its instance type. */
const AMOUNTS = { cpu: '2', memory: '7Gi', pods: '29', 'ephemeral-storage': '20Gi' }

/**
 * The machines that EKS runs: those of managed node groups, and one for each pod on Fargate. Their kubelets only mark pods as running. Only
 * the controller's pods are real processes.
 */
export class ClusterInstances {
  readonly controllers = new Map<string, ControllerPod>()
  readonly #client: KubeClient
  readonly #plane: ControlPlane
  readonly #eks: EksAccount
  readonly #podOptions: { readonly directory: string; readonly machine: Readonly<Record<string, string>> }
  readonly #stop = new AbortController()
  readonly #nodes: NodeReports
  /** The number of pods that ran on Fargate so far. */
  #taken = 0
  #running: Promise<void> = Promise.resolve()

  constructor(
    cluster: { readonly client: KubeClient; readonly plane: ControlPlane; readonly eks: EksAccount },
    podOptions: { readonly directory: string; readonly machine: Readonly<Record<string, string>> },
  ) {
    this.#client = cluster.client
    this.#nodes = new NodeReports(cluster.client)
    this.#plane = cluster.plane
    this.#eks = cluster.eks
    this.#podOptions = podOptions
  }

  start(): void {
    this.#running = this.#loop()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await Promise.all(this.controllers.values().map((controller) => controller.stop()))
  }

  async #loop(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#bootGroups()
        await this.#bootFargate()
        await this.#nodes.send()
        await this.#runPods()
      } catch (error) {
        if (!this.#stop.signal.aborted) process.stderr.write(`machines of the cluster: ${String(error)}\n`)
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  }

  async #boot(name: string, labels: Readonly<Record<string, string>>, spec: NonNullable<Node['spec']>): Promise<void> {
    if (this.#nodes.has(name)) return
    const node: Node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: {
          'kubernetes.io/hostname': name,
          'kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
          ...labels,
        },
      },
      spec,
    }
    await this.#nodes.register(node, AMOUNTS)
  }

  async #bootGroups(): Promise<void> {
    for (const group of await this.#eks.nodeGroups()) {
      for (let index = 0; index < group.size; index++) {
        const zone = ZONES[index % ZONES.length] ?? ZONES[0]
        const labels = {
          'eks.amazonaws.com/nodegroup': group.name,
          'node.kubernetes.io/instance-type': group.instanceType,
          'topology.kubernetes.io/zone': zone,
          ...group.labels,
        }
        await this.#boot(`${group.name}-${index}.ec2.internal`, labels, {
          providerID: `aws:///${zone}/i-${group.name}${index}`,
          taints: group.taints,
        })
      }
    }
  }

  async #bootFargate(): Promise<void> {
    const selectors = await this.#eks.fargateSelectors()
    if (selectors.length === 0) return
    const { items } = await this.#client.list(kinds.Pod)
    const taken = items.filter(
      ({ metadata, spec }) =>
        spec.nodeName === undefined &&
        selectors.some(
          ({ namespace, labels }) =>
            namespace === metadata.namespace && matchesLabelSelector({ matchLabels: labels }, metadata.labels),
        ),
    )
    for (const { metadata } of taken) {
      const name = `fargate-${metadata.name}`
      const zone = ZONES[this.#taken++ % ZONES.length] ?? ZONES[0]
      const labels = { 'eks.amazonaws.com/compute-type': 'fargate', 'topology.kubernetes.io/zone': zone }
      await this.#boot(name, labels, {
        taints: [{ key: 'eks.amazonaws.com/compute-type', value: 'fargate', effect: 'NoSchedule' }],
      })
      await this.#bind(metadata, name)
    }
  }

  /** Binds the pod without kube-scheduler, as Fargate's own scheduler does. */
  async #bind({ namespace = '', name = '' }: Pod['metadata'], node: string): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: node } }
    await this.#plane.kubectl(
      ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, '-f', '-'],
      JSON.stringify(body),
    )
  }

  async #runPods(): Promise<void> {
    const { items } = await this.#client.list(kinds.Pod)
    for (const pod of items) {
      if (!this.#nodes.has(pod.spec.nodeName ?? '')) continue
      if (pod.metadata.deletionTimestamp !== undefined) await this.#end(pod)
      else await this.#run(pod as PodWithVariables)
    }
  }

  async #end({ metadata: { uid = '', name = '', namespace = '' } }: Pod): Promise<void> {
    await this.controllers.get(uid)?.stop()
    await this.#client.delete(kinds.Pod, { name, namespace }, { gracePeriodSeconds: 0 }).catch(ignoreGone)
  }

  async #run(pod: PodWithVariables): Promise<void> {
    const { uid = '', name = '', namespace = '', labels } = pod.metadata
    const isReady = pod.status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
    if (labels?.['app.kubernetes.io/name'] === 'karpenter' && isKerf(pod)) {
      const controller = this.controllers.get(uid) ?? (await ControllerPod.start(pod, this.#plane, this.#podOptions))
      this.controllers.set(uid, controller)
      if (isReady || !(await controller.isReady())) return
    }
    if (isReady) return
    await this.#client
      .patch(
        kinds.Pod,
        { name, namespace },
        { type: 'merge', body: { status: runningPod(pod, Date.now()) } },
        { subresource: 'status' },
      )
      .catch(ignoreGone)
  }
}

const isKerf = ({ spec }: Pod): boolean => spec.containers.some(({ image = '' }) => /\/kerf\/controller:/.test(image))
