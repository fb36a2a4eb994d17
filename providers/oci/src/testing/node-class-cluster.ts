import { findCondition, type ResourceKind } from '@kerf/apis'
import { createControllerHarness } from '@kerf/provider-kit/testing/controller-harness'
import { onTestFinished } from 'vitest'
import { ociNodeClassControllers } from '../controllers/node-class-controllers.ts'
import { communityNodeClassDescriptor } from '../node-class/community-descriptor.ts'
import {
  type CommunityNodeClass,
  type CommunityNodeClassSpec,
  communityNodeClassKind,
  communityNodeClassResource,
} from '../node-class/community-node-class.ts'
import { oracleNodeClassDescriptor } from '../node-class/oracle-descriptor.ts'
import {
  type OracleNodeClass,
  type OracleNodeClassSpec,
  oracleNodeClassKind,
  oracleNodeClassResource,
} from '../node-class/oracle-node-class.ts'
import { type FakeApi, fakeApi } from './fake-oci/fake-api.ts'
import { COMPARTMENT, IMAGE, SECURITY_GROUP, SUBNET, TAG_NAMESPACE, VCN } from './fake-oci/names.ts'

/** Returns a cluster in virtual time with the node class controllers, and a fake tenancy. */
const nodeClassCluster = async () => {
  let fake: FakeApi | undefined
  const { client, clock, start, stop, events } = await createControllerHarness({
    resources: [communityNodeClassResource, oracleNodeClassResource],
    controllersOf: (context) => {
      fake = fakeApi(context.clock)
      return ociNodeClassControllers({
        ...{ context, api: fake.api, tagNamespace: TAG_NAMESPACE, defaultIpCount: 32 },
        compartments: { nodes: COMPARTMENT, network: COMPARTMENT, okeImages: COMPARTMENT },
      })
    },
  })
  if (fake === undefined) throw new Error('the controllers were not created')
  onTestFinished(() => stop())
  return { client, clock, start, events, ...fake }
}

type Spec = Readonly<Record<string, unknown>>

const withClass = async <T extends CommunityNodeClass | OracleNodeClass>(kind: ResourceKind<T>, object: T) => {
  const cluster = await nodeClassCluster()
  const { client, clock, start } = cluster
  await client.create(kind, object)
  const read = (): Promise<T> => client.get(kind, { name: 'default' })
  return {
    ...cluster,
    read,
    start: async (): Promise<void> => {
      await start()
      await clock.advance(1_000)
    },
    /** Returns the status, reason and message of a condition as one text. */
    condition: async (type: string): Promise<string> => {
      const { status, reason, message } = findCondition(await read(), type) ?? {}
      return `${status} ${reason}: ${message}`
    },
    edit: async (spec: Spec): Promise<void> => {
      await client.patch(kind, { name: 'default' }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
  }
}

/** Returns a cluster with an OciNodeClass that selects the resources of the fake tenancy. */
export const communityCluster = async (changes: Partial<CommunityNodeClassSpec> = {}) => {
  const { example } = communityNodeClassDescriptor
  if (example.spec === undefined) throw new Error('the example has no spec')
  return await withClass(communityNodeClassKind, {
    ...example,
    spec: {
      ...example.spec,
      vcnId: VCN,
      imageSelector: [{ id: IMAGE }],
      subnetSelector: [{ name: 'nodes' }],
      securityGroupSelector: [{ id: SECURITY_GROUP }],
      ...changes,
    },
  })
}

/** Returns a cluster with an OCINodeClass that selects the resources of the fake tenancy. */
export const oracleCluster = async (changes: Partial<OracleNodeClassSpec> = {}) => {
  const { example } = oracleNodeClassDescriptor
  if (example.spec === undefined) throw new Error('the example has no spec')
  return await withClass(oracleNodeClassKind, {
    ...example,
    spec: {
      ...example.spec,
      volumeConfig: { bootVolumeConfig: { imageConfig: { imageType: 'OKEImage', imageId: IMAGE } } },
      networkConfig: { primaryVnicConfig: { subnetConfig: { subnetId: SUBNET } } },
      ...changes,
    },
  })
}
