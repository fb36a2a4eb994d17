import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'
import { autoscalerDeployment } from '../../../../tests/integration/migrate/objects.ts'

const drafted = async (...values: readonly unknown[]) =>
  draftMigration(
    await readSources(values.map((value) => ({ value, file: 'in.json' }))),
    { outputDir: 'out', variant: 'faithful' },
    0,
  )

test('node pools of GKE, which no migration source reads, are refused by name', async () => {
  await expect(
    drafted({
      name: 'default-pool',
      selfLink: 'https://container.googleapis.com/v1/projects/p',
      config: {},
      initialNodeCount: 3,
    }),
  ).rejects.toThrow(/Google Kubernetes Engine/)
  await expect(drafted(node('a', { labels: { 'cloud.google.com/gke-nodepool': 'p' } }))).rejects.toThrow(
    /node a is of Google Kubernetes Engine/,
  )
  await expect(drafted(autoscalerDeployment('--cloud-provider=gce'))).rejects.toThrow(
    /--cloud-provider=gce is of Google/,
  )
})
