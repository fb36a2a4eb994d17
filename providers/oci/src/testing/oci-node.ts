import { labels, type Node, taints } from '@kerf/apis'
import { node } from '@kerf/testing'
import { zoneOfDomain } from '../availability-domain.ts'
import { architecture, vcpusPerOcpu } from '../instance-types/shape-facts.ts'
import { typeName } from '../instance-types/sized-shape.ts'
import type { Upstream } from '../names.ts'
import type { FakeAccount, FakeInstance } from './fake-oci/fake-account.ts'
import { REGION } from './fake-oci/names.ts'

const PODS = 110
/** The fraction of the memory that pods can use. For large sizes, the provider assumes a higher fraction. */
const MEMORY_SHARE = 0.9
const MIB_PER_GIB = 1_024

/**
 * Returns the Node that an instance registers, with the labels of Oracle's cloud controller. The instance type label is the shape's name.
 * For an OCINodeClass, it is the size's name.
 */
export const registeredNode = (account: FakeAccount, { id, details }: FakeInstance, upstream: Upstream): Node => {
  const { shape, shapeConfig, displayName, availabilityDomain } = details
  const facts = account.shapes.find((each) => each.shape === shape)
  const ocpus = shapeConfig?.ocpus ?? facts?.ocpus ?? 0
  const memoryInGBs = shapeConfig?.memoryInGBs ?? facts?.memoryInGBs ?? 0
  const baseline = shapeConfig === undefined ? undefined : ('BASELINE_1_1' as const)
  const made = node(displayName, {
    labels: {
      [labels.hostname]: displayName,
      [labels.os]: 'linux',
      [labels.arch]: architecture(shape),
      [labels.instanceType]:
        upstream === 'community' ? shape : typeName(upstream, shape, { ocpus, memoryInGBs, baseline }),
      [labels.region]: REGION,
      [labels.zone]: zoneOfDomain(availabilityDomain),
    },
    providerID: id,
    spec: { taints: [taints.unregistered] },
  })
  const cpu = `${ocpus * vcpusPerOcpu(shape)}`
  const common = { cpu, pods: `${PODS}`, 'ephemeral-storage': '100Gi' }
  const capacity = { ...common, memory: `${memoryInGBs}Gi` }
  const free = Math.floor(memoryInGBs * MIB_PER_GIB * MEMORY_SHARE)
  return { ...made, status: { ...made.status, capacity, allocatable: { ...common, memory: `${free}Mi` } } }
}
