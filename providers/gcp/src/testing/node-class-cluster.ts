import { findCondition } from '@kerf/apis'
import { declaredPrices } from '@kerf/provider-contract'
import { UnavailableOfferings } from '@kerf/provider-kit'
import { createControllerHarness } from '@kerf/provider-kit/testing/controller-harness'
import { onTestFinished } from 'vitest'
import { gceNodeClassControllers } from '../controllers/node-class/gce-node-class-status.ts'
import { ClusterFacts } from '../discovery/cluster-facts.ts'
import {
  type GCENodeClass,
  type GCENodeClassSpec,
  gceNodeClassKind,
  gceNodeClassResource,
} from '../node-class/gce-node-class.ts'
import { FullRanges } from '../offers/full-ranges.ts'
import { OfferedTypes } from '../offers/offered-types.ts'
import { TypeResolver } from '../offers/type-resolver.ts'
import { GcpPrices } from '../prices/gcp-prices.ts'
import { fakeApi } from './fake-gcp/connect.ts'
import { FakeGcp } from './fake-gcp/fake-gcp.ts'
import { REGION } from './fake-gcp/names.ts'
import { gceNodeClass } from './gce-node-class.ts'

/** The image that the node class of the cluster selects. */
export const SELECTED = 'gke-1351-gke1396002-cos-125-19216-220-12-c-pre'

/** Returns a cluster in virtual time with the node class controllers, a class named `default`, and a fake of Google Cloud. */
export const nodeClassCluster = async (spec: Partial<GCENodeClassSpec> = {}) => {
  let gcp: FakeGcp | undefined
  const { client, clock, start, stop, events } = await createControllerHarness({
    resources: [gceNodeClassResource],
    controllersOf: (context) => {
      gcp = new FakeGcp(context.clock)
      gcp.offer.images.push({ project: 'gke-node-images', name: SELECTED, arch: 'X86_64', createdAt: 0 })
      const api = fakeApi(gcp)
      const { clock } = context
      return gceNodeClassControllers({
        context,
        images: { ...api, kubernetesVersion: async () => 'v1.35.1' },
        types: new TypeResolver({
          ...{ region: REGION, memoryOverhead: 0.07, prices: new GcpPrices({ clock, region: REGION }) },
          offered: new OfferedTypes(api.compute, clock, REGION),
          cluster: new ClusterFacts({ api, client: context.client, clock }, REGION),
          unavailable: new UnavailableOfferings(clock, { ttl: 0 }),
          fullRanges: new FullRanges(clock),
          declared: declaredPrices(context.informers),
        }),
      })
    },
  })
  if (gcp === undefined) throw new Error('the controllers were not created')
  onTestFinished(() => stop())
  await client.create(gceNodeClassKind, gceNodeClass('default', { spec }))
  await start()
  const nodeClass = (): Promise<GCENodeClass> => client.get(gceNodeClassKind, { name: 'default' })
  return {
    ...{ client, clock, gcp, events, nodeClass },
    /** Returns the status, reason and message of a condition as one text. */
    conditionText: async (type: string): Promise<string> => {
      const { status, reason, message } = findCondition(await nodeClass(), type) ?? {}
      return `${status} ${reason}: ${message}`
    },
    edit: async (change: Partial<GCENodeClassSpec>): Promise<void> => {
      await client.patch(gceNodeClassKind, { name: 'default' }, { type: 'merge', body: { spec: change } })
      await clock.advance(500)
    },
  }
}
