import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { knownTypes } from '../tables/known-types.ts'
import type { TypeFacts } from '../type-facts.ts'

/** Instance types with special rules: shared cores, GPUs, TPUs, bundled SSDs, bare metal. */
const SPECIAL = [
  ...['e2-micro', 'e2-medium', 'f1-micro', 'g1-small', 'a3-highgpu-8g', 'g2-standard-24', 'ct5lp-hightpu-4t'],
  ...['c4-standard-288-lssd-metal', 'z3-highmem-88-standardlssd', 'c4a-standard-4'],
]

/** Returns 60 instance types: the special ones, and an evenly spaced sample of the others. */
export const typesOfVectors = (): readonly TypeFacts[] => {
  const special = SPECIAL.flatMap((name) => knownTypes.get(name) ?? [])
  const others = [...knownTypes.values()].filter(({ name }) => !SPECIAL.includes(name))
  const wanted = 60 - special.length
  return [
    ...special,
    ...others.filter(
      (_, index) => Math.floor((index * wanted) / others.length) !== Math.floor(((index - 1) * wanted) / others.length),
    ),
  ]
}

/** A node class, and the fraction of the memory that a virtual machine needs for itself. */
export interface TypeSetting {
  readonly memoryOverhead: number
  readonly spec: Partial<GCENodeClassSpec>
}

const boot = (sizeGiB: number) => ({ boot: true, category: 'pd-balanced', sizeGiB }) as const
const ssd = { category: 'local-ssd', sizeGiB: 375 } as const

/** The settings with which the tests compare Kerf's instance types with Karpenter's. */
export const typeSettings: readonly TypeSetting[] = [
  { memoryOverhead: 0.07, spec: {} },
  {
    memoryOverhead: 0.053,
    spec: {
      disks: [boot(37)],
      kubeletConfiguration: {
        maxPods: 250,
        podsPerCore: 7,
        kubeReserved: { cpu: '333m', pid: '100' },
        systemReserved: { cpu: '0.1', memory: '1e9', 'ephemeral-storage': '1Gi' },
        evictionHard: { 'memory.available': '3.33%', 'nodefs.available': '12.5%', 'pid.available': '5%' },
        evictionSoft: { 'memory.available': '50%' },
        evictionSoftGracePeriod: { 'memory.available': '1m' },
      },
    },
  },
  {
    memoryOverhead: 0,
    spec: {
      disks: [boot(1000), ssd, ssd],
      kubeletConfiguration: {
        maxPods: 0,
        kubeReserved: { memory: '512Mi', 'ephemeral-storage': '5G' },
        evictionHard: { 'memory.available': '750M' },
      },
    },
  },
]
