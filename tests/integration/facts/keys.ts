/** The labels that the facts use. `size`, `special`, `integer` and the reservation ID are labels of the example provider. */
export const key = {
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  host: 'kubernetes.io/hostname',
  instanceType: 'node.kubernetes.io/instance-type',
  arch: 'kubernetes.io/arch',
  os: 'kubernetes.io/os',
  windowsBuild: 'node.kubernetes.io/windows-build',
  capacityType: 'karpenter.sh/capacity-type',
  pool: 'karpenter.sh/nodepool',
  registered: 'karpenter.sh/registered',
  initialized: 'karpenter.sh/initialized',
  reservation: 'example.com/reservation-id',
  size: 'size',
  special: 'special',
  integer: 'integer',
} as const

/** The labels that the example provider declares as well-known. */
export const providerLabels: readonly string[] = [key.reservation, key.size, key.special, key.integer]
