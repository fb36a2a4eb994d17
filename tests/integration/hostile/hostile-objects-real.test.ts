import { kinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { kerfClient } from '../conformance/kerf-client.ts'
import { hostileObject } from './hostile-objects.ts'
import { TENANT } from './hostile-pods.ts'
import { splitRuns } from './parts.ts'

/** Each object needs a request. Therefore, a run for a change tests only a sample, and the nightly run tests all objects. */
const parts = splitRuns(200, { runs: 10_000, parts: 10 })

describeWithCustomResources('hostile objects', (cluster) => {
  beforeAll(async () => {
    const client = kerfClient(cluster())
    const put = async (name: string): Promise<unknown> =>
      await client.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await put(TENANT)
    await client
      .create(kinds.ServiceAccount, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: TENANT },
      })
      .catch(() => undefined)
  })

  test.each(parts)('the hostile objects are valid for the real API server (seed $seed)', async ({ seed, runs }) => {
    const client = kerfClient(cluster())
    const refused: string[] = []
    await fc.assert(
      fc.asyncProperty(hostileObject, async ({ kind, object }) => {
        await client.create(kind, object, { dryRun: true }).catch((error: unknown) => {
          refused.push(`${kind.kind}: ${error instanceof Error ? error.message : String(error)}`)
        })
      }),
      { seed, numRuns: runs },
    )
    expect(refused).toEqual([])
  })
})
