import { createProviderHarness, type ProviderHarness } from '@kerf/provider-contract/testing'
import { VirtualClock } from '@kerf/runtime'
import { BizflyProvider } from '../bizfly-provider.ts'
import { bizfly } from '../descriptor.ts'
import {
  type BizflyCloudNodeClass,
  type BizflyCloudNodeClassSpec,
  bizflyNodeClassKind,
  bizflyNodeClassResource,
} from '../node-class/bizfly-node-class.ts'
import { bizflyNodeClassDescriptor } from '../node-class/node-class-descriptor.ts'
import { type FakeApi, fakeApi, fakeJoin } from './fake-api.ts'
import type { FakeAccountOptions } from './fake-bizfly/fake-account.ts'
import { REGION } from './fake-bizfly/names.ts'

export const CLASS = 'default'

/** The provider and its controllers with an in-memory cluster and an in-memory Bizfly Cloud. */
export interface BizflyHarness extends ProviderHarness<BizflyProvider>, Omit<FakeApi, 'api'> {
  nodeClass(): Promise<BizflyCloudNodeClass>
  /** Changes the class, and then advances the clock by a second so that its controllers react. */
  change(spec: Partial<BizflyCloudNodeClassSpec>): Promise<void>
}

/** Creates a harness, starts everything, and waits until the node class is ready. */
export const createBizflyHarness = async ({
  seed = 1,
  ...options
}: FakeAccountOptions & { readonly seed?: number } = {}): Promise<BizflyHarness> => {
  const clock = new VirtualClock({ turns: 3 })
  const { account, cloud, api } = fakeApi(clock, options)
  const harness = await createProviderHarness({
    ...{ seed, clock, nodeClasses: [bizflyNodeClassResource], permissions: bizfly.permissions },
    classRef: { group: bizflyNodeClassKind.group, kind: bizflyNodeClassKind.kind, name: CLASS },
    prepare: async (client) => void (await client.create(bizflyNodeClassKind, bizflyNodeClassDescriptor.example)),
    newProvider: (context) =>
      new BizflyProvider(context, { api, region: REGION, join: fakeJoin, kubernetesVersion: '' }),
    startUp: 15_000,
  })
  const { client } = harness
  return {
    ...harness,
    ...{ account, cloud },
    nodeClass: () => client.get(bizflyNodeClassKind, { name: CLASS }),
    change: async (spec) => {
      await client.patch(bizflyNodeClassKind, { name: CLASS }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
  }
}
