import type { Node } from '@kerf/apis'
import type { Ec2Api } from '@kerf/provider-aws'
import { nodeConfigIn } from '@kerf/provider-aws/testing'
import type { KubeClient } from '@kerf/runtime'
import { NodeReports } from '../../../tests/integration/kubelets/node-reports.ts'
import type { AwsProxy } from './aws-proxy.ts'

const GIB = 1024 ** 3
const SIZES: Readonly<Record<string, readonly [cpu: number, gibibytes: number]>> = {
  'm5.large': [2, 8],
  'm5.xlarge': [4, 16],
  'm5.2xlarge': [8, 32],
  'c5.large': [2, 4],
  'c5.xlarge': [4, 8],
  'c5.2xlarge': [8, 16],
  'r5.large': [2, 16],
}
/** The instance types that the harness supports. */
export const harnessTypes = Object.keys(SIZES)

/**
 * Simulates the machines of EC2 and their kubelets: every running instance of the emulator becomes a Node, as its user data defines it.
 * Pods that are bound to such a Node run, and end when they are deleted.
 */
export class NodeHarness {
  readonly #ec2: Ec2Api
  readonly #proxy: AwsProxy
  readonly #stop = new AbortController()
  readonly #nodes: NodeReports
  readonly #booted = new Set<string>()
  #running: Promise<void> = Promise.resolve()

  constructor(deps: { readonly client: KubeClient; readonly ec2: Ec2Api; readonly proxy: AwsProxy }) {
    this.#nodes = new NodeReports(deps.client)
    this.#ec2 = deps.ec2
    this.#proxy = deps.proxy
  }

  start(every = 300): void {
    this.#running = this.#loop(every)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Returns the instances of the emulator that are not terminated. */
  async instances() {
    const all = await this.#ec2.describeInstances({ filters: [] }, this.#stop.signal)
    return all.filter(({ State }) => State?.Name !== 'terminated' && State?.Name !== 'shutting-down')
  }

  async #loop(every: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#boot()
        await this.#nodes.send((node) => this.#living.has(node))
        await this.#nodes.runPods((node) => this.#living.has(node))
      } catch (error) {
        if (!this.#stop.signal.aborted) process.stderr.write(`node harness: ${String(error)}\n`)
      }
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  async #boot(): Promise<void> {
    const living = new Set<string>()
    for (const instance of await this.instances()) {
      const { InstanceId: id = '', InstanceType: type = '', PrivateDnsName: name = '', Placement: place } = instance
      living.add(name)
      const template = this.#proxy.templates.get(this.#proxy.launchedFrom.get(id) ?? '')
      const size = SIZES[type]
      if (template === undefined || size === undefined || this.#booted.has(id)) continue
      const { labels, taints, maxPods } = nodeConfigIn(template.userData)
      const zone = place?.AvailabilityZone ?? ''
      const node: Node = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: {
          name,
          labels: {
            ...labels,
            'kubernetes.io/hostname': name,
            'kubernetes.io/os': 'linux',
            'kubernetes.io/arch': 'amd64',
            'node.kubernetes.io/instance-type': type,
            'topology.kubernetes.io/zone': zone,
            'topology.kubernetes.io/region': 'us-east-1',
          },
        },
        spec: { providerID: `aws:///${zone}/${id}`, taints },
      }
      const [cpu, gibibytes] = size
      const amounts = {
        cpu: `${cpu * 1000 - 80}m`,
        memory: String(Math.floor(gibibytes * GIB * 0.93)),
        'ephemeral-storage': '20Gi',
        pods: String(maxPods),
      }
      if (await this.#nodes.register(node, amounts)) this.#booted.add(id)
    }
    this.#living = living
  }

  #living: ReadonlySet<string> = new Set()
}
