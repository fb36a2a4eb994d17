import { kinds } from '@kerf/apis'
import { findComponents, findHelm } from '@kerf/control-plane'
import { expect } from 'vitest'
import { type GuideStep, guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { GuideSession } from './guide-session.ts'

/** Whether this machine lacks a program that the guides need. */
export const isMissing = 'missing' in findComponents() || findHelm() === undefined

/** Runs the blocks of a guide in order. `after` contains checks that run after the block below a heading. */
export const follow = async (
  session: GuideSession,
  steps: readonly GuideStep[],
  after: Readonly<Record<string, (output: string) => Promise<void>>> = {},
): Promise<void> => {
  for (const heading of Object.keys(after)) expect(steps.map((step) => step.heading)).toContain(heading)
  for (const step of steps) {
    try {
      const output = await session.shell.run(step)
      await after[step.heading]?.(output)
    } catch (error) {
      const pods = await session.plane.kubectl(['get', 'pods', '--all-namespaces', '-o', 'wide'])
      const events = await session.plane.kubectl(['get', 'events', '--namespace', 'kube-system'])
      throw new Error(`${String(error)}\n${session.controllerOutput}\n${pods.stdout}\n${events.stdout}`, {
        cause: error,
      })
    }
  }
}

/** Returns whether a block builds and pushes the image. The block is the same in every guide (same-controller.test.ts). */
const buildsImage = ({ commands }: GuideStep): boolean => commands.includes('--push .')

/**
 * Returns the steps of a guide if the image exists already. Shortens the block that builds the image to its first line, which sets the name
 * of the image. image.aws.test.ts and the first guide run the whole block.
 */
export const withImage = (steps: readonly GuideStep[]): readonly GuideStep[] =>
  steps.map((step) => (buildsImage(step) ? { ...step, commands: step.commands.split('\n', 1)[0] ?? '' } : step))

/**
 * Opens a session for one guide, and closes it. Asserts that each block of the guide has run, except the one that `withImage` may shorten.
 */
export const inHarness = async (guide: string, tell: (session: GuideSession) => Promise<void>): Promise<void> => {
  const session = await GuideSession.open('kerf-demo')
  try {
    await tell(session)
    const steps = guideSteps(guide)
    const own = guide === 'first-pod' ? steps : steps.filter((step) => !buildsImage(step))
    expect(session.shell.unrun(own)).toEqual([])
  } finally {
    await session.close()
  }
}

/** Returns the number of running pods in the namespace `default`. */
export const runningPods = async ({ client }: GuideSession): Promise<number> =>
  (await client.list(kinds.Pod, { namespace: 'default' })).items.filter(({ status }) => status?.phase === 'Running')
    .length

/** Returns the steps of the first guide that come before this heading. */
export const upTo = (heading: string): readonly GuideStep[] => {
  const steps = guideSteps('first-pod')
  return steps.slice(
    0,
    steps.findIndex((step) => step.heading === heading),
  )
}

/** Returns the steps of the first guide for the NodePool and the first pod. */
export const pool = (): readonly GuideStep[] =>
  guideSteps('first-pod').filter(({ heading }) => /^[56]\. /.test(heading))
