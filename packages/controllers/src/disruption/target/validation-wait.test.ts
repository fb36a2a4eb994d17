import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { candidate, consolidation } from '../../testing/candidate.ts'
import type { Command } from '../commands/command.ts'
import { TargetNodes, type Targets } from './target-nodes.ts'
import { VALIDATION_WAIT, waitLeft } from './validation-wait.ts'

const NOW = 100_000
const [a, b] = [candidate('a'), candidate('b')]

/** Returns targets for both kinds of moves. Every search during the last `time` milliseconds has found both nodes. */
const stoodFor = (time: number): Targets => {
  const targets = { together: new TargetNodes(), alone: new TargetNodes() }
  for (const nodes of Object.values(targets)) {
    nodes.update([a.name, b.name], NOW - time)
    nodes.update([a.name, b.name], NOW)
  }
  return targets
}

const replacement: Command['replacements'] = [{ kind: 'template', pool: nodePool('general') }]

test('nodes that are deleted without a replacement wait only for the rest of the time', () => {
  expect(waitLeft(consolidation([a, b]), stoodFor(4_000), NOW)).toBe(VALIDATION_WAIT - 4_000)
  expect(waitLeft(consolidation([a]), stoodFor(20_000), NOW)).toBe(0)
})

test('a command that launches a replacement waits the full time, however long its nodes have been targets', () => {
  const targets = stoodFor(20_000)
  expect(waitLeft(consolidation([a], { replacements: replacement }), targets, NOW)).toBe(VALIDATION_WAIT)
  expect(waitLeft(consolidation([a, b], { replacements: replacement }), targets, NOW)).toBe(VALIDATION_WAIT)
})

test('a command with a node of a Balanced pool waits the full time', () => {
  const balanced = candidate('b', {
    pool: nodePool('general', { disruption: { consolidationPolicy: 'Balanced' } }),
  })
  expect(waitLeft(consolidation([a, balanced]), stoodFor(20_000), NOW)).toBe(VALIDATION_WAIT)
})

test('a node that was just found makes the whole command wait', () => {
  const targets = stoodFor(20_000)
  targets.together.forget([b.name])
  expect(waitLeft(consolidation([a, b]), targets, NOW)).toBe(VALIDATION_WAIT)
})
