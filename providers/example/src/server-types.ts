import { capacityTypes, labels, parseResources } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'

/** The cloud's servers, with their CPUs, their memory in GiB, and their on-demand price per hour. */
const SERVERS = [
  ['s-2', 2, 8, 0.05],
  ['s-4', 4, 16, 0.1],
  ['s-8', 8, 32, 0.2],
  ['s-32', 32, 128, 0.8],
] as const
const ZONES = ['example-1a', 'example-1b'] as const
const SPOT_SHARE = 0.4

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

/** Returns all instance types, with offerings in those of `zones` that the cloud has. All offerings are available. */
export const serverTypes = (zones: readonly string[] = ZONES): readonly InstanceType[] =>
  SERVERS.map(([name, cpu, memory, price]) => {
    const sold = ZONES.filter((zone) => zones.includes(zone))
    return {
      name,
      requirements: [
        is(labels.instanceType, name),
        is(labels.arch, 'amd64'),
        is(labels.os, 'linux'),
        is(labels.region, 'example-1'),
        is(labels.zone, ...sold),
        is(labels.capacityType, capacityTypes.spot, capacityTypes.onDemand),
        { key: labels.windowsBuild, operator: 'DoesNotExist' },
      ],
      offerings: sold.flatMap((zone) =>
        [capacityTypes.spot, capacityTypes.onDemand].map((capacityType) => ({
          requirements: [is(labels.zone, zone), is(labels.capacityType, capacityType)],
          price: capacityType === capacityTypes.spot ? price * SPOT_SHARE : price,
          available: true,
        })),
      ),
      capacity: parseResources({ cpu: `${cpu}`, memory: `${memory}Gi`, pods: '110', 'ephemeral-storage': '40Gi' }),
      overhead: { kubeReserved: parseResources({ cpu: '100m', memory: '256Mi' }) },
    }
  })
