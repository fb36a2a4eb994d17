import { karpenterKinds } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { parseProviderId } from '../../instances/provider-id.ts'
import { createAwsHarness, never } from '../../testing/aws-harness.ts'

test('if a message is about several instances and one claim must not be deleted, the others still are', async () => {
  const harness = await createAwsHarness({
    settings: { interruptionQueue: 'demo' },
    interceptor: {
      before: ({ verb, kind, ref }) => {
        if (verb === 'delete' && kind?.kind === 'NodeClaim' && ref?.name === 'a')
          throw new ApiError({ code: 403, reason: 'Forbidden', message: 'a webhook does not let it go' })
      },
    },
  })
  onTestFinished(() => harness.stop())
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const { providerID } = await harness.provider.create(await harness.claim(name), never)
    ids.push(parseProviderId(providerID)?.instanceId ?? '')
    await harness.client.patch(
      karpenterKinds.NodeClaim,
      { name },
      { type: 'merge', body: { status: { providerID } } },
      { subresource: 'status' },
    )
  }
  await harness.clock.advance(1_000)
  harness.aws.sqs.send(
    JSON.stringify({
      version: '0',
      source: 'aws.health',
      'detail-type': 'AWS Health Event',
      time: '2026-01-01T00:00:00Z',
      detail: {
        service: 'EC2',
        eventTypeCategory: 'scheduledChange',
        affectedEntities: ids.map((entityValue) => ({ entityValue })),
      },
    }),
  )
  await harness.clock.advance(60_000)
  const left = (await harness.client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.name)
  expect(left).toEqual(['a'])
})
