import { formatResources, labels, type Node, taints } from '@kerf/apis'
import { offeringAllocatable } from '@kerf/provider-contract'
import { node } from '@kerf/testing'
import { flavorFacts } from '../instance-types/flavor-facts.ts'
import { instanceTypes } from '../instance-types/instance-types.ts'
import { providerId } from '../names.ts'
import type { BizflyCloudNodeClass } from '../node-class/bizfly-node-class.ts'
import { bizflyNodeClassDescriptor } from '../node-class/node-class-descriptor.ts'
import type { FakeAccount, FakeServer } from './fake-bizfly/fake-account.ts'
import { REGION } from './fake-bizfly/names.ts'

/**
 * Returns the Node that a server registers, with the capacity that the provider expects. It has not been compared with a real Node. The
 * labels and the provider ID are those that Bizfly's own provider expects. The taint comes from the example NodePool of that provider.
 */
export const registeredNode = (account: FakeAccount, { id, name, flavor, zone }: FakeServer): Node => {
  const { example } = bizflyNodeClassDescriptor
  const nodeClass: BizflyCloudNodeClass = {
    ...example,
    spec: { template: '', ...example.spec, nodeCategories: ['basic', 'premium', 'enterprise', 'dedicated'] },
  }
  const facts = account.flavors.flatMap((each) => flavorFacts(each) ?? [])
  const [type] = instanceTypes(
    facts.filter((each) => each.name === flavor),
    nodeClass,
    { region: REGION, capacityType: 'on-demand' },
  )
  const amounts =
    type === undefined
      ? {}
      : { capacity: formatResources(type.capacity), allocatable: formatResources(offeringAllocatable(type)) }
  return node(name, {
    labels: {
      [labels.hostname]: name,
      [labels.os]: 'linux',
      [labels.arch]: 'amd64',
      [labels.instanceType]: flavor,
      [labels.region]: REGION,
      [labels.zone]: zone,
    },
    providerID: providerId(id),
    spec: { taints: [taints.unregistered] },
    status: amounts,
  })
}
