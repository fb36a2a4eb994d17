import { type KubeClient, SeededRandom, SystemClock, VirtualClock } from '@kerf/runtime'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { isNightly } from '@kerf/testing'
import { afterAll, beforeAll, describe } from 'vitest'
import { defineConformance } from './conformance.ts'
import { kerfClient } from './kerf-client.ts'
import { PlainClient } from './plain-client.ts'
import type { HttpAccess } from './plain-http.ts'

// Like the real control plane in the other test file, this cluster has no kubelets. The suite writes what a kubelet would write.
describe('sandbox', () => {
  const clock = new VirtualClock()
  const cluster = new SandboxCluster({ clock, random: new SeededRandom(1), kubelet: false })
  beforeAll(() => cluster.start())
  afterAll(() => cluster.stop())
  defineConformance('in this process', { client: () => cluster.client, pause: () => clock.advance(50) })
})

describe('sandbox', () => {
  const cluster = new SandboxCluster({ clock: new SystemClock(), random: new SeededRandom(2), kubelet: false })
  let server: SandboxServer | undefined
  beforeAll(async () => {
    void cluster.start()
    server = await SandboxServer.start(cluster.api)
  })
  afterAll(async () => {
    await server?.close()
    await cluster.stop()
  })
  const access = (): HttpAccess => ({ server: server?.url ?? '', token: server?.token ?? '' })
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 25))
  defineConformance('over HTTP, by the plain protocol', {
    client: () => new PlainClient(access()),
    http: access,
    pause,
    // Tests in packages/apis/src/conformance/ already run all cases on the validator that the sandbox uses, so a sample is enough here.
    mostCases: 60,
  })

  // An ordinary run skips these tests, because the client has its own tests and is tested against the real control plane.
  describe.skipIf(!isNightly())('nightly', () => {
    let client: KubeClient | undefined
    defineConformance('over HTTP, by the client of Kerf', {
      client: () => {
        client ??= kerfClient(access())
        return client
      },
      pause,
    })
  })
})
