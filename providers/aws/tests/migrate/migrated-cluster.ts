import { kinds } from '@kerf/apis'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'
import type { PlanFolder } from '../../../../packages/cli/src/migrate/plan/read-plan.ts'
import { SETTLED } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import { RehearsedCluster } from '../../../../packages/cli/src/migrate/rehearse/rehearsed-cluster.ts'
import type { ExampleCluster } from '../../../../tests/integration/migrate/objects.ts'

/** Returns the migration folder of a cluster, with every question answered as in the input files. */
export const migrationFolder = async (cluster: ExampleCluster): Promise<PlanFolder> => {
  const { plan, files } = await draftMigration(
    await readSources(cluster.documents),
    { outputDir: 'out', variant: 'faithful' },
    0,
  )
  return { folder: 'out', plan: { ...plan, questions: [] }, files }
}

/** Returns JSON with sorted keys, because the API server keeps the order of keys. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

/** Returns, as text, everything that a migration changes: workloads, budgets, NodePools and Cluster Autoscaler. */
export const clusterState = async ({ admin }: RehearsedCluster): Promise<string> => {
  const deployments = (await admin.list(kinds.Deployment)).items.map(({ metadata, spec }) => [metadata.name, spec])
  const budgets = (await admin.list(kinds.PodDisruptionBudget)).items.map(({ metadata }) => metadata.name)
  const pools = await admin.list({
    group: 'karpenter.sh',
    version: 'v1',
    kind: 'NodePool',
    plural: 'nodepools',
    namespaced: false,
  })
  const nodes = (await admin.list(kinds.Node)).items.filter(({ spec }) => spec?.unschedulable === true).length
  return inOrder([deployments.sort(), budgets.sort(), pools.items.map(({ metadata }) => metadata.name).sort(), nodes])
}

/** Returns the cluster of the folder, after it has started with Cluster Autoscaler and Kerf. */
export const started = async (folder: PlanFolder): Promise<RehearsedCluster> => {
  const { types } = await openTypes({ instanceTypes: 'aws', region: 'us-east-1' })
  const rehearsed = new RehearsedCluster(folder, { seed: 7, instanceTypes: types })
  await rehearsed.begin()
  await rehearsed.pass(SETTLED)
  // Discards the events of the cluster's start.
  rehearsed.watch.take()
  rehearsed.startKerf()
  return rehearsed
}
