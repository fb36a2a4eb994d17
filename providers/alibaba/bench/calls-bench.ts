import { AlibabaProvider, DEFAULT_CNY_PER_USD } from '@kerf/provider-alibaba'
import { CLUSTER, fakeApi, REGION } from '@kerf/provider-alibaba/testing'
import type { CallsBench } from '../../../tests/benchmarks/idle-calls.ts'
import { createPool, plantNodes } from './settled-nodes.ts'

const never = new AbortController().signal
const WRITES: ReadonlySet<string> = new Set(['CreateAutoProvisioningGroup', 'DeleteInstance', 'AddTags'])

/** The benchmark that counts Kerf's requests to Alibaba Cloud. */
export const callsBench: CallsBench = {
  name: 'alibaba',
  cloud: 'Alibaba Cloud',
  recorded: new URL('recorded-calls.json', import.meta.url),
  isWrite: (name) => WRITES.has(name),
  createCloud: async (clock, client) => {
    await createPool(client)
    const { api, account, cloud } = await fakeApi(clock)
    return {
      calls: () => cloud.requests.map(({ action, at }) => ({ name: action, at })),
      newProvider: async (context, metrics) => {
        const provider = new AlibabaProvider(context, {
          ...{ api, metrics, region: REGION, clusterId: CLUSTER, isManaged: true, vmMemoryOverheadPercent: 0.065 },
          ...{ cnyPerUsd: DEFAULT_CNY_PER_USD, firstPrices: new Map(), namespace: 'kube-system' },
          watchesInterruptions: true,
        })
        await provider.warmUp(never)
        return provider
      },
      plantNodes: (reader, nodes) => plantNodes(reader, account, clock, nodes),
    }
  },
}
