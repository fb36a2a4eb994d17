import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { createClasses, FakeAccount, FakeOci, registeredNode } from '@kerf/provider-oci/testing'
import { SystemClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { playProcessStory } from '../../../tests/integration/story/process-story.ts'
import { zoneOfDomain } from '../src/availability-domain.ts'
import { freeformTagKeys } from '../src/instances/tags.ts'
import { communityNodeClassKind } from '../src/node-class/community-node-class.ts'
import { oracleNodeClassKind } from '../src/node-class/oracle-node-class.ts'
import { fakeKey } from '../src/testing/fake-oci/fake-oci.ts'
import { serveOci } from '../src/testing/fake-oci/loopback.ts'
import { ociEnv } from '../src/testing/fake-oci/oci-env.ts'

describeWithCustomResources('kerf run --provider=oci', (shared) => {
  test('ten pods get instances, and nothing remains after the pods are deleted', async () => {
    const account = new FakeAccount(new SystemClock(), { startsFor: 3_000, stopsFor: 1_000 })
    const cloud = new FakeOci(account)
    const served = await serveOci(cloud)
    onTestFinished(() => served.close())
    const { env, close } = ociEnv(served.url)
    onTestFinished(close)
    const living = () => account.instances.living()
    const output = await playProcessStory(shared(), {
      ...{ provider: 'oci', env, classKinds: [oracleNodeClassKind, communityNodeClassKind] },
      createClasses: (client) =>
        createClasses(client, {
          oracle: { shapeConfigs: [{ ocpus: 2, memoryInGbs: 16 }], freeformTags: { team: 'web' } },
        }),
      nodes: () =>
        living()
          .filter((instance) => account.lifecycleState(instance) === 'RUNNING')
          .map((instance) => registeredNode(account, instance, 'oracle')),
      instances: () => living().length,
      check: ({ metadata, status }) => {
        const details = living().find(({ id }) => status?.providerID === id)?.details
        expect(metadata.labels).toMatchObject({
          'oci.oraclecloud.com/instance-shape': details?.shape,
          'topology.kubernetes.io/zone': zoneOfDomain(details?.availabilityDomain ?? ''),
        })
        expect(details?.freeformTags).toMatchObject({
          ...{ team: 'web', [freeformTagKeys.nodePool]: 'general', [freeformTagKeys.cluster]: 'demo' },
          [freeformTagKeys.nodeClaimUid]: metadata.uid,
        })
        expect(status?.imageID).toBe(details?.sourceDetails.imageId)
      },
    })
    // Every request was valid for the SDK's models.
    expect(cloud.problems).toEqual([])
    expect(output).not.toContain(fakeKey.privateKey.split('\n')[1])
  })
})
