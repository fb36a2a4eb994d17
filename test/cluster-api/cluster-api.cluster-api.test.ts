import { afterAll, beforeAll, test, vi } from 'vitest'
import { ClusterApiBed } from './src/bed.ts'
import { describeOnClusterApi } from './src/testing.ts'
import { defineBedTests, expectNothingLeft } from './stories/bed-itself.ts'
import { defineRealDeletionTable } from './stories/deletion-table.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

// One bed for all of it, since its start takes a minute and there can be only one at a time.
describeOnClusterApi('Cluster API’s own controllers', (shared) => {
  let bed: ClusterApiBed
  // A bed of another run may be in use for minutes.
  beforeAll(async () => {
    bed = await ClusterApiBed.start(shared())
  }, 15 * 60_000)
  afterAll(() => bed?.stop())

  defineBedTests(() => bed)
  defineRealDeletionTable(() => bed)
  test('nothing is left of the cluster', () => expectNothingLeft(bed))
})
