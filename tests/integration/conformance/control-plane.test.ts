import { describeOnCluster } from '@kerf/control-plane/testing'
import type { KubeClient } from '@kerf/runtime'
import { isNightly } from '@kerf/testing'
import { describe } from 'vitest'
import { defineConformance } from './conformance.ts'
import { kerfClient } from './kerf-client.ts'
import { PlainClient } from './plain-client.ts'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

/** For example, `KERF_TEST_KUBERNETES=1.34` runs the suite on that version. */
const [, minor] = (process.env['KERF_TEST_KUBERNETES'] ?? '').split('.')
const version = minor === undefined ? {} : { minor: Number(minor) }

describeOnCluster('real control plane', (cluster) => {
  defineConformance('by the plain protocol', {
    client: () => new PlainClient(cluster()),
    http: () => cluster(),
    pause,
    // The run's seed selects a sample of the cases. A nightly run tests all of them.
    mostCases: 120,
    ...version,
  })

  // An ordinary run skips these tests, because the integration tests already show that Kerf's client works with this server.
  describe.skipIf(!isNightly())('nightly', () => {
    let client: KubeClient | undefined
    defineConformance('by the client of Kerf', {
      client: () => {
        client ??= kerfClient(cluster())
        return client
      },
      pause,
      ...version,
    })
  })
})
