import { expect, onTestFinished, test } from 'vitest'
import { createAwsHarness } from '../testing/aws-harness.ts'

const MINUTE = 60_000
const parameter = (arch: string, variant: string): string =>
  `/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/${arch}/${variant}/recommended/image_id`

test('every parameter whose image is deprecated or gone is read again, even if another read fails', async () => {
  const harness = await createAwsHarness()
  onTestFinished(() => harness.stop())
  const { aws, clock } = harness
  const amis = async () => ((await harness.nodeClass()).status?.amis ?? []).map(({ id }) => id).toSorted()
  expect(await amis()).toEqual(['ami-arm', 'ami-gpu', 'ami-x86'])
  const [x86, arm] = aws.ec2.images
  if (x86 === undefined || arm === undefined) throw new Error('the account has images')
  // AWS has published newer images. Of the old ones, the first no longer exists and the second is deprecated.
  aws.ec2.images = [
    ...aws.ec2.images.filter(({ ImageId }) => ImageId !== 'ami-x86' && ImageId !== 'ami-arm'),
    { ...arm, DeprecationTime: '2026-01-01T00:10:00.000Z' },
    { ...x86, ImageId: 'ami-x86-new' },
    { ...arm, ImageId: 'ami-arm-new' },
  ]
  aws.ssm.parameters.set(parameter('x86_64', 'standard'), 'ami-x86-new')
  aws.ssm.parameters.set(parameter('arm64', 'standard'), 'ami-arm-new')
  const read: string[] = []
  aws.ssm.refuses = (name) => {
    if (aws.ssm.parameters.has(name)) read.push(name)
    return undefined
  }
  await clock.advance(33 * MINUTE)
  expect(await amis()).toEqual(['ami-arm-new', 'ami-gpu', 'ami-x86-new'])
  // Kerf reads only these two parameters again. The other ones refer to current images, so they stay cached for a day.
  expect(read.toSorted()).toEqual([parameter('arm64', 'standard'), parameter('x86_64', 'standard')])
})

test('a single call every half hour checks the images of all parameters, in addition to one per minute for the class', async () => {
  const harness = await createAwsHarness()
  onTestFinished(() => harness.stop())
  const { aws, clock } = harness
  const before = aws.ec2.faults.count('describeImages')
  await clock.advance(60 * MINUTE)
  expect(aws.ec2.faults.count('describeImages') - before).toBe(60 + 2)
})
