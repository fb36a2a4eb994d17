import { labels } from '@kerf/apis'
import type { Clock, KubeClient } from '@kerf/runtime'
import { NODE_AGE, POOL, plantSettledNodes } from '../../../tests/benchmarks/settled-nodes.ts'
import { freeformTagKeys } from '../src/instances/tags.ts'
import { oracleNodeClassKind } from '../src/node-class/oracle-node-class.ts'
import type { FakeAccount } from '../src/testing/fake-oci/fake-account.ts'
import { IMAGE, REGION } from '../src/testing/fake-oci/names.ts'
import { CLUSTER } from '../src/testing/oci-harness.ts'
import { registeredNode } from '../src/testing/oci-node.ts'

/** The size and the boot volume that the node class requests. */
const SIZE = {
  shape: 'VM.Standard.E4.Flex',
  shapeConfig: { ocpus: 2, memoryInGBs: 16 },
  sourceDetails: { sourceType: 'image', imageId: IMAGE, bootVolumeSizeInGBs: 100 },
} as const

/** Creates nodes with their NodeClaims and instances. */
export const plantNodes = (client: KubeClient, account: FakeAccount, clock: Clock, count: number): Promise<void> =>
  plantSettledNodes({ client, clock, kind: oracleNodeClassKind }, count, ({ claimName }) => {
    const freeformTags = {
      [freeformTagKeys.cluster]: CLUSTER,
      [freeformTagKeys.nodePool]: POOL,
      [freeformTagKeys.nodeClaim]: claimName,
    }
    const instance = account.put({ ...SIZE, displayName: claimName, freeformTags }, NODE_AGE)
    const { metadata, status } = registeredNode(account, instance, 'oracle')
    const labelled = (key: string): string => metadata.labels?.[key] ?? ''
    return {
      ...{ nodeName: claimName, providerID: instance.id, imageID: IMAGE, region: REGION },
      ...{ instanceType: labelled(labels.instanceType), zone: labelled(labels.zone), resources: status },
    }
  })
