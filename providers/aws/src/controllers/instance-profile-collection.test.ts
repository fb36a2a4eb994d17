import { expect, onTestFinished, test } from 'vitest'
import { createAwsHarness } from '../testing/aws-harness.ts'
import { sdkError } from '../testing/fake-aws/sdk-error.ts'

test('a profile that cannot be deleted does not stop the deletion of the others', async () => {
  const left = ['left-a', 'left-b', 'left-c']
  const harness = await createAwsHarness({
    before: ({ iam }) => {
      for (const name of left)
        iam.profiles.set(name, { name, path: '/karpenter/us-east-1/demo/x/', roles: [], tags: {} })
      const remove = iam.deleteInstanceProfile.bind(iam)
      iam.deleteInstanceProfile = async (name, signal) => {
        if (name === 'left-a') throw sdkError({ code: 'DeleteConflict', status: 409 })
        return remove(name, signal)
      }
    },
  })
  onTestFinished(() => harness.stop())
  // Garbage collection does not delete recently created profiles.
  await harness.clock.advance(2 * 3_600_000)
  expect(left.filter((name) => harness.aws.iam.profiles.has(name))).toEqual(['left-a'])
})
