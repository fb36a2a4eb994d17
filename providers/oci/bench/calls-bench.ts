import type { CallsBench } from '../../../tests/benchmarks/idle-calls.ts'
import { createIdlePool } from '../../../tests/benchmarks/settled-nodes.ts'
import { oracleNodeClassKind } from '../src/node-class/oracle-node-class.ts'
import { fakeApi } from '../src/testing/fake-oci/fake-api.ts'
import { createClasses, newOciProvider } from '../src/testing/oci-harness.ts'
import { plantNodes } from './settled-nodes.ts'

const WRITES: ReadonlySet<string> = new Set(['LaunchInstance', 'TerminateInstance', 'UpdateInstance'])

/** The benchmark that counts Kerf's requests to Oracle Cloud. */
export const callsBench: CallsBench = {
  name: 'oci',
  cloud: 'Oracle Cloud',
  recorded: new URL('recorded-calls.json', import.meta.url),
  isWrite: (name) => WRITES.has(name),
  createCloud: async (clock, client) => {
    await createClasses(client, {})
    await createIdlePool(client, oracleNodeClassKind)
    const { api, account, cloud } = fakeApi(clock)
    return {
      calls: () => cloud.requests.map(({ operation, at }) => ({ name: operation, at })),
      newProvider: (context) => newOciProvider(context, api),
      plantNodes: (reader, nodes) => plantNodes(reader, account, clock, nodes),
    }
  },
}
