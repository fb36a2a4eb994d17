import { kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { readRecord } from '../../../../packages/cli/src/migrate/apply/migration-record.ts'
import type { StepTools } from '../../../../packages/cli/src/migrate/apply/perform-step.ts'
import { runPhase, undoPhase } from '../../../../packages/cli/src/migrate/apply/run-phase.ts'
import { SETTLED } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import type { RehearsedCluster } from '../../../../packages/cli/src/migrate/rehearse/rehearsed-cluster.ts'
import type { ExampleCluster } from '../../../../tests/integration/migrate/objects.ts'
import { dyingClient, type LastWrite } from './dying-client.ts'
import { exampleClusters } from './example-clusters.ts'
import { clusterState, migrationFolder, started } from './migrated-cluster.ts'

/**
 * Selects example clusters: `all` or a name, as in the nightly workflow. Their migration is killed after every write, and undone in every
 * phase. `npm test` runs `matrix.test.ts` instead.
 */
const wanted = process.env['KERF_MATRIX']

const isPlayed = ({ name }: ExampleCluster): boolean => wanted === 'all' || wanted === name

/**
 * Repeats the action until one process completes it. Each process dies after its first new write. If a step has several writes, the next
 * process repeats the earlier ones, so it may make one more write.
 */
const withDeaths = async (
  rehearsed: RehearsedCluster,
  deaths: Record<LastWrite, number>,
  act: (tools: StepTools) => Promise<void>,
): Promise<void> => {
  for (let writes = 1; ; ) {
    const kill = new AbortController()
    const tools = rehearsed.tools(kill.signal)
    const client = dyingClient(tools.client, writes, kill, (last) => {
      deaths[last]++
      writes = last === 'record' ? 1 : writes + 1
    })
    const isOver = await rehearsed.drive(act({ ...tools, client })).then(
      () => true,
      (error: unknown) => {
        if (!kill.signal.aborted) throw error
        return false
      },
    )
    if (isOver) return
  }
}

for (const cluster of exampleClusters)
  test.skipIf(!isPlayed(cluster))(
    `${cluster.name}: killed after every write, the migration comes to its end`,
    async () => {
      const folder = await migrationFolder(cluster)
      const rehearsed = await started(folder)
      const deaths = { record: 0, cluster: 0 }
      try {
        const before = rehearsed.watch.sample().hourlyCost
        const first = rehearsed.watch.samples.length
        for (const { phase } of folder.plan.phases) {
          await withDeaths(rehearsed, deaths, (tools) => runPhase(tools, phase))
          expect((await readRecord(rehearsed.admin))?.phases[phase]).toMatchObject({ state: 'done' })
        }
        await rehearsed.pass(SETTLED)
        const end = rehearsed.watch.sample()
        const peak = Math.max(...rehearsed.watch.samples.slice(first).map(({ hourlyCost }) => hourlyCost))
        process.stdout.write(
          `${cluster.name}: ${deaths.record} deaths after a write to the record, ${deaths.cluster} after one to the cluster; $${before.toFixed(2)}/h before, $${end.hourlyCost.toFixed(2)}/h after, peak ${(peak / before).toFixed(2)} times\n`,
        )
        expect(deaths.record).toBeGreaterThanOrEqual(10)
        expect(deaths.cluster).toBeGreaterThanOrEqual(10)
        expect(end).toMatchObject({ waiting: 0 })
        expect(end.hourlyCost).toBeLessThanOrEqual(before + 1e-6)
        expect(peak).toBeLessThanOrEqual(1.3 * before)
        expect(rehearsed.groups.map(({ size }) => size)).toEqual(rehearsed.groups.map(() => 0))
        expect(rehearsed.watch.take().violated).toEqual([])
      } finally {
        rehearsed.stop()
      }
    },
  )

for (const cluster of exampleClusters)
  test.skipIf(!isPlayed(cluster))(
    `${cluster.name}: undo after phase 7 leads back to the start, phase by phase, killed on the way`,
    async () => {
      const rehearsed = await started(await migrationFolder(cluster))
      const deaths = { record: 0, cluster: 0 }
      try {
        const states: string[] = [await clusterState(rehearsed)]
        for (const phase of [0, 1, 2, 3, 4, 5, 6, 7]) {
          await rehearsed.drive(runPhase(rehearsed.tools(), phase))
          states.push(await clusterState(rehearsed))
        }
        for (const phase of [7, 6, 5, 4, 3, 2, 1, 0]) {
          await withDeaths(rehearsed, deaths, (tools) => undoPhase(tools, phase))
          await rehearsed.pass(600_000)
          expect(await clusterState(rehearsed), `after the undo of phase ${phase}`).toBe(states[phase])
        }
        expect(deaths.record + deaths.cluster).toBeGreaterThanOrEqual(10)
        expect(await readRecord(rehearsed.admin)).toBeUndefined()
        await rehearsed.pass(SETTLED)
        expect(rehearsed.watch.sample()).toMatchObject({ waiting: 0 })
        expect(rehearsed.watch.take().violated).toEqual([])
        expect(
          (await rehearsed.admin.list(kinds.Node)).items.filter(
            ({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] !== undefined,
          ),
        ).toEqual([])
      } finally {
        rehearsed.stop()
      }
    },
  )
