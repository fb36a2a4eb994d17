import { capacityTypes, karpenterKinds } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import { type Controller, defineMetrics, type Outcome, retryAfter, source, textOfThrown } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'
import { ec2NodeClassKind } from '../node-class/ec2-node-class.ts'

const EVERY = 60_000
const MIB = 1024 * 1024

const instanceTypeKey = (instanceType: string, capacityType: string, zone: string): string =>
  `${instanceType}/${capacityType}/${zone}`

const offering = ['instance_type', 'capacity_type', 'zone'] as const

export const offeringMetrics = defineMetrics({
  available: {
    name: 'karpenter_cloudprovider_instance_type_offering_available',
    type: 'gauge',
    help: 'Whether any NodePool can launch the offering now.',
    labels: offering,
  },
  price: {
    name: 'karpenter_cloudprovider_instance_type_offering_price_estimate',
    type: 'gauge',
    help: 'Hourly price of the offering, if known.',
    labels: offering,
  },
  cores: {
    name: 'karpenter_cloudprovider_instance_type_cpu_cores',
    type: 'gauge',
    help: 'vCPUs of the instance type.',
    labels: ['instance_type'],
  },
  memory: {
    name: 'karpenter_cloudprovider_instance_type_memory_bytes',
    type: 'gauge',
    help: 'Memory of the instance type.',
    labels: ['instance_type'],
  },
})

/** An offering of one or more node classes. */
interface OpenOffering {
  readonly labels: Readonly<Record<'instance_type' | 'capacity_type' | 'zone', string>>
  readonly isOpen: boolean
  readonly price: number | undefined
}

/** Reports metrics about which offerings can be launched and what they cost (`providers/aws/docs/spec/aws-controllers.md#aws-metrics`). */
export class OfferingMetrics {
  readonly #deps: AwsDeps
  readonly #available
  readonly #price
  readonly #cores
  readonly #memory
  readonly #pools
  readonly #classes

  constructor(deps: AwsDeps) {
    const { metrics } = deps.options
    this.#deps = deps
    const registered = offeringMetrics.register(metrics)
    this.#available = registered.available
    this.#price = registered.price
    this.#cores = registered.cores
    this.#memory = registered.memory
    this.#pools = deps.context.informers.of(karpenterKinds.NodePool)
    this.#classes = deps.context.informers.of(ec2NodeClassKind)
  }

  controller(): Controller {
    return {
      name: 'cloudprovider.metrics',
      sources: [source(this.#pools, () => []), source(this.#classes, () => [])],
      concurrency: 1,
      singleton: true,
      reconcile: async (_key, signal): Promise<Outcome> => {
        this.#showOfferings(await this.#offerings(signal))
        this.#showTypes()
        return retryAfter(EVERY)
      },
    }
  }

  /** Returns the offerings of all node classes that a NodePool uses, by instance type, capacity type and zone. */
  async #offerings(signal: AbortSignal): Promise<ReadonlyMap<string, OpenOffering>> {
    const { context, types } = this.#deps
    const open = new Map<string, OpenOffering>()
    const names = new Set([...this.#pools.values()].map(({ spec }) => spec.template.spec.nodeClassRef.name))
    for (const nodeClass of [...this.#classes.values()].filter(({ metadata }) => names.has(metadata.name))) {
      try {
        for (const type of await types.resolve(nodeClass, signal)) {
          for (const offering of type.offerings) {
            const { capacityType, instanceType, zone } = offeringCoordinates(type, offering)
            const key = instanceTypeKey(instanceType, capacityType, zone)
            const known = open.get(key)
            const labels = { instance_type: instanceType, capacity_type: capacityType, zone }
            open.set(key, { labels, isOpen: offering.available || known?.isOpen === true, price: offering.price })
          }
        }
      } catch (error) {
        signal.throwIfAborted()
        context.log.debug('offerings of a node class cannot be measured yet', {
          EC2NodeClass: { name: nodeClass.metadata.name },
          error: textOfThrown(error),
        })
      }
    }
    return open
  }

  #showOfferings(open: ReadonlyMap<string, OpenOffering>): void {
    this.#available.reset()
    this.#price.reset()
    for (const { labels, isOpen, price } of open.values()) {
      this.#available.set(isOpen ? 1 : 0, labels)
      if (price !== undefined && price > 0) this.#price.set(price, labels)
      const reserved = { ...labels, capacity_type: capacityTypes.reserved }
      if (
        this.#deps.options.reservedCapacity &&
        !open.has(instanceTypeKey(labels.instance_type, capacityTypes.reserved, labels.zone))
      ) {
        this.#available.set(0, reserved)
        this.#price.set(0, reserved)
      }
    }
  }

  #showTypes(): void {
    for (const type of this.#deps.regionTypes.types) {
      const name = { instance_type: type.InstanceType ?? '' }
      this.#cores.set(type.VCpuInfo?.DefaultVCpus ?? 0, name)
      this.#memory.set((type.MemoryInfo?.SizeInMiB ?? 0) * MIB, name)
    }
  }
}
