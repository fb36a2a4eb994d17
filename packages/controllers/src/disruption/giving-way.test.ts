import { kinds } from '@kerf/apis'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { PodDisruptionBudgets } from '../pod/pod-disruption-budgets.ts'
import { Snapshots } from '../state/snapshot.ts'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { DisruptionPass } from './passes/disruption-pass.ts'
import { DisruptionPasses } from './passes/disruption-passes.ts'
import { PassCache } from './passes/pass-cache.ts'

const { signal } = new AbortController()
const nothing = { claims: [], placements: [], unplaced: [], nodes: new Map() }

/** Starts a pass that reads the cluster in three steps and whose simulations include `pods` pods. Records the order of events. */
const start = (pods: number) => {
  const { deps, state, informers, clock } = manualState()
  const done: string[] = []
  const harness: { deciding: Promise<void> | undefined } = { deciding: undefined }
  let isRead = false
  const simulator = {
    *prepare() {
      for (let step = 1; step <= 3 && !isRead; step++) {
        done.push(`read ${step}`)
        yield
      }
      isRead = true
    },
    simulate: () => {
      done.push('asked')
      return { ...nothing, pods, isLeftOff: false }
    },
  }
  const pass = new DisruptionPass({
    ...{ deps, state, types: new Map(), cache: new PassCache() },
    assessment: { state, budgets: new PodDisruptionBudgets(informers), nodeOverheadCost: 0, isQueued: () => false },
    budgets: () => {
      throw new Error('nobody asks for budgets')
    },
    sharedPools: () => new Map(),
    simulators: { *prepare() {}, make: () => ({ simulator, isSettling: false }) },
    findings: { singleNode: new Map(), isSettling: false },
    provisioning: () => harness.deciding,
  })
  return { done, harness, clock, pass, ask: () => pass.simulate([], true, signal) }
}

test('other work runs between the steps of reading the cluster', async () => {
  const { done, clock, ask } = start(1)
  const asked = ask()
  clock.timer(0, () => done.push('other'))
  await clock.advance(0)
  await asked
  expect(done).toEqual(['read 1', 'read 2', 'other', 'read 3', 'asked'])
  await ask()
  expect(done.slice(5)).toEqual(['asked'])
})

test('a search does not continue before the running decision about pending pods has ended', async () => {
  const { done, harness, clock, ask } = start(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = ask()
  harness.deciding = promise
  await clock.advance(1_000)
  expect(done).toEqual(['read 1'])
  harness.deciding = undefined
  resolve()
  await clock.advance(0)
  await asked
  expect(done).toEqual(['read 1', 'read 2', 'read 3', 'asked'])
})

test('large simulations wait for each other, but small ones do not', async () => {
  const large = start(2_000)
  const first = large.ask()
  await large.clock.advance(0)
  await first
  void large.ask()
  await Promise.resolve()
  expect(large.done.filter((what) => what === 'asked')).toHaveLength(1)
  await large.clock.advance(0)
  expect(large.done.filter((what) => what === 'asked')).toHaveLength(2)
})

test('other work runs between the assessments of a large cluster', async () => {
  const { deps, state, informers, clock } = manualState()
  for (let nth = 0; nth < 600; nth++) {
    informers.put(kinds.Node, node(`n-${nth}`, { providerID: `sim:///a/i-${nth}` }))
  }
  const assessed = new Set<string>()
  const isQueued = (providerID: string): boolean => {
    assessed.add(providerID)
    return false
  }
  const passes = new DisruptionPasses({ ...deps, state, snapshots: new Snapshots(deps, state), isQueued })
  const begun = passes.begin(signal)
  let meanwhile = 0
  clock.timer(0, () => {
    meanwhile = assessed.size
  })
  await clock.advance(0)
  const pass = await begun
  expect(meanwhile).toBe(250)
  expect(pass.assessments).toHaveLength(600)
})

test('if a PodDisruptionBudget changes during the assessment, the repeated assessment also yields to other work', async () => {
  const { deps, state, informers, clock } = manualState()
  for (let nth = 0; nth < 600; nth++) {
    informers.put(kinds.Node, node(`n-${nth}`, { providerID: `sim:///a/i-${nth}` }))
  }
  let assessed = 0
  const isQueued = (): boolean => {
    assessed++
    return false
  }
  const passes = new DisruptionPasses({ ...deps, state, snapshots: new Snapshots(deps, state), isQueued })
  const begun = passes.begin(signal)
  let revision = 0
  const inTurn: number[] = []
  const change = (): void => {
    inTurn.push(assessed)
    assessed = 0
    // Changes the budget during the first half of the assessment, and again during the repeated assessment.
    if (revision < 2) {
      const minAvailable = `${++revision}%`
      informers.put(kinds.PodDisruptionBudget, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'budget', namespace: 'default', resourceVersion: `${revision}` },
        spec: { minAvailable, selector: {} },
      })
    }
    if (inTurn.length < 20) clock.timer(0, change)
  }
  clock.timer(0, change)
  await clock.advance(0)
  expect((await begun).assessments).toHaveLength(600)
  // The start of the pass visits each of the 600 nodes once. The assessment then visits only the last hundred again.
  expect(Math.max(...inTurn, assessed)).toBe(700)
})

test('a search yields to other work between its steps if there are many nodes, but not if there are few', async () => {
  const few = start(1)
  let hasRested = false
  void few.pass.rest(signal).then(() => {
    hasRested = true
  })
  await Promise.resolve()
  expect(hasRested).toBe(true)
})
