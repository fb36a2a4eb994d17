import { expect, onTestFinished, test } from 'vitest'
import { createAwsWorld } from '../testing/aws-world.ts'
import { sdkError } from '../testing/fake-aws/sdk-error.ts'

test('a profile that cannot be deleted does not stop the deletion of the others', async () => {
  const left = ['left-a', 'left-b', 'left-c']
  const world = await createAwsWorld({
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
  onTestFinished(() => world.stop())
  // Recently created profiles are protected for a while.
  await world.clock.advance(2 * 3_600_000)
  expect(left.filter((name) => world.aws.iam.profiles.has(name))).toEqual(['left-a'])
})
