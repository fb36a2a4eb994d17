import { kinds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { readRecord } from '../../../../packages/cli/src/migrate/apply/migration-record.ts'
import { runPhase, undoPhase } from '../../../../packages/cli/src/migrate/apply/run-phase.ts'
import { SETTLED } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import type { RehearsedCluster } from '../../../../packages/cli/src/migrate/rehearse/rehearsed-cluster.ts'
import { batch } from './example-clusters/batch.ts'
import { clusterState, migrationFolder, started } from './migrated-cluster.ts'

/** Runs a phase, kills its process at a random time, and runs it again. Returns the number of kills. */
const killedAndResumed = async (rehearsed: RehearsedCluster, phase: number, random: SeededRandom): Promise<number> => {
  const kill = new AbortController()
  const at = rehearsed.clock.now() + Math.floor(random.next() * 600_000)
  const timer = rehearsed.clock.timer(at - rehearsed.clock.now(), () => kill.abort(new Error('killed')))
  let killed = 0
  await rehearsed.drive(runPhase(rehearsed.tools(kill.signal), phase)).catch((error: unknown) => {
    if (!kill.signal.aborted) throw error
    killed = 1
  })
  timer.cancel()
  await rehearsed.drive(runPhase(rehearsed.tools(), phase))
  return killed
}

test('batch: the migration completes after a kill and a restart in each phase', async () => {
  const rehearsed = await started(await migrationFolder(batch()))
  const random = new SeededRandom(11)
  let kills = 0
  try {
    for (const { phase } of (await migrationFolder(batch())).plan.phases) {
      kills += await killedAndResumed(rehearsed, phase, random)
      expect((await readRecord(rehearsed.admin))?.phases[phase]).toMatchObject({ state: 'done' })
    }
    await rehearsed.pass(SETTLED)
    expect(kills).toBeGreaterThanOrEqual(3)
    expect(rehearsed.watch.sample()).toMatchObject({ waiting: 0 })
    expect(rehearsed.groups.map(({ size }) => size)).toEqual([0, 0, 0])
    expect(rehearsed.watch.take().violated).toEqual([])
  } finally {
    rehearsed.stop()
  }
})

test('batch: undo after phase 6 restores the initial state, phase by phase', async () => {
  const rehearsed = await started(await migrationFolder(batch()))
  try {
    const states: string[] = [await clusterState(rehearsed)]
    for (const phase of [0, 1, 2, 3, 4, 5, 6]) {
      await rehearsed.drive(runPhase(rehearsed.tools(), phase))
      states.push(await clusterState(rehearsed))
    }
    for (const phase of [6, 5, 4, 3, 2, 1, 0]) {
      await rehearsed.drive(undoPhase(rehearsed.tools(), phase))
      await rehearsed.pass(600_000)
      expect(await clusterState(rehearsed), `after the undo of phase ${phase}`).toBe(states[phase])
    }
    expect(await readRecord(rehearsed.admin)).toBeUndefined()
    await rehearsed.pass(SETTLED)
    expect(rehearsed.watch.sample()).toMatchObject({ waiting: 0 })
    expect(
      (await rehearsed.admin.list(kinds.Node)).items.filter(
        ({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] !== undefined,
      ),
    ).toEqual([])
  } finally {
    rehearsed.stop()
  }
})
