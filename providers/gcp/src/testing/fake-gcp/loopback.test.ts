import { Connections, networkFrom, sendOver } from '@kerf/provider-kit'
import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { instanceRequest, TEST_IMAGE } from '../instance-request.ts'
import { fakeApi } from './connect.ts'
import { FakeGcp } from './fake-gcp.ts'
import { serveGcp } from './loopback.ts'

const never = new AbortController().signal
const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 4 }

test('the SDK reaches the fake over real connections, and its requests match the API descriptions', async () => {
  const gcp = new FakeGcp(new VirtualClock())
  gcp.offer.images.push(TEST_IMAGE)
  const served = await serveGcp(gcp)
  try {
    const send = sendOver(new Connections(networkFrom({}, ''), LIMITS), { userAgent: 'kerf/0.1.0' })
    const { compute, gke } = fakeApi(gcp, { send, endpoint: served.endpoint })
    const zone = 'us-central1-b'
    const id = '11111111-2222-3333-4444-555555555555'
    const { name } = await compute.insertInstance(zone, instanceRequest('a', zone), id, never)
    expect(await compute.operation(zone, name, never)).toMatchObject({ isDone: false })
    expect(await compute.instance(zone, 'a', never)).toMatchObject({ name: 'a', zone, status: 'PROVISIONING' })
    expect((await gke.cluster(never)).version).toBe(gcp.gke.version)
    await expect(compute.instance(zone, 'b', never)).rejects.toMatchObject({ status: 404, reason: 'notFound' })
  } finally {
    served.close()
  }
})
