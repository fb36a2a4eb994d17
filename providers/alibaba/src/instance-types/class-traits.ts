import { DEFAULT_DISK_SIZE } from '../node-class/disk-fields.ts'
import type { ECSNodeClass, ECSNodeClassSpec } from '../node-class/ecs-node-class.ts'

/** The properties of a node class that affect instance types. */
export interface ClassTraits {
  readonly maxPods?: number
  readonly podsPerCore?: number
  /** The size of the system disk as a quantity. */
  readonly ephemeralStorage: string
  readonly kubeReserved: Readonly<Record<string, string>>
  readonly systemReserved: Readonly<Record<string, string>>
  readonly evictionHard: Readonly<Record<string, string>>
}

/**
 * Returns the size of the system disk as a quantity, or undefined if the node class has none. Uses the deprecated field `size` if
 * `volumeSize` is absent.
 */
export const systemDiskSize = (spec: ECSNodeClassSpec | undefined): string | undefined => {
  const { volumeSize, size } = spec?.systemDisk ?? {}
  return volumeSize ?? (size === undefined ? undefined : `${size}Gi`)
}

/** Returns the traits of a node class (`providers/alibaba/docs/spec/alibaba.md#instance-types-and-prices`). */
export const classTraits = ({ spec }: Pick<ECSNodeClass, 'spec'>): ClassTraits => {
  const { maxPods, podsPerCore, kubeReserved, systemReserved, evictionHard } = spec?.kubeletConfiguration ?? {}
  return {
    ...(maxPods === undefined ? {} : { maxPods }),
    ...(podsPerCore === undefined ? {} : { podsPerCore }),
    ephemeralStorage: systemDiskSize(spec) ?? DEFAULT_DISK_SIZE,
    kubeReserved: kubeReserved ?? {},
    systemReserved: systemReserved ?? {},
    evictionHard: evictionHard ?? {},
  }
}
