import { BizflyProvider } from '@kerf/provider-bizfly'
import { fakeApi, fakeJoin, REGION } from '@kerf/provider-bizfly/testing'
import type { CallsBench } from '../../../tests/benchmarks/idle-calls.ts'
import { createPool, plantNodes } from './settled-nodes.ts'

const WRITES: ReadonlySet<string> = new Set(['launchServer', 'deleteServer', 'leaveCluster'])

/** The benchmark that counts Kerf's requests to Bizfly Cloud. */
export const callsBench: CallsBench = {
  name: 'bizfly',
  cloud: 'Bizfly Cloud',
  recorded: new URL('recorded-calls.json', import.meta.url),
  isWrite: (name) => WRITES.has(name),
  createCloud: async (clock, client) => {
    await createPool(client)
    const { api, account, cloud } = fakeApi(clock)
    return {
      calls: () => cloud.requests.map(({ call, at }) => ({ name: call, at })),
      newProvider: (context) =>
        new BizflyProvider(context, { api, region: REGION, join: fakeJoin, kubernetesVersion: '' }),
      plantNodes: (reader, nodes) => plantNodes(reader, account, clock, nodes),
    }
  },
}
