import type { Node, Pod, ResourceList, Taint } from '@kerf/apis'
import type { CloudInstance } from '../cloud/cloud-instance.ts'
import type { SimulatedCloud } from '../cloud/simulated-cloud.ts'

/** A node group that Cluster Autoscaler scales. */
export interface ScaledGroup {
  readonly name: string
  min: number
  readonly max: number
  readonly template: GroupTemplate
  /** The target number of instances. */
  readonly size: number
  /** Launches `count` more instances. */
  grow(count: number): Promise<void>
  /** Terminates the instance of a node, which also removes the node. */
  shrink(node: string): Promise<void>
  isOwn(node: Node): boolean
}

/** A template of the group's nodes. */
export interface GroupTemplate {
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly capacity: ResourceList
  readonly allocatable: ResourceList
  /**
   * Pods that the provider expects on every new node. For example, the KWOK and AWS providers expect a kube-proxy pod with a
   * request of 0.1 CPU.
   */
  readonly pods?: readonly Pod[]
}

export interface CloudGroupOptions {
  readonly name: string
  readonly min: number
  readonly max: number
  /** The instance type of the group's instances. The group distributes them over its zones in order, beginning with the first zone. */
  readonly instanceType: string
  readonly capacityType: string
  readonly zones: readonly string[]
  readonly template: GroupTemplate
}

/** The tag that marks an instance of a node group in the simulated cloud. */
const GROUP_TAG = 'node-group'
const ZONE = 'topology.kubernetes.io/zone'

/** The group's instances, and the version of the simulated cloud at which they were read. */
interface Own {
  readonly version: number
  readonly instances: readonly CloudInstance[]
  readonly nodes: ReadonlySet<string>
}

/** A node group whose instances run in the simulated cloud. */
export class CloudGroup implements ScaledGroup {
  readonly name: string
  min: number
  readonly max: number
  readonly template: GroupTemplate
  readonly #options: CloudGroupOptions
  readonly #cloud: SimulatedCloud
  #launched = 0
  #seen: Own = { version: -1, instances: [], nodes: new Set() }

  constructor(cloud: SimulatedCloud, options: CloudGroupOptions) {
    this.name = options.name
    this.min = options.min
    this.max = options.max
    this.template = options.template
    this.#options = options
    this.#cloud = cloud
  }

  get size(): number {
    return this.#own().instances.filter(({ state }) => state !== 'terminating').length
  }

  async grow(count: number): Promise<void> {
    const { name, instanceType, capacityType, zones, template } = this.#options
    for (let done = 0; done < count; done++) {
      const number = ++this.#launched
      const zone = zones[number % zones.length] ?? ''
      await this.#cloud.run({
        token: `${name}-${number}`,
        offerings: [{ instanceType, zone, capacityType }],
        tags: { [GROUP_TAG]: name },
        node: (taken) => ({
          name: `${name}-${number}`,
          labels: { ...template.labels, 'kubernetes.io/hostname': `${name}-${number}`, [ZONE]: taken.zone },
          taints: template.taints,
          capacity: template.capacity,
          allocatable: template.allocatable,
        }),
      })
    }
  }

  async shrink(node: string): Promise<void> {
    const instance = this.#own().instances.find((each) => each.node.name === node)
    if (instance !== undefined) await this.#cloud.terminate(instance.id)
  }

  isOwn({ metadata }: Node): boolean {
    return this.#own().nodes.has(metadata.name)
  }

  /** Returns the group's instances. Reads them again only if the cloud has changed, because each loop calls this method once per node. */
  #own(): Own {
    const { version } = this.#cloud
    if (this.#seen.version !== version) {
      const instances = this.#cloud.instances().filter(({ tags }) => tags[GROUP_TAG] === this.name)
      this.#seen = { version, instances, nodes: new Set(instances.map(({ node }) => node.name)) }
    }
    return this.#seen
  }
}
