import { kinds } from '@kerf/apis'
import { createProviderHarness, type ProviderHarness } from '@kerf/provider-contract/testing'
import type { KubeClient } from '@kerf/runtime'
import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { AlibabaProvider } from '../alibaba-provider.ts'
import {
  type ECSNodeClass,
  type ECSNodeClassSpec,
  ecsNodeClassKind,
  ecsNodeClassResource,
} from '../node-class/ecs-node-class.ts'
import { ecsNodeClassDescriptor } from '../node-class/node-class-descriptor.ts'
import { alibabaPermissions } from '../permissions.ts'
import { DEFAULT_CNY_PER_USD, fromCny } from '../pricing/currency.ts'
import { onDemandPricesInCny } from '../tables/on-demand-prices.ts'
import type { FakeAccount, FakeAccountOptions } from './fake-alibaba/fake-account.ts'
import type { FakeAlibaba } from './fake-alibaba/fake-alibaba.ts'
import { CLUSTER, REGION } from './fake-alibaba/names.ts'
import { fakeApi } from './fake-api.ts'

export const CLASS = 'default'

export interface AlibabaHarnessOptions extends FakeAccountOptions {
  readonly seed?: number
  readonly spec?: Partial<ECSNodeClassSpec>
  readonly isManaged?: boolean
}

/** The provider and its controllers with an in-memory cluster and an in-memory Alibaba Cloud. */
export interface AlibabaHarness extends ProviderHarness<AlibabaProvider> {
  readonly account: FakeAccount
  readonly alibaba: FakeAlibaba
  nodeClass(): Promise<ECSNodeClass>
  /** Changes the node class, and then advances the clock by a second so that its controllers react. */
  change(spec: Partial<ECSNodeClassSpec>): Promise<void>
}

const firstPrices = new Map(
  [...(onDemandPricesInCny(REGION) ?? [])].map(([type, price]) => [type, fromCny(price, DEFAULT_CNY_PER_USD)]),
)

/** Creates a harness, starts everything, and waits until the node class is ready. */
export const createAlibabaHarness = async (options: AlibabaHarnessOptions = {}): Promise<AlibabaHarness> => {
  const clock = new VirtualClock({ turns: 3 })
  const { account, cloud: alibaba, api } = await fakeApi(clock, options)
  const { example } = ecsNodeClassDescriptor
  const nodeClass = { ...example, spec: { ...example.spec, ...options.spec } }
  const harness = await createProviderHarness({
    ...{ seed: options.seed ?? 1, clock, nodeClasses: [ecsNodeClassResource], permissions: alibabaPermissions },
    classRef: { group: ecsNodeClassKind.group, kind: ecsNodeClassKind.kind, name: CLASS },
    prepare: async (client: KubeClient) => {
      const metadata = { name: 'kube-system' }
      await client.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata }).catch(() => undefined)
      await client.create(ecsNodeClassKind, nodeClass as ECSNodeClass)
    },
    newProvider: (context) =>
      new AlibabaProvider(context, {
        ...{ api, metrics: new PrometheusMetrics(), region: REGION, clusterId: CLUSTER, firstPrices },
        ...{ isManaged: options.isManaged ?? true, vmMemoryOverheadPercent: 0.065, cnyPerUsd: DEFAULT_CNY_PER_USD },
        ...{ namespace: 'kube-system', watchesInterruptions: true },
      }),
    startUp: 15_000,
  })
  const { client } = harness
  return {
    ...harness,
    account,
    alibaba,
    nodeClass: () => client.get(ecsNodeClassKind, { name: CLASS }),
    change: async (spec) => {
      await client.patch(ecsNodeClassKind, { name: CLASS }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
  }
}
