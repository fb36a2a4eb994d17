import { type CapacityType, capacityTypes, parseResources } from '@kerf/apis'
import type { InstanceTypeOverhead, Resources } from '@kerf/engine'
import { typeName } from './type-name.ts'

/** An instance type: a size of virtual machines. */
export interface GuestType {
  readonly name: string
  readonly capacity: Resources
  readonly overhead: InstanceTypeOverhead
  readonly capacityType: CapacityType
}

const CPUS = [1, 2, 4, 8, 16] as const
/** The memory of each family, in GiB per CPU. */
const FAMILIES = [
  ['c', 2],
  ['t', 3],
  ['s', 4],
  ['m', 8],
] as const
const DISK = '30Gi'

const podsOn = (cpus: number): number => (cpus <= 1 ? 32 : cpus <= 2 ? 64 : 110)
const reservedCpu = (cpus: number): string => (cpus <= 1 ? '20m' : cpus < 4 ? '50m' : '100m')

const overheadOn = (cpus: number): InstanceTypeOverhead => ({
  kubeReserved: parseResources({ cpu: reservedCpu(cpus), memory: '384Mi' }),
  systemReserved: parseResources({ cpu: '10m', memory: '64Mi' }),
  evictionThreshold: parseResources({ memory: '100Mi' }),
})

/** The types that Karpenter's provider generates if no file defines types (`providers/proxmox/docs/spec/proxmox.md#instance-types`). */
export const generatedTypes: readonly GuestType[] = CPUS.flatMap((cpus) =>
  FAMILIES.map(([family, gibibytes]) => ({
    name: typeName(family, cpus, cpus * gibibytes),
    capacity: parseResources({
      ...{ cpu: `${cpus}`, memory: `${cpus * gibibytes}Gi`, pods: `${podsOn(cpus)}` },
      'ephemeral-storage': DISK,
    }),
    overhead: overheadOn(cpus),
    capacityType: capacityTypes.onDemand,
  })),
)
