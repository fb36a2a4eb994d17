import type { OciApi } from '../api/oci-api.ts'

/** Kerf's capabilities in a tenancy. If policies are missing, only the capabilities that need them fail. */
export const ociCapabilityTexts = {
  launch: 'launch instances with their volumes and network interfaces, find them, and terminate them',
  discovery: 'find availability domains, shapes and images',
  network: 'find subnets and network security groups, and use them',
  reservations: 'use capacity reservations and compute clusters that node classes name',
  tags: 'mark instances with the defined tags of a namespace',
} as const
export type OciCapability = keyof typeof ociCapabilityTexts

/** The verbs of Oracle's policies. Each verb includes all verbs before it. */
export const policyVerbs = ['inspect', 'read', 'use', 'manage'] as const
type Verb = (typeof policyVerbs)[number]

/** A permission in a policy: a verb on a kind of resource. */
export interface NeededPolicy {
  readonly capability: OciCapability
  readonly verb: Verb
  readonly resource: string
}

const policy = (capability: OciCapability, verb: Verb, resource: string): NeededPolicy => ({
  capability,
  verb,
  resource,
})

const readImages = policy('discovery', 'read', 'instance-images')
const readVolumes = policy('launch', 'manage', 'volume-family')
const instances = policy('launch', 'manage', 'instance-family')
const network = policy('network', 'use', 'virtual-network-family')
const reservations = policy('reservations', 'use', 'compute-capacity-reservations')
const clusters = policy('reservations', 'use', 'compute-clusters')

/** The policies that each call to Oracle Cloud needs (Oracle's policy reference). A call without an entry is a type error. */
const callPolicies: Readonly<Record<keyof OciApi, readonly NeededPolicy[]>> = {
  // Any user who can inspect a compartment may list its availability domains and shapes.
  availabilityDomains: [policy('discovery', 'inspect', 'compartments')],
  shapes: [policy('discovery', 'inspect', 'compartments')],
  launch: [instances, readVolumes, network, policy('tags', 'use', 'tag-namespaces')],
  instance: [instances],
  instances: [instances],
  terminate: [instances, readVolumes],
  replaceFreeformTags: [instances],
  workRequest: [instances],
  workRequestErrors: [instances],
  vnicAttachments: [instances],
  vnic: [network],
  bootVolumeAttachments: [instances],
  bootVolume: [readVolumes],
  image: [readImages],
  images: [readImages],
  shapesOfImage: [readImages],
  subnet: [network],
  subnets: [network],
  subnetUtilization: [network],
  networkSecurityGroup: [network],
  networkSecurityGroups: [network],
  capacityReservation: [reservations],
  capacityReservations: [reservations],
  computeCluster: [clusters],
  computeClusters: [clusters],
}

/** Returns each kind of resource once, with the strongest verb that any call needs. */
export const neededPolicies = (): readonly NeededPolicy[] => {
  const strongest = new Map<string, NeededPolicy>()
  for (const needed of Object.values(callPolicies).flat()) {
    const known = strongest.get(needed.resource)
    if (known === undefined || policyVerbs.indexOf(needed.verb) > policyVerbs.indexOf(known.verb))
      strongest.set(needed.resource, needed)
  }
  return [...strongest.values()].toSorted((a, b) => (a.resource < b.resource ? -1 : 1))
}
