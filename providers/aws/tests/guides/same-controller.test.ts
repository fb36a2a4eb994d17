import { expect, test } from 'vitest'
import { documentSteps } from '../../../../tests/integration/guides/guide-steps.ts'

/** Returns the blocks of a guide that contain this text. */
const blocksWith = (page: string, text: string): readonly string[] =>
  documentSteps(`guides/${page}`).flatMap(({ commands }) => (commands.includes(text) ? [commands] : []))

// The guides share these commands, so only the test of the first guide builds the image and checks what the controller launches.
test.each(['fargate', 'managed-nodes', 'take-over'])('%s builds the image as the first guide does', (page) => {
  expect(blocksWith(page, '--push .')).toEqual(blocksWith('first-pod', '--push .'))
})

test('the guides for managed nodes and Fargate install the first guide’s controller, Fargate with a role and a size', () => {
  const installation = (page: string): readonly string[] =>
    blocksWith(page, 'deploy/charts/karpenter ')
      .flatMap((commands) => commands.split('\n'))
      .map((line) => line.replace(/ *\\$| --timeout \d+m$/g, '').trim())
  const first = installation('first-pod')
  expect(first.length).toBeGreaterThan(5)
  expect(installation('managed-nodes')).toEqual(first)
  const onFargate = /^--set (serviceAccount\.annotations\.|controller\.resources\.)/
  expect(installation('fargate').filter((line) => !onFargate.test(line))).toEqual(first)
})
