import { GcpProvider } from '@kerf/provider-gcp'
import { FakeGcp, fakeApi, gcpTestOptions, loadSdk, publishImages, sourceTemplate } from '@kerf/provider-gcp/testing'
import type { CallsBench } from '../../../tests/benchmarks/idle-calls.ts'
import { createPool, plantNodes } from './settled-nodes.ts'

const WRITES = /\.(insert|delete|create|setLabels)$/

/** The benchmark that counts Kerf's requests to Google Cloud. */
export const callsBench: CallsBench = {
  name: 'gcp',
  cloud: 'Google Cloud',
  recorded: new URL('recorded-calls.json', import.meta.url),
  isWrite: (name) => WRITES.test(name),
  createCloud: async (clock, client) => {
    await loadSdk()
    const gcp = new FakeGcp(clock)
    gcp.templates = [sourceTemplate('default-pool')]
    await publishImages(gcp, client, '125-19216-220-12', 0)
    await createPool(client)
    return {
      calls: () => gcp.requests.map(({ id, at }) => ({ name: id, at })),
      newProvider: (context, metrics) =>
        new GcpProvider(context, { ...gcpTestOptions(clock), api: fakeApi(gcp), metrics }),
      plantNodes: (api, nodes) => plantNodes(api, gcp, clock, nodes),
    }
  },
}
