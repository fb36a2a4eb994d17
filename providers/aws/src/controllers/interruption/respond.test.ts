import { karpenterKinds } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { parseProviderId } from '../../instances/provider-id.ts'
import { createAwsWorld, never } from '../../testing/aws-world.ts'

test('a message about several instances: a claim that may not be deleted does not stop the others', async () => {
  const world = await createAwsWorld({
    settings: { interruptionQueue: 'demo' },
    interceptor: {
      before: ({ verb, kind, ref }) => {
        if (verb === 'delete' && kind?.kind === 'NodeClaim' && ref?.name === 'a')
          throw new ApiError({ code: 403, reason: 'Forbidden', message: 'a webhook does not let it go' })
      },
    },
  })
  onTestFinished(() => world.stop())
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const { providerID } = await world.provider.create(await world.claim(name), never)
    ids.push(parseProviderId(providerID)?.instanceId ?? '')
    await world.client.patch(
      karpenterKinds.NodeClaim,
      { name },
      { type: 'merge', body: { status: { providerID } } },
      { subresource: 'status' },
    )
  }
  await world.clock.advance(1_000)
  world.aws.sqs.send(
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
  await world.clock.advance(60_000)
  const left = (await world.client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.name)
  expect(left).toEqual(['a'])
})
