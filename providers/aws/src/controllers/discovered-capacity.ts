import { kinds, labels, type Node, tryParseQuantity } from '@kerf/apis'
import { type Controller, done, source } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'
import { imageFor, nodeClassImages } from '../discovery/images.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { ec2NodeClassKind } from '../node-class/ec2-node-class.ts'

const isRegistered = ({ metadata }: Node): boolean => metadata.labels?.[labels.registered] === 'true'

/**
 * Records in `discoveredMemory` (`instance-type/discovered-memory.ts`) the memory of a newly registered node
 * (`providers/aws/docs/spec/aws-controllers.md#discovered-capacity`). The controller keeps upstream's name, but records only memory.
 */
export const discoveredCapacity = ({ context, claims: index, discoveredMemory, types }: AwsDeps): Controller => {
  const { informers } = context
  const classes = informers.of(ec2NodeClassKind)
  return {
    name: 'providers.instancetype.capacity',
    sources: [
      source(informers.of(kinds.Node), ({ before, after }) =>
        after !== undefined && isRegistered(after) && (before === undefined || !isRegistered(before))
          ? [after.metadata.name]
          : [],
      ),
      source(index.claims, () => []),
      source(classes, () => []),
    ],
    concurrency: 1,
    reconcile: async (name, signal) => {
      const node = index.nodes.get(name)
      const id = parseProviderId(node?.spec.providerID)
      const [claim] = id === undefined ? [] : index.claimsOf(id.instanceId)
      const nodeClass = claim === undefined ? undefined : classes.get(claim.spec.nodeClassRef.name)
      const typeName = node?.metadata.labels?.[labels.instanceType]
      const amount = tryParseQuantity(node?.status?.capacity?.['memory'] ?? '')
      if (claim === undefined || nodeClass === undefined || typeName === undefined || amount === undefined)
        return done()
      const type = (await types.resolve(nodeClass, signal)).find((each) => each.name === typeName)
      const image = type === undefined ? undefined : imageFor(type, nodeClassImages(nodeClass))
      // A node with an older image is ignored, because it does not predict the memory of the next node.
      if (image !== undefined && image.id === claim.status?.imageID)
        discoveredMemory.observe(nodeClass, typeName, amount)
      return done()
    },
  }
}
