import { capacityTypes, karpenterKinds } from '@kerf/apis'
import { coordinatesOf } from '@kerf/provider-contract'
import { type Controller, retryAfter, source } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'

const EVERY = 60_000
const MIB = 1024 * 1024

/** What can be bought and what it costs, as metrics (`docs/spec/aws-controllers.md#aws-metrics`). */
export const offeringMetrics = ({ context, types, regionTypes, options }: AwsParts): Controller => {
  const { metrics } = options
  const each = ['instance_type', 'capacity_type', 'zone']
  const available = metrics.gauge({
    name: 'karpenter_cloudprovider_instance_type_offering_available',
    help: 'Whether any node pool can buy the offering now.',
    labels: each,
  })
  const price = metrics.gauge({
    name: 'karpenter_cloudprovider_instance_type_offering_price_estimate',
    help: 'What the offering costs an hour, as far as known.',
    labels: each,
  })
  const cores = metrics.gauge({
    name: 'karpenter_cloudprovider_instance_type_cpu_cores',
    help: 'vCPUs of the instance type.',
    labels: ['instance_type'],
  })
  const memory = metrics.gauge({
    name: 'karpenter_cloudprovider_instance_type_memory_bytes',
    help: 'Memory of the instance type.',
    labels: ['instance_type'],
  })
  const pools = context.informers.of(karpenterKinds.NodePool)
  const classes = context.informers.of(karpenterKinds.EC2NodeClass)

  return {
    name: 'cloudprovider.metrics',
    sources: [source(pools, () => []), source(classes, () => [])],
    concurrency: 1,
    singleton: true,
    reconcile: async (_key, signal) => {
      const open = new Map<string, { readonly labels: Record<string, string>; isOpen: boolean; price: number }>()
      const names = new Set([...pools.values()].map(({ spec }) => spec.template.spec.nodeClassRef.name))
      for (const nodeClass of [...classes.values()].filter(({ metadata }) => names.has(metadata.name))) {
        try {
          for (const type of await types.resolve(nodeClass, signal)) {
            for (const offering of type.offerings) {
              const { capacityType, instanceType, zone } = coordinatesOf(type, offering)
              const key = `${instanceType}/${capacityType}/${zone}`
              const known = open.get(key)
              const labels = { instance_type: instanceType, capacity_type: capacityType, zone }
              open.set(key, { labels, isOpen: offering.available || known?.isOpen === true, price: offering.price })
            }
          }
        } catch (error) {
          signal.throwIfAborted()
          context.log.debug('offerings of a node class cannot be measured yet', {
            EC2NodeClass: { name: nodeClass.metadata.name },
            error: error instanceof Error ? error.message : String(error),
          })
        }
      }
      available.reset()
      price.reset()
      for (const { labels, isOpen, price: amount } of open.values()) {
        available.set(isOpen ? 1 : 0, labels)
        if (amount > 0) price.set(amount, labels)
        const reserved = { ...labels, capacity_type: capacityTypes.reserved }
        if (
          options.reservedCapacity &&
          !open.has(`${labels['instance_type']}/${capacityTypes.reserved}/${labels['zone']}`)
        ) {
          available.set(0, reserved)
          price.set(0, reserved)
        }
      }
      for (const type of regionTypes.types) {
        const name = { instance_type: type.InstanceType ?? '' }
        cores.set(type.VCpuInfo?.DefaultVCpus ?? 0, name)
        memory.set((type.MemoryInfo?.SizeInMiB ?? 0) * MIB, name)
      }
      return retryAfter(EVERY)
    },
  }
}
