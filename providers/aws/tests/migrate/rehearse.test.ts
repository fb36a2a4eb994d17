import { expect, test } from 'vitest'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'
import type { PlanFolder } from '../../../../packages/cli/src/migrate/plan/read-plan.ts'
import { rehearsalProblems, rehearsalText } from '../../../../packages/cli/src/migrate/rehearse/rehearsal-report.ts'
import { rehearseMigration } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import type { ExampleCluster } from '../../../../tests/integration/migrate/objects.ts'
import { exampleClusters } from './example-clusters.ts'

/** Returns the migration folder of a cluster, with every question answered as in the input files. */
const migrationFolder = async (cluster: ExampleCluster): Promise<PlanFolder> => {
  const { plan, files } = await draftMigration(
    await readSources(cluster.documents),
    { outputDir: 'out', variant: 'faithful' },
    0,
  )
  return { folder: 'out', plan: { ...plan, questions: [] }, files }
}

for (const cluster of exampleClusters)
  test(`${cluster.name}: the rehearsal runs all phases`, async () => {
    const { types } = await openTypes({ instanceTypes: 'aws', region: 'us-east-1' })
    const rehearsal = await rehearseMigration(await migrationFolder(cluster), { seed: 1, instanceTypes: types })
    process.stdout.write(`${cluster.name}\n${rehearsalText(rehearsal, Number.POSITIVE_INFINITY)}`)
    expect(rehearsalProblems(rehearsal)).toEqual([])
    expect(rehearsal.before.nodes).toBeGreaterThanOrEqual(30)
    expect(rehearsal.before.waiting).toBe(0)
    expect(rehearsal.after).toMatchObject({ waiting: 0, groupNodes: 0 })
    expect(rehearsal.after.hourlyCost).toBeLessThanOrEqual(rehearsal.before.hourlyCost + 1e-6)
    expect(rehearsal.peakCost).toBeLessThanOrEqual(1.3 * rehearsal.before.hourlyCost)
  })
