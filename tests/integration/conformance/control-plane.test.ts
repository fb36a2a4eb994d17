import { describeOnCluster } from '@kerf/control-plane/testing'
import type { KubeClient } from '@kerf/runtime'
import { isNightly } from '@kerf/testing'
import { describe } from 'vitest'
import { defineConformance } from './conformance.ts'
import { kerfClient } from './kerf-client.ts'
import { PlainClient } from './plain-client.ts'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

/** `KERF_TEST_KUBERNETES=1.34` runs the suite on that version. */
const [, minor] = (process.env['KERF_TEST_KUBERNETES'] ?? '').split('.')
const version = minor === undefined ? {} : { minor: Number(minor) }

describeOnCluster('real control plane', (cluster) => {
  defineConformance('by the plain protocol', {
    client: () => new PlainClient(cluster()),
    http: () => cluster(),
    pause,
    // A sample that the seed of the run selects; a nightly run tests all.
    mostCases: 120,
    ...version,
  })

  // For each change, the stories prove that Kerf's client works with this server.
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
