import { kinds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { readRecord } from '../../../../packages/cli/src/migrate/apply/migration-record.ts'
import { runPhase, undoPhase } from '../../../../packages/cli/src/migrate/apply/run-phase.ts'
import type { RehearsalWorld } from '../../../../packages/cli/src/migrate/rehearse/rehearsal-world.ts'
import { SETTLED } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import { batch } from './example-clusters/batch.ts'
import { folderOf, started, stateOf } from './migrated-cluster.ts'

/** Runs a phase, kills its process at a random time, and runs it again. Returns the number of kills. */
const killedAndResumed = async (world: RehearsalWorld, phase: number, random: SeededRandom): Promise<number> => {
  const kill = new AbortController()
  const at = world.clock.now() + Math.floor(random.next() * 600_000)
  const timer = world.clock.timer(at - world.clock.now(), () => kill.abort(new Error('killed')))
  let killed = 0
  await world.drive(runPhase(world.tools(kill.signal), phase)).catch((error: unknown) => {
    if (!kill.signal.aborted) throw error
    killed = 1
  })
  timer.cancel()
  await world.drive(runPhase(world.tools(), phase))
  return killed
}

test('batch: the migration completes after a kill and a restart in each phase', async () => {
  const world = await started(await folderOf(batch()))
  const random = new SeededRandom(11)
  let kills = 0
  try {
    for (const { phase } of (await folderOf(batch())).plan.phases) {
      kills += await killedAndResumed(world, phase, random)
      expect((await readRecord(world.admin))?.phases[phase]).toMatchObject({ state: 'done' })
    }
    await world.pass(SETTLED)
    expect(kills).toBeGreaterThanOrEqual(3)
    expect(world.watch.sample()).toMatchObject({ waiting: 0 })
    expect(world.groups.map(({ size }) => size)).toEqual([0, 0, 0])
    expect(world.watch.take().violated).toEqual([])
  } finally {
    world.stop()
  }
})

test('batch: undo after phase 6 restores the initial state, phase by phase', async () => {
  const world = await started(await folderOf(batch()))
  try {
    const states: string[] = [await stateOf(world)]
    for (const phase of [0, 1, 2, 3, 4, 5, 6]) {
      await world.drive(runPhase(world.tools(), phase))
      states.push(await stateOf(world))
    }
    for (const phase of [6, 5, 4, 3, 2, 1, 0]) {
      await world.drive(undoPhase(world.tools(), phase))
      await world.pass(600_000)
      expect(await stateOf(world), `after the undo of phase ${phase}`).toBe(states[phase])
    }
    expect(await readRecord(world.admin)).toBeUndefined()
    await world.pass(SETTLED)
    expect(world.watch.sample()).toMatchObject({ waiting: 0 })
    expect(
      (await world.admin.list(kinds.Node)).items.filter(
        ({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] !== undefined,
      ),
    ).toEqual([])
  } finally {
    world.stop()
  }
})
