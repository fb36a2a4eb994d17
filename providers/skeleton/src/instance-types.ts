import { capacityTypes, labels, parseResources } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'

/** The cloud's instance types: CPUs, memory in GiB, and dollars per hour. */
const TYPES = [
  ['small', 2, 8, 0.1],
  ['medium', 8, 32, 0.4],
  ['large', 32, 128, 1.6],
] as const
const ZONES = ['zone-a', 'zone-b'] as const

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

/** Returns all types in all zones. Every well-known label has a requirement. */
export const instanceTypes = (): readonly InstanceType[] =>
  TYPES.map(([name, cpu, memory, price]) => ({
    name,
    requirements: [
      is(labels.instanceType, name),
      is(labels.arch, 'amd64'),
      is(labels.os, 'linux'),
      is(labels.region, 'region-1'),
      is(labels.zone, ...ZONES),
      is(labels.capacityType, capacityTypes.onDemand),
      { key: labels.windowsBuild, operator: 'DoesNotExist' },
    ],
    offerings: ZONES.map((zone) => ({
      requirements: [is(labels.zone, zone), is(labels.capacityType, capacityTypes.onDemand)],
      price,
      available: true,
    })),
    capacity: parseResources({ cpu: `${cpu}`, memory: `${memory}Gi`, pods: '110', 'ephemeral-storage': '40Gi' }),
    overhead: { kubeReserved: parseResources({ cpu: '100m', memory: '256Mi' }) },
  }))
