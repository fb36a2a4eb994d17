import { kinds } from '@kerf/apis'
import type { Steps } from '@kerf/engine'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Snapshots } from '../../state/snapshot.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { nodesWorthKeeping } from '../candidates/worth-keeping.ts'
import { DisruptionEvents } from '../commands/disruption-events.ts'
import { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import { disruptionStatuses } from '../explanation/disruption-status.ts'
import { PassReports } from '../explanation/pass-reports.ts'
import { DisruptionPasses } from './disruption-passes.ts'

/** Returns how often the computation pauses between steps. */
const stepBreaks = (steps: Steps<unknown>): number => {
  let breaks = 0
  while (steps.next().done !== true) breaks++
  return breaks
}

test('a pass handles 250 nodes of a large cluster per step', async () => {
  const { deps, state, informers, clock } = manualState()
  for (let nth = 0; nth < 600; nth++) {
    informers.put(kinds.Node, node(`n-${nth}`, { providerID: `sim:///a/i-${nth}` }))
  }
  const passes = new DisruptionPasses({ ...deps, state, snapshots: new Snapshots(deps, state), isQueued: () => false })
  const begun = passes.begin(new AbortController().signal)
  await clock.advance(0)
  const pass = await begun
  expect(stepBreaks(nodesWorthKeeping(pass.assessments))).toBe(2)
  expect(stepBreaks(disruptionStatuses(pass, state))).toBe(2)
  const events = new DisruptionEvents(deps.events)
  const reports = new PassReports({ ...deps, state }, { events, metrics: new DisruptionMetrics(deps.metrics) })
  // The reports iterate over the nodes twice: once for Events, and once for the metric.
  expect(stepBreaks(reports.report(pass))).toBe(2 + 2)
})
