import { pod } from '@kerf/testing'
import { expect, test, vi } from 'vitest'
import { PodDisruptionBudgets } from '../../pod/pod-disruption-budgets.ts'
import { volumeLookup } from '../../provisioning/volume-validation.ts'
import { Snapshots } from '../../state/snapshot.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { busy, closedWith, MIDDLE, open } from '../../testing/closed-pools.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'
import type { Assessment } from '../candidates/assessment.ts'
import { PassSimulators } from './pass-simulators.ts'

const closed = closedWith(harnessPerTest())

test('if no node has drifted, passes and validations create only the simulator for consolidation', async () => {
  const w = await closed({}, MIDDLE)
  await busy(w, 2, '200m')
  const make = vi.spyOn(PassSimulators.prototype, 'make')
  await open(w)
  await w.pass(PASS)
  expect((await w.staying()).length).toBe(1)
  expect(new Set(make.mock.calls.map(([, consolidation]) => consolidation))).toEqual(new Set([true]))
})

test('data about every candidate is prepared in steps, and only once', () => {
  const { deps, state, informers } = manualState()
  const budgets = new PodDisruptionBudgets(informers)
  let asked = 0
  const counted = Object.assign(Object.create(budgets) as PodDisruptionBudgets, {
    isCurrentlyReschedulable: () => {
      asked++
      return true
    },
  })
  const simulators = new PassSimulators({
    ...{ ...deps, state, snapshots: new Snapshots(deps, state), budgets: counted },
    volumes: volumeLookup(informers),
    vocabulary: deps.provider.vocabulary,
  })
  const candidate = () => ({ state: { isMarkedForDeletion: false }, reschedulable: [pod('p')] })
  const assessments = Array.from({ length: 600 }, () => ({
    candidate: candidate(),
  })) as unknown as readonly Assessment[]
  const stepsOf = (): readonly number[] => {
    const steps: number[] = []
    for (const each of simulators.prepare({ now: 0, assessments })) {
      void each
      steps.push(asked)
    }
    return [...steps, asked]
  }
  expect(stepsOf()).toEqual([250, 500, 600])
  expect(stepsOf()).toEqual([600])
})
