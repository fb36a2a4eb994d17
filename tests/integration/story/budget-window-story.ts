import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const MINUTE = 60_000

interface Window {
  readonly schedule: string
  readonly duration: string
  readonly ends: number
}

/** Returns a window that began a minute ago and ends with the minute that contains `after`. */
const windowUntil = (now: number, after: number): Window => {
  const begins = Math.floor(now / MINUTE) * MINUTE - MINUTE
  const ends = Math.ceil(after / MINUTE) * MINUTE
  const at = new Date(begins)
  return {
    schedule: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`,
    duration: `${(ends - begins) / MINUTE}m`,
    ends,
  }
}

/** Drifted nodes wait for the end of a budget window that forbids disruption, and are replaced right after it. */
export const runBudgetWindowStory = async (cluster: StoryCluster): Promise<void> => {
  const story = await PoolStory.open(cluster, 'window')
  await story.deploy(4)
  await story.settledAt(4)
  const before = await story.claimNames()
  const close = async (after: number): Promise<number> => {
    const now = cluster.clock.now()
    const { ends, ...window } = windowUntil(now, now + after)
    await story.patch({ disruption: { budgets: [{ nodes: '0', ...window }, { nodes: '100%' }] } })
    return ends
  }
  await close(120 * MINUTE)
  await story.drift('a')
  await story.toldBy('DisruptionBlocked', 'No allowed disruptions for disruption reason Drifted', 'NodePool')
  await story.measured('karpenter_nodepools_allowed_disruptions', { reason: 'Drifted' }, 0)
  expect(await story.claimNames()).toEqual(before)

  const ends = await close(MINUTE / 6)
  await cluster.until('the first node to go', () => story.isDisturbed(before))
  expect(cluster.clock.now(), 'nothing is disrupted inside the window').toBeGreaterThanOrEqual(ends)
  await story.replaced(before, 4)
  await story.measured('karpenter_nodeclaims_disrupted_total', { reason: 'drifted' }, before.length)
  await story.toldBy('DisruptionTerminating', 'Drifted', 'NodeClaim')
}
